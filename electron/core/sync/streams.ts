import { Failed, failedWith, isKind } from '../../contract/failure.ts'
import type { Json } from '../../contract/json.ts'
import type { Database, Procedure } from '../platform.ts'
import {
  recordIdentity,
  TokenTrail,
  type DeviceStream,
  type Management,
  type Page,
} from '../management/management.ts'
import type { RecordKind } from '../storage/store.ts'
import { writeAlias, writeRecord, type SyncOrigin } from './record-writer.ts'
import { kindOf, operations, type Contradictions } from './contradictions.ts'
import { deleteStreams, markStream, type StreamName, type StreamPosition } from './sync-rows.ts'
import { UnreadableOfPage } from './unreadable-records.ts'

/** Recommended (services.md#B32). */
const pageSize = 100

export interface StreamWork {
  readonly management: Management
  readonly database: Database
  readonly origin: SyncOrigin
  readonly signal: AbortSignal
  /** A page was requested and received. */
  answered(calls: number): void
  /** A page is stored, with the number of its records that are new in this sync. */
  written(kind: RecordKind, fresh: number): void
  /** Settles when the list that was viewed while empty shows its first rows; otherwise at once. */
  drawn(): Promise<void>
  /** Pages with records that are new in this sync. */
  pagesWithNews(kind: RecordKind): number
  /** An empty list came from an unknown place: to be checked before records count as unseen. */
  readonly emptyLists: Map<RecordKind, (() => Failed | null)[]>
  readonly contradictions: Contradictions
}

/**
 * Reads one stream to its end, from its last position. The next page is requested before the last one is
 * processed, and every page is one transaction with the token that follows it. A token that is no longer
 * accepted restarts the stream, once. Returns whether its last page may not be the last.
 */
export async function fetchStream(
  work: StreamWork,
  stream: StreamName,
  position: StreamPosition | undefined,
): Promise<StreamEnd> {
  if (position?.finished) {
    work.contradictions.begin(stream, position.listed)
    return position.mayHaveMore ? 'may-have-more' : 'ended'
  }
  if (position !== undefined && position.token !== null)
    try {
      work.contradictions.begin(stream, position.listed)
      return await fetchPages(work, stream, position.token)
    } catch (error) {
      if (!(error instanceof RefusedToken)) throw error
    }
  if (position !== undefined)
    await work.database.perform(deleteStreams, { origin: work.origin, streams: [stream] })
  work.contradictions.begin(stream, 0)
  return fetchPages(work, stream, null)
}

export type StreamEnd = 'ended' | 'may-have-more'

/** The service does not accept the token of an interrupted sync. */
class RefusedToken extends Error {}

async function fetchPages(work: StreamWork, stream: StreamName, from: string | null): Promise<StreamEnd> {
  const kind = kindOf(stream)
  const trail = new TokenTrail(operations[kind], 'management interface')
  trail.follow(from)
  let pending = ask(work, stream, from).catch((error: unknown) => {
    throw from !== null && isRefusal(error) ? new RefusedToken() : error
  })
  const backlog = new Backlog()
  let doubt: Failed | null = null
  let isDoubtful = false
  try {
    for (;;) {
      const page = await pending
      const mayHaveMore = page.mayHaveMore === true && !(await endsWith(work, stream, page))
      await backlog.room()
      const error = following(trail, page.nextToken)
      doubt ??= page.doubt ?? null
      const listed = work.contradictions.add(stream, page)
      if (page.emptyList !== undefined)
        work.emptyLists.set(kind, [...(work.emptyLists.get(kind) ?? []), page.emptyList])
      const next = page.nextToken === null || error ? null : ask(work, stream, page.nextToken)
      // Awaited in the next iteration; until then its failure is unhandled on purpose.
      next?.catch(() => undefined)
      // What is in doubt is judged when all lists are read: a resumed sync would not know of it.
      isDoubtful ||= doubt !== null || page.emptyList !== undefined
      const broken = error !== null || isDoubtful || work.contradictions.mayBeIn(stream, next === null)
      backlog.add(
        writePage(work, { kind, stream, page, broken, mayHaveMore, listed }).then((fresh) =>
          trail.met(fresh, work.pagesWithNews(kind)),
        ),
      )
      if (error) throw error
      if (!next) {
        await backlog.empty()
        // Everything that could be followed was read; the rest may be missing.
        if (doubt !== null) throw doubt
        return mayHaveMore ? 'may-have-more' : 'ended'
      }
      pending = next
    }
  } finally {
    // However the reading ends, received pages are stored before the caller continues.
    await backlog.empty()
  }
}

/**
 * Maximum of received pages of a stream that are not written yet: reading continues while other streams are
 * written. Raise it if reading waits for writing.
 */
const unwrittenPages = 8

/**
 * Pages that are being stored, in order. The first one is stored before the third is requested; a failing one
 * ends the reading.
 */
