import { operationNamed } from '../../contract/operations.ts'
import type { AllHandlers, MethodName } from '../../contract/rpc-client.ts'
import { effectOf } from '../../contract/rpc-server.ts'
import { checkedHandlers } from '../checked-handlers.ts'
import type { Platform } from '../platform.ts'
import type { Policy } from './policy.ts'

type Rules = Pick<Policy, 'mustAllow'>

/**
 * The same platform, which connects only to allowed hosts: whoever sends, and at each hop of a redirect. A
 * running demonstration that is switched off gets no further call.
 */
export function platformUnderPolicy(platform: Platform, policy: Rules): Platform {
  const { transport, pinned, fileTransport } = platform
  const ofDemonstration = new Set<string>()
  const judged = ({ url }: { readonly url: string }): void => {
    const { hostname, origin } = new URL(url)
    policy.mustAllow('host', hostname)
    if (ofDemonstration.has(origin)) policy.mustAllow('demonstration')
  }
  return {
    ...platform,
    transport: {
      ...transport,
      attempt: async (request) => {
        judged(request)
        return transport.attempt(request)
      },
    },
    pinned: {
      attempt: async (request, address) => {
        judged(request)
        return pinned.attempt(request, address)
      },
    },
    fileTransport: {
      isProxied: (url) => fileTransport.isProxied(url),
      get: async (request, address) => {
        judged(request)
        const answer = await fileTransport.get(request, address)
        return answer.kind === 'answer'
          ? { ...answer, body: judgedPieces(answer.body, () => judged(request)) }
          : answer
      },
    },
    demonstration: async () => {
      policy.mustAllow('demonstration')
      const started = await platform.demonstration()
      for (const url of [started.managementUrl, started.metadataUrl]) ofDemonstration.add(new URL(url).origin)
      return started
    },
  }
}

/** A long transfer ends when its host is no longer allowed. */
async function* judgedPieces(body: AsyncIterable<Uint8Array>, judge: () => void): AsyncIterable<Uint8Array> {
  for await (const piece of body) {
    judge()
    yield piece
  }
}

/** Changes something on this computer or begins work, though it may be repeated. */
const changing: ReadonlySet<MethodName> = new Set([
  'downloads.resume',
  'jobs.check',
  'jobs.plan',
  'jobs.retry',
  'kits.make',
  'kits.plan',
  'offline.prepare',
  'organizations.checkKey',
])
/** What is on screen, and what was looked at. */
const ofLooking: ReadonlySet<MethodName> = new Set(['app.setPreferences', 'changes.look'])

/** Whether a locked policy refuses it: everything but looking, syncing, pausing and cancelling. */
export function isLockedMethod(name: MethodName, argument: unknown): boolean {
  if (name === 'explorer.run')
    return operationNamed((argument as { readonly operation: string }).operation)?.effect != null
  const effect = effectOf(name)
  if (effect === 'window') return name === 'exports.start'
  return effect === 'none' ? changing.has(name) : !ofLooking.has(name)
}

/** The same handlers; what the policy forbids is refused with Failed `policy` before anything is done. */
export const handlersUnderPolicy = (handlers: AllHandlers, policy: Rules): AllHandlers =>
  checkedHandlers(handlers, (name, argument) => {
    if (isLockedMethod(name, argument)) policy.mustAllow('locked')
    if (name === 'exports.start' || name === 'kits.make') policy.mustAllow('export')
    if (name === 'webhooks.validate') policy.mustAllow('webhooks')
  })
