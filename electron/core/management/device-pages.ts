import { Failed } from '../../contract/failure.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import type { ServiceAnswer } from '../service-client/service-client.ts'
import { arrayOf, objectOf } from './members.ts'

/** One page as received: records not yet read. */
export interface Page {
  readonly items: readonly Json[]
  /** null: the last page. */
  readonly nextToken: string | null
  readonly receivedAt: number
  readonly calls: number
}

export type DeviceStream = 'MeetingRoom' | 'Personal' | 'all'

export function deviceBody(stream: DeviceStream, token: string | null, pageSize: number): JsonObject {
  return { ...(stream === 'all' ? {} : { deviceClientType: stream }), pageSize, ...(token === null ? {} : { continuationToken: token }) }
}

/** An empty client type means all devices (observed 4.2). Nothing says that tokens are safe in an address: encoded. */
export function deviceQuery(stream: DeviceStream, token: string | null, pageSize: number): string {
  const parts = [`DeviceClientType=${stream === 'all' ? '' : stream}`, `PageSize=${pageSize}`]
  if (token !== null) parts.push(`ContinuationToken=${encodeURIComponent(token)}`)
  return parts.join('&')
}

/**
 * The envelope of devices is observed (4.2): `items`, and a token that is null, missing or empty on the last page. That of rooms is
 * not known: a bare list, or an object whose only list has another name, is read as well.
 */
export function readPage(answer: ServiceAnswer, operation: string, host: string, asked: string | null): Page {
  const unreadable = (where: string, message: string): Failed => new Failed({ kind: 'unreadable-answer', call: { operation, host }, where, message })
  const bare = arrayOf(answer.json)
  const envelope = bare ? { items: bare } : objectOf(answer.json)
  if (!envelope) throw unreadable('the whole answer', 'An object with the member items was expected.')
  const items = envelope['items'] === undefined ? onlyList(envelope) : arrayOf(envelope['items'])
  if (!items) throw unreadable('items', envelope['items'] === undefined ? 'The list of records is missing.' : 'The list of records is not a list.')
  const token = envelope['continuationToken'] ?? null
  if (token !== null && typeof token !== 'string') throw unreadable('continuationToken', 'The continuation token is not text.')
  if (token !== null && token !== '' && token === asked) throw repeatedToken(operation, host)
  return { items, nextToken: token === '' ? null : token, receivedAt: answer.receivedAt, calls: answer.attempts }
}

function onlyList(envelope: JsonObject): readonly Json[] | null {
  const lists = Object.values(envelope).flatMap((member) => (Array.isArray(member) ? [member as readonly Json[]] : []))
  return lists.length === 1 ? (lists[0] ?? null) : null
}

function repeatedToken(operation: string, host: string): Failed {
  return new Failed({
    kind: 'unreadable-answer',
    call: { operation, host },
    where: 'continuationToken',
    message: 'The service sent the same continuation token twice: the list would never end.',
  })
}

/** The tokens one stream has been given: a token seen before would go round for ever, so it ends the stream with a Failed. */
export class TokenTrail {
  readonly #seen = new Set<string>()
  readonly #operation: string
  readonly #host: string

  constructor(operation: string, host: string) {
    this.#operation = operation
    this.#host = host
  }

  follow(token: string | null): void {
    if (token === null) return
    if (this.#seen.has(token)) throw repeatedToken(this.#operation, this.#host)
    this.#seen.add(token)
  }
}
