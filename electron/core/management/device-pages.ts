import { createHash } from 'node:crypto'
import { Failed } from '../../contract/failure.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { boundedRecord } from './bounded-json.ts'
import type { ServiceAnswer } from '../service-client/service-client.ts'
import type { Problem } from './next-page.ts'
import { readEnvelope, type RecordsOf } from './page-envelope.ts'

/** One page as received: records not yet read. */
export interface Page {
  readonly items: readonly Json[]
  /** null: the last page. */
  readonly nextToken: string | null
  readonly receivedAt: number
  readonly calls: number
  /** What may lead to further records and cannot be followed: whoever reads the list has not read it whole. Missing: nothing. */
  readonly doubt?: Failed
  /**
   * The list is empty and stands where none is known to stand. Asked when everything was read: what is wrong; null: meanwhile a page had
   * its records there. Missing: it is the list.
   */
  readonly emptyList?: () => Failed | null
  /** The last page is as long as was asked for and speaks of no next one, not even to say that there is none: there may be more. */
  readonly mayGoOn?: true
}

export type DeviceStream = 'MeetingRoom' | 'Personal' | 'all'

export function deviceBody(stream: DeviceStream, token: string | null, pageSize: number): JsonObject {
  return {
    ...(stream === 'all' ? {} : { deviceClientType: stream }),
    pageSize,
    ...(token === null ? {} : { continuationToken: token }),
  }
}

/** An empty client type means all devices (observed 4.2). Nothing says that tokens are safe in an address: encoded. */
export function deviceQuery(stream: DeviceStream, token: string | null, pageSize: number): string {
  const parts = [`DeviceClientType=${stream === 'all' ? '' : stream}`, `PageSize=${pageSize}`]
  if (token !== null) parts.push(`ContinuationToken=${encodeURIComponent(token)}`)
  return parts.join('&')
}

export interface PageAsked {
  readonly operation: string
  readonly host: string
  readonly of: RecordsOf
  readonly token: string | null
  readonly pageSize: number
  /** Where lists of records were found in this service's answers; what this page tells is added. */
  readonly listsBefore: Set<string>
}

/** The page in an answer. Throws Failed `unreadable-answer` for what is no page; what a page says that cannot be followed is its `doubt`. */
export function readPage(
  answer: ServiceAnswer,
  { operation, host, of, token, pageSize, listsBefore }: PageAsked,
): Page {
  const unreadable = ({ where, message }: Problem): Failed =>
    new Failed({ kind: 'unreadable-answer', call: { operation, host }, where, message })
  const { envelope, problem } = readEnvelope(answer.json, answer.headers, of, listsBefore)
  if (problem !== null) throw unreadable(problem)
  const { items, listAt, surelyTheList, next } = envelope
  if (next.token !== null && next.token === token) throw repeatedToken(operation, host)
  if (items.length > 0) listsBefore.add(listAt)
  const noRecords = {
    where: listAt === '' ? 'body' : listAt,
    message: 'An empty list stands where no list of records is known to stand.',
  }
  return {
    items: items.map((item) => boundedRecord(item)),
    nextToken: next.token,
    receivedAt: answer.receivedAt,
    calls: answer.attempts,
    ...(next.doubt === null ? {} : { doubt: unreadable(next.doubt) }),
    ...(surelyTheList ? {} : { emptyList: () => (listsBefore.has(listAt) ? null : unreadable(noRecords)) }),
    ...(next.token === null && !next.spoken && items.length >= pageSize ? { mayGoOn: true } : {}),
  }
}

function endless(operation: string, host: string, why: string): Failed {
  const message = `${why}: the list would never end.`
  return new Failed({
    kind: 'unreadable-answer',
    call: { operation, host },
    where: 'continuationToken',
    message,
  })
}

const repeatedToken = (operation: string, host: string): Failed =>
  endless(operation, host, 'The service sent the same continuation token twice')

/** Pages in a row that may bring nothing new, beside as many as brought something. Chosen: a service may send some empty ones in between. */
const barrenAtMost = 50
/** Pages of one list. Chosen: two million records at the recommended page size. */
const pagesAtMost = 20_000

/**
 * Follows one list from page to page, and ends it with a Failed `unreadable-answer` where the service would never do so: a token seen before,
 * pages in a row that bring nothing new, or too many pages. A list that is sent twice is none of these: a service that knows no filter sends
 * all devices for each kind of them.
 */
export class TokenTrail {
  /** Digests: a token may be long, and all that is asked is whether it was seen. */
  readonly #seen = new Set<string>()
  readonly #operation: string
  readonly #host: string
  #pages = 0
  #barren = 0
  #mayBeBarren = barrenAtMost

  constructor(operation: string, host: string) {
    this.#operation = operation
    this.#host = host
  }

  /** A page was read; its records that were not met before, and how many pages brought any, of this list or another one of the same records. */
  met(fresh: number, pagesWithNews: number): void {
    this.#barren = fresh > 0 ? 0 : this.#barren + 1
    this.#mayBeBarren = barrenAtMost + pagesWithNews
  }

  /** Throws where the token, null for none, leads nowhere. */
  follow(token: string | null): void {
    if (token === null) return
    const digest = createHash('sha256').update(token).digest('base64url')
    if (this.#seen.has(digest)) throw repeatedToken(this.#operation, this.#host)
    if (this.#barren > this.#mayBeBarren)
      // The limit and not the count: pages may be written in batches between two calls.
      throw endless(
        this.#operation,
        this.#host,
        `More than ${this.#mayBeBarren} pages in a row brought nothing new`,
      )
    if (++this.#pages > pagesAtMost)
      throw endless(this.#operation, this.#host, `It goes on after ${pagesAtMost} pages`)
    this.#seen.add(digest)
  }
}
