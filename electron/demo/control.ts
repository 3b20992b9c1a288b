import type { Answer } from './answer.ts'
import { empty, json, resourceNotFound } from './answer.ts'
import type { Fault, Faults } from './faults.ts'
import { faultNames, isFaultName } from './faults.ts'
import { keySlots, type SubscriptionKeys } from './keys.ts'
import type { ArrivalCounts } from './limits.ts'
import type { WebhookSender } from './webhook-sender.ts'

interface ControlCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

export interface Controlled {
  readonly faults: Faults
  readonly counts: ArrivalCounts
  readonly keys: SubscriptionKeys
  readonly webhooks: WebhookSender
  readonly now: () => number
  readonly advance: (ms: number) => void
  /** Stops listening for this time, after the response to this call. */
  readonly refuseConnections: (forMs: number) => void
}

const wrong = (message: string): Answer => json({ message }, 400)

const faultOf = (value: unknown): Fault | string => {
  if (typeof value !== 'object' || value === null) return 'A JSON object is expected.'
  const {
    name,
    rate = 1,
    times = null,
    operation = null,
    subjects,
    nth,
    sticks,
  } = value as Record<string, unknown>
  if (typeof name !== 'string' || !isFaultName(name)) return `name must be one of ${faultNames.join(', ')}.`
  if (typeof rate !== 'number' || !(rate > 0 && rate <= 1)) return 'rate must be above 0 and at most 1.'
  if (times !== null && (typeof times !== 'number' || !Number.isInteger(times) || times < 1))
    return 'times must be a whole number from 1, or null.'
  if (name === 'cut-after-connect' && operation !== null)
    return 'A connection is cut before its operation is known: operation must be null.'
  if (operation !== null && typeof operation !== 'string')
    return "operation must be an operation's name, or null."
  if (
    subjects !== undefined &&
    !(Array.isArray(subjects) && subjects.length > 0 && subjects.every((id) => typeof id === 'string'))
  )
    return 'subjects must be ids of devices or rooms.'
  if (nth !== undefined && (typeof nth !== 'number' || !Number.isInteger(nth) || nth < 1))
    return 'nth must be a whole number from 1.'
  if (sticks !== undefined && typeof sticks !== 'boolean') return 'sticks must be true or false.'
  return {
    name,
    rate,
    times,
    operation,
    ...(subjects === undefined ? {} : { subjects }),
    ...(nth === undefined ? {} : { nth }),
    ...(sticks === undefined ? {} : { sticks }),
  }
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/**
 * Control endpoints of the demonstration, which are not part of the service: faults, time, counts and
 * webhooks.
 */
export const controlResponse = (call: ControlCall, it: Controlled): Answer | Promise<Answer> => {
  const [, ofWebhooks] = /^\/webhooks(?=\/|$)(.*)$/.exec(call.path) ?? []
  if (ofWebhooks !== undefined)
    return it.webhooks.control({ ...call, path: ofWebhooks, body: parsed(call.body) })
  switch (`${call.method} ${call.path}`) {
    case 'GET /faults':
      return json({ faults: it.faults.list() })
    case 'POST /faults': {
      const fault = faultOf(parsed(call.body))
      if (typeof fault === 'string') return wrong(fault)
      it.faults.set(fault)
      return json({ faults: it.faults.list() })
    }
    case 'DELETE /faults': {
      const name = call.query.get('name')
      if (name !== null && !isFaultName(name)) return wrong(`name must be one of ${faultNames.join(', ')}.`)
      it.faults.clear(name)
      return empty(204)
    }
    case 'GET /time':
      return json({ now: it.now() })
    case 'POST /time': {
      const advance = (parsed(call.body) as { advanceInMs?: unknown } | null)?.advanceInMs
      if (typeof advance !== 'number' || !Number.isFinite(advance) || advance < 0)
        return wrong('advanceInMs must be milliseconds, zero or more.')
      it.advance(advance)
      return json({ now: it.now() })
    }
    case 'POST /connections': {
      const forMs = (parsed(call.body) as { refuseForMs?: unknown } | null)?.refuseForMs
      if (typeof forMs !== 'number' || !Number.isInteger(forMs) || forMs < 1 || forMs > 600_000)
        return wrong('refuseForMs must be whole milliseconds from 1 to 600000.')
      it.refuseConnections(forMs)
      return empty(204, { connection: 'close' })
    }
    case 'POST /keys': {
      const named = (parsed(call.body) as { regenerate?: unknown } | null)?.regenerate
      const slot = keySlots.find((one) => one === named)
      if (slot === undefined) return wrong(`regenerate must be ${keySlots.join(' or ')}.`)
      return json({ slot, key: it.keys.regenerate(slot) })
    }
    case 'GET /counts':
      return json(it.counts.read())
    default:
      return resourceNotFound()
  }
}