class Backlog {
  readonly #pages: Promise<void>[] = []
  #first = true
  #failed: { readonly error: unknown } | null = null

  add(page: Promise<void>): void {
    page.catch((error: unknown) => (this.#failed ??= { error }))
    this.#pages.push(page)
  }
  /** Waits until another page may be requested. */
  async room(): Promise<void> {
    while (this.#pages.length > (this.#first ? 0 : unwrittenPages)) {
      await this.#pages.shift()
      this.#first = false
    }
    if (this.#failed) throw this.#failed.error
  }
  /** Waits for all of them, and then throws the first failure. */
  async empty(): Promise<void> {
    await Promise.allSettled(this.#pages.splice(0))
    if (this.#failed) throw this.#failed.error
  }
}

function following(trail: TokenTrail, token: string | null): Error | null {
  try {
    trail.follow(token)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error('unreachable')
  }
}

export function isRefusal(error: unknown): error is Failed {
  return error instanceof Failed && (isKind(error.failure, 'refused') || isKind(error.failure, 'not-found'))
}

/**
 * A full last page that does not state that it is the last is, if the list begins with its last record when
 * it is read from the other end.
 */
async function endsWith(work: StreamWork, stream: StreamName, page: Page): Promise<boolean> {
  try {
    const { items } = await ask(work, stream, null, true)
    const [known, first] = [page.items.at(-1), items[0]].map((item = null) =>
      recordIdentity(kindOf(stream), item),
    )
    return known !== null && known === first
  } catch (error) {
    if (isRefusal(error) || failedWith(error, 'unreadable-answer')) return false
    throw error
  }
}

async function ask(
  work: StreamWork,
  stream: StreamName,
  token: string | null,
  descending?: true,
): Promise<Page> {
  const request = {
    token,
    pageSize,
    lane: 'refresh',
    signal: work.signal,
    ...(descending && { descending }),
  } as const
  try {
    const page = await (stream === 'rooms'
      ? work.management.roomPage(request)
      : work.management.devicePage({ ...request, stream: stream.slice('devices:'.length) as DeviceStream }))
    work.answered(page.calls)
    return page
  } catch (error) {
    if (isRefusal(error)) work.answered(1)
    throw error
  }
}

/** The client type of a stream's request; null: none. */
const requestedTypes: Readonly<Record<StreamName, string | null>> = {
  'devices:MeetingRoom': 'MeetingRoom',
  'devices:Personal': 'Personal',
  'devices:all': null,
  rooms: null,
}

/** Returns how many of its records are new: readable ones in this sync, others in this stream. */
async function writePage(
  work: StreamWork,
  {
    kind,
    stream,
    page,
    broken,
    mayHaveMore,
    listed,
  }: {
    kind: RecordKind
    stream: StreamName
    page: Page
    broken: boolean
    mayHaveMore: boolean
    listed: number
  },
): Promise<number> {
  const { fresh, unmet } = await work.database.perform(writePageOf, {
    origin: work.origin,
    kind,
    stream,
    listedAs: requestedTypes[stream],
    // Passed to the other thread as text, which takes half the time.
    items: JSON.stringify(page.items),
    receivedAt: page.receivedAt,
    // A stream that was circular, or whose end is doubtful, has no position to resume from.
    position: {
      token: broken ? null : page.nextToken,
      finished: !broken && page.nextToken === null,
      mayHaveMore,
      listed,
    },
  })
  work.written(kind, fresh)
  await work.drawn()
  return fresh + unmet
}

interface PageOfStream {
  readonly origin: SyncOrigin
  readonly kind: RecordKind
  readonly stream: StreamName
  /** The requested client type; null: none. */
  readonly listedAs: string | null
  /** JSON of its records. */
  readonly items: string
  readonly receivedAt: number
  /** The progress of the stream after this page. */
  readonly position: StreamPosition
}

/**
 * One page of a stream, with the token that follows it. Returns how many of its records are new: readable
 * ones in this sync, others in this stream.
 */
export const writePageOf: Procedure<PageOfStream, { readonly fresh: number; readonly unmet: number }> = {
  name: 'sync.write-page',
  shared: true,
  run(transaction, { origin, kind, stream, listedAs, items, receivedAt, position }) {
    const unreadable = new UnreadableOfPage(kind, stream, receivedAt)
    let fresh = 0
    for (const item of JSON.parse(items) as readonly Json[]) {
      const written = writeRecord(transaction, origin, kind, item, receivedAt, listedAs)
      if (written.fresh) fresh++
      if (written.why !== null) unreadable.add(item, written.why)
      if (kind === 'room' && written.id !== null && written.groupId !== null)
        writeAlias(transaction, origin, written.groupId, written.id, receivedAt)
    }
    markStream(transaction, origin, stream, position, receivedAt)
    return { fresh, unmet: unreadable.write(transaction, origin) }
  },
}
