import { createHash } from 'node:crypto'
import { Failed } from '../../contract/failure.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import { boundedRecord } from './bounded-json.ts'
import type { ServiceResponse } from '../service-client/service-client.ts'
import type { Problem } from './next-page.ts'
import { parseEnvelope, type RecordsOf, type StatedCount } from './page-envelope.ts'

/** One page as received: records not parsed yet. */
export interface Page {
  readonly items: readonly Json[]
  /** null: the last page. */
  readonly nextToken: string | null
  readonly receivedAt: number
  readonly calls: number
  /**
   * A possible reference to further records that cannot be followed: the list is incomplete. Missing: none.
   */
  readonly doubt?: Failed
  /**
   * The list is empty and in an unknown place. To be called when everything was read: returns the problem;
   * null: another page had its records there. Missing: the place is known.
   */
  readonly emptyList?: () => Failed | null
  /** The last page is full and does not state whether there is a next one: more records may exist. */
  readonly mayHaveMore?: true
  /** Stated numbers of records other than that of this page. Missing: none. */
  readonly counts?: readonly StatedCount[]
}

export interface PageQuery {
  /** null: the first page. */
  readonly token: string | null
  readonly pageSize: number
  readonly lane: Lane
  readonly signal: AbortSignal | null
  /** The page from the other end of the list. Version 1 has no such pages (services.md#B31). */
  readonly descending?: true
}

export type DeviceStream = 'MeetingRoom' | 'Personal' | 'all'

export function deviceBody(
  stream: DeviceStream,
  { token, pageSize, descending }: Pick<PageQuery, 'token' | 'pageSize' | 'descending'>,
): JsonObject {
  return {
    ...(stream === 'all' ? {} : { deviceClientType: stream }),
    ...(descending === undefined ? {} : { sortDescending: descending }),
    pageSize,
    ...(token === null ? {} : { continuationToken: token }),
  }
}

/**
 * An empty client type means all devices (services.md#B22). Tokens are encoded, because they may contain any
 * character.
 */
export function deviceQuery(stream: DeviceStream, token: string | null, pageSize: number): string {
  const parts = [`DeviceClientType=${stream === 'all' ? '' : stream}`, `PageSize=${pageSize}`]
  if (token !== null) parts.push(`ContinuationToken=${encodeURIComponent(token)}`)
  return parts.join('&')
}

export interface PageRequest {
  readonly operation: string
  readonly host: string
  readonly of: RecordsOf
  readonly token: string | null
  readonly pageSize: number
  /** The places of record lists in the responses of this service so far; this page's place is added. */
  readonly listsBefore: Set<string>
}

/**
 * The page in a response. Throws Failed `unreadable-answer` for anything else. References that cannot be
 * followed are in `doubt`.
 */
export function parsePage(
  answer: ServiceResponse,
  { operation, host, of, token, pageSize, listsBefore }: PageRequest,
): Page {
  const unreadable = ({ where, message }: Problem): Failed =>
    new Failed({ kind: 'unreadable-answer', call: { operation, host }, where, message })
  const { envelope, problem } = parseEnvelope(answer.json, answer.headers, of, listsBefore)
  if (problem !== null) throw unreadable(problem)
  const { items, listAt, surelyTheList, next } = envelope
  if (next.token !== null && next.token === token) throw repeatedToken(operation, host)
  if (items.length > 0) listsBefore.add(listAt)
  const counts = envelope.counts.filter(({ said }) => said !== items.length)
  const noRecords = {
    where: listAt === '' ? 'body' : listAt,
    message: 'An empty list was found where no list of records is known.',
  }
  return {
    items: items.map((item) => boundedRecord(item)),
    nextToken: next.token,
    receivedAt: answer.receivedAt,
    calls: answer.attempts,
    ...(next.doubt === null ? {} : { doubt: unreadable(next.doubt) }),
    ...(surelyTheList ? {} : { emptyList: () => (listsBefore.has(listAt) ? null : unreadable(noRecords)) }),
    ...(next.token === null && !next.spoken && items.length >= pageSize ? { mayHaveMore: true } : {}),
    ...(counts.length > 0 ? { counts } : {}),
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

/**
 * Maximum of pages in a row without new records, in addition to the number of pages that had some. A service
 * may send some empty ones in between; raise it if lists end early.
 */
const barrenAtMost = 50
/** Maximum pages of one list: two million records at the recommended page size. Raise it for larger lists. */
const pagesAtMost = 20_000

/**
 * Follows one list from page to page, and ends it with a Failed `unreadable-answer` if it would otherwise
 * never end: a token seen before, pages in a row without new records, or too many pages. A list that is sent
 * twice is valid: a service without filters sends all devices for each client type.
 */
export class TokenTrail {
  /** Digests: a token may be long, and only its repetition matters. */
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

  /**
   * Call it when a page was read, with its new records and the number of pages that had new ones, in this
   * list or another one of the same records.
   */
  met(fresh: number, pagesWithNews: number): void {
    this.#barren = fresh > 0 ? 0 : this.#barren + 1
    this.#mayBeBarren = barrenAtMost + pagesWithNews
  }

  /** Throws if the token, null for none, does not lead to a new page. */
  follow(token: string | null): void {
    if (token === null) return
    const digest = createHash('sha256').update(token).digest('base64url')
    if (this.#seen.has(digest)) throw repeatedToken(this.#operation, this.#host)
    if (this.#barren > this.#mayBeBarren)
      // Compared with the limit and not with the count, because several pages may be written between two
      // calls.
      throw endless(
        this.#operation,
        this.#host,
        `More than ${this.#mayBeBarren} pages in a row contained nothing new`,
      )
    if (++this.#pages > pagesAtMost)
      throw endless(this.#operation, this.#host, `It continues after ${pagesAtMost} pages`)
    this.#seen.add(digest)
  }
}
