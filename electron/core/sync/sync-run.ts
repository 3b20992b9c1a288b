import { Failed, failedWith, isCancelled, isKind, type Failure } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { SyncReport } from '../../contract/api/sync.ts'
import type { Clock, Database } from '../platform.ts'
import type { Management } from '../management/management.ts'
import type { RecordKind } from '../storage/store.ts'
import { contradiction, Contradictions, records } from './contradictions.ts'
import { endSync, type AcceptedGone, type EndedKind, type Held } from './end-sync.ts'
import type { SyncOrigin } from './record-writer.ts'
import { lookUpEveryRoom, lookUpStrays } from './room-lookups.ts'
import {
  beginSync,
  counts,
  deleteStreams,
  twins,
  wasNoted,
  writeReport,
  type StreamName,
  type StreamPosition,
} from './sync-rows.ts'
import { isRefusal, fetchStream, type StreamEnd, type StreamWork } from './streams.ts'

export interface RunOptions {
  readonly clock: Clock
  readonly management: Management
  readonly database: Database
  readonly organizationId: string
  readonly signal: AbortSignal
  /** As `SyncOptions.source`. */
  readonly source: () => string
  readonly acceptedGone: AcceptedGone | null
  /** Attempts made by the client so far; null: counted from the responses. */
  readonly attempts: (() => number) | null
  /** Called when an interrupted sync resumes, with the number of devices and rooms that it had read. */
  takenUp(read: number): void
  answered(calls: number): void
  written: StreamWork['written']
  /**
   * An empty list of devices is on screen: settles when it shows its first rows, which are stored when this
   * is called. null: none is on screen. Called only before the first complete sync.
   */
  readonly drawn: StreamWork['drawn'] | null
  /** Devices or rooms were marked as gone. */
  gone(): void
}

export interface RunResult {
  readonly report: SyncReport
  readonly notes: readonly string[]
  /** Why the sync is incomplete; null: it is complete. */
  readonly failure: Failure | null
  /** Whether this run stored anything. */
  readonly stored: boolean
  readonly held: Held | null
}

const nothing = { read: 0, unreadable: 0 }

/** One sync, from its start or resumption to its report. Rejects only because of a bug. */
export async function runSync(options: RunOptions): Promise<RunResult> {
  return new SyncRun(options).run()
}

class SyncRun {
  readonly #options: RunOptions
  readonly #stop = new AbortController()
  readonly #notes: string[] = []
  readonly #gone = { device: 0, room: 0 }
  readonly #pagesWithNews = { device: 0, room: 0 }
  #answered = 0
  readonly #attemptsBefore: number
  #stored = false
  /** While an empty list is on screen: the page that is read before another stream starts. */
  #turn: Promise<unknown> = Promise.resolve()
  #failure: Failure | null = null
  #held: Held | null = null
  #bug: Error | null = null

  constructor(options: RunOptions) {
    this.#options = options
    this.#attemptsBefore = options.attempts?.() ?? 0
  }

  async run(): Promise<RunResult> {
    const { clock, database, organizationId, signal } = this.#options
    const startedAt = clock.now()
    try {
      const source = this.#options.source()
      const { origin, streams } = await database.perform(beginSync, {
        organizationId,
        now: startedAt,
        source,
      })
      // The records of the interrupted sync may be returned again, on pages of at least some ten records.
      if (streams.size > 0) {
        let takenUp = 0
        for (const kind of ['device', 'room'] as const) {
          const { read } = await counts(database, origin, kind)
          this.#pagesWithNews[kind] = Math.ceil(read / 10)
          takenUp += read
        }
        this.#options.takenUp(takenUp)
      }
      const work = this.#work(origin)
      // In this order: devices come first if the streams alternate.
      const reading = this.#attempt(() => this.#devices(work, streams))
      const list = await this.#attempt(() => this.#roomList(work, streams))
      const devices = await reading
      const rooms = devices.done && list.done && (await this.#attempt(() => this.#rooms(work, list.value)))
      // After an answer that contradicts itself, no list of this service is believed to lack a record.
      if (devices.done && !isKind(this.#failure, 'unreadable-answer'))
        await this.#attempt(() => {
          this.#mustStillBe(source)
          return this.#end(origin, [devices.value, ...(rooms && rooms.done ? [rooms.value] : [])])
        })
      if (this.#bug) throw this.#bug
      // A sync that failed before anything was stored does not change the stored data: the earlier report
      // remains.
      const isKept = this.#stored || this.#failure === null
      const [deviceCounts, roomCounts] = isKept
        ? await Promise.all([counts(database, origin, 'device'), counts(database, origin, 'room')])
        : [nothing, nothing]
      const report: SyncReport = {
        complete: this.#failure === null && this.#held === null && !signal.aborted,
        devices: { ...deviceCounts, gone: this.#gone.device },
        rooms: { ...roomCounts, gone: this.#gone.room },
        calls: this.#calls(),
        startedAt: origin.startedAt,
        finishedAt: clock.now(),
        ...(this.#held === null ? {} : { held: heldCounts(this.#held) }),
      }
      if (this.#stored || report.complete)
        await database.perform(writeReport, { origin, report, notes: this.#notes, held: this.#held })
      return {
        report,
        notes: this.#notes,
        failure: this.#failure,
        stored: this.#stored,
        held: this.#held,
      }
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      // The cache itself failed, before or after the reading: no report can be written.
      const none = { ...nothing, gone: 0 }
      const report: SyncReport = {
        complete: false,
        devices: none,
        rooms: none,
        calls: this.#calls(),
        startedAt,
        finishedAt: clock.now(),
      }
      return {
        report,
        notes: this.#notes,
        failure: this.#failure ?? error.failure,
        stored: false,
        held: null,
      }
    }
  }

  #calls(): number {
    return this.#options.attempts ? this.#options.attempts() - this.#attemptsBefore : this.#answered
  }

  #work(origin: StreamWork['origin']): StreamWork {
    const { management, database, signal } = this.#options
    return {
      management,
      database,
      origin,
      signal: AbortSignal.any([signal, this.#stop.signal]),
      emptyLists: new Map(),
      contradictions: new Contradictions(),
      answered: (calls) => {
        this.#answered += calls
        this.#options.answered(calls)
      },
      written: (kind, fresh) => {
        this.#stored = true
        if (fresh > 0) this.#pagesWithNews[kind]++
        this.#options.written(kind, fresh)
      },
      drawn: async () => {
        if (!origin.known && this.#pagesWithNews.device > 0) await this.#options.drawn?.()
      },
      pagesWithNews: (kind) => this.#pagesWithNews[kind],
    }
  }

  /**
   * Keeps the first failure; one that makes further reading or writing impossible ends the other streams too.
   */
  async #attempt<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly done: true; readonly value: T } | { readonly done: false }> {
    try {
      return { done: true, value: await work() }
    } catch (error) {
      if (error instanceof Failed) {
        // Streams that were stopped here report that they were cancelled: the actual reason is the earlier
        // failure.
        this.#failure ??= error.failure
        if (policyOf(error.failure).reach !== 'one') this.#stop.abort()
      } else {
        this.#bug ??= error instanceof Error ? error : new Error('A value that is not an Error was thrown')
        this.#stop.abort()
      }
      return { done: false }
    }
  }

  /**
   * Reads a stream and reports how many of its pages are stored. While an empty list is on screen it starts
   * when the first page of the previous stream is shown, so that the first rows appear before the third page
   * is requested.
   */
  #inTurn(
    work: StreamWork,
    read: (work: StreamWork) => Promise<StreamEnd>,
  ): { readonly reading: Promise<StreamEnd>; readonly pages: () => number } {
    let pages = 0
    const first = Promise.withResolvers<void>()
    const counting: StreamWork = {
      ...work,
      written: (kind, fresh) => {
        pages++
        work.written(kind, fresh)
      },
      drawn: () => work.drawn().finally(first.resolve),
    }
    const reading = this.#turn.then(() => read(counting))
    if (this.#options.drawn !== null && !work.origin.known)
      this.#turn = Promise.race([first.promise, reading.catch(() => undefined)])
    return { reading, pages: () => pages }
  }

  async #devices(work: StreamWork, streams: ReadonlyMap<StreamName, StreamPosition>): Promise<EndedKind> {
    const ends = streams.has('devices:all')
      ? [await fetchStream(work, 'devices:all', streams.get('devices:all'))]
      : await this.#filtered(work, streams)
    if (work.signal.aborted) throw new Failed({ kind: 'cancelled' })
    await mustBeWhole(work, 'device')
    const mayMarkGone = await this.#mayMarkGone(work.origin, 'devices', ends)
    return { kind: 'device', mayMarkGone, except: new Set(), foundAlone: new Set(), noRoom: [] }
  }

  #mustStillBe(source: string): void {
    if (source === '' || this.#options.source() === source) return
    this.#notes.push(
      'The address or a key was changed during this sync, so the next one reads everything again.',
    )
    throw new Failed({ kind: 'cancelled' })
  }

  async #end(origin: SyncOrigin, kinds: readonly EndedKind[]): Promise<void> {
    const { clock, database, acceptedGone: accepted } = this.#options
    const {
      kinds: results,
      held,
      notAccepted,
    } = await database.perform(endSync, {
      origin,
      at: clock.now(),
      kinds,
      accepted,
    })
    this.#held = held
    for (const { kind } of kinds) {
      const note = twinsText(kind, await twins(database, origin, kind))
      if (note !== null && !(await wasNoted(database, origin, note))) this.#notes.push(note)
    }
    if (accepted !== null && notAccepted !== null)
      this.#notes.push(
        notAccepted === accepted.count
          ? `Nothing was marked as gone: the ${records(notAccepted)} not listed now are not those of the last sync.`
          : `Nothing was marked as gone: ${records(accepted.count)} were accepted, but ${notAccepted} ${notAccepted === 1 ? 'is' : 'are'} not listed now.`,
      )
    for (const { kind } of kinds) {
      const { gone = 0, notListed = 0, unreadable = 0, newUnreadable = false } = results[kind] ?? {}
      this.#gone[kind] = gone
      if (gone > 0) this.#options.gone()
      const unlisted = `${notListed} known ${kind}${notListed === 1 ? ' is' : 's are'} not listed`
      if (newUnreadable)
        this.#failure ??= contradiction(
          kind,
          'items',
          `${records(unreadable)} cannot be read, and ${unlisted}. Nothing was marked as gone.`,
        ).failure
      else if (unreadable > 0 && origin.known)
        this.#notes.push(
          `${unreadable} ${kind} ${unreadable === 1 ? 'record' : 'records'} still cannot be read.${
            notListed === 0 ? '' : ` ${unlisted} since then, and not marked as gone.`
          }`,
        )
    }
  }

  /**
   * A stream whose last page was full and had no end mark may have more: unseen records are then not marked
   * as gone.
   */
  async #mayMarkGone(origin: SyncOrigin, what: string, ends: readonly StreamEnd[]): Promise<boolean> {
    if (!ends.includes('may-have-more')) return true
    const note = `The last page of ${what} was full and did not say that it is the last, so ${what} that are not listed are not marked as gone.`
    // Nothing can be done about it, so it is said once, not after each sync.
    if (!(await wasNoted(this.#options.database, origin, note))) this.#notes.push(note)
    return false
  }

  /**
   * `MeetingRoom` is published (services.md#B34), `Personal` observed (services.md#B22): if the service
   * refuses either value, one unfiltered stream is used.
   */
  async #filtered(
    work: StreamWork,
    streams: ReadonlyMap<StreamName, StreamPosition>,
  ): Promise<readonly StreamEnd[]> {
    const other = new AbortController()
    const both: StreamWork = { ...work, signal: AbortSignal.any([work.signal, other.signal]) }
    const names = ['devices:MeetingRoom', 'devices:Personal'] as const
    let refused: string | null = null
    const outcomes = await Promise.allSettled(
      names.map((name) => {
        const { reading, pages } = this.#inTurn(both, (stream) =>
          fetchStream(stream, name, streams.get(name)),
        )
        return reading.catch((error: unknown) => {
          if (failedWith(error, 'refused') && error.failure.status === 400) {
            const type = name.slice('devices:'.length)
            // A refusal of the first page concerns the client type; a later one concerns the continuation
            // token.
            if (pages() > 0)
              this.#notes.push(
                `The service refused a later page of the client type ${type}. The records read before it are kept.`,
              )
            else {
              refused ??= type
              other.abort()
            }
          }
          throw error
        })
      }),
    )
    const failures = outcomes.flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    )
    if (failures.length === 0)
      return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    // A bug or a full disk is never treated as a refusal.
    const serious = failures.find((error) => !isRefusal(error) && !isCancelled(error))
    if (refused === null || serious !== undefined || work.signal.aborted) throw serious ?? failures[0]
    await work.database.perform(deleteStreams, { origin: work.origin, streams: names })
    const all = await fetchStream(work, 'devices:all', undefined)
    this.#notes.push(
      `The service refused the client type ${String(refused)}, so all devices were read without this filter.`,
    )
    return [all]
  }

  /** Returns the failure of a list that is not offered: it is published, but no known client uses it. */
  async #roomList(
    work: StreamWork,
    streams: ReadonlyMap<StreamName, StreamPosition>,
  ): Promise<StreamEnd | Failed> {
    const { reading, pages } = this.#inTurn(work, (its) => fetchStream(its, 'rooms', streams.get('rooms')))
    try {
      return await reading
    } catch (error) {
      if (pages() > 0 || !isRefusal(error) || !isNotOffered(error)) throw error
      return error
    }
  }

  async #rooms(work: StreamWork, list: StreamEnd | Failed): Promise<EndedKind> {
    const isListed = !(list instanceof Failed)
    if (isListed) await mustBeWhole(work, 'room')
    const { skipped, unread, found, noRoom } = await (isListed
      ? lookUpStrays(work)
      : lookUpEveryRoom(work, list))
    if (work.signal.aborted) throw new Failed({ kind: 'cancelled' })
    if (!isListed)
      this.#notes.push('The service does not list rooms, so each room was read by a group ID of its devices.')
    if (skipped > 0)
      this.#notes.push(
        `${skipped} ${skipped === 1 ? 'room' : 'rooms'} could not be read this time. Their earlier data is kept.`,
      )
    return {
      kind: 'room',
      mayMarkGone: !isListed || (await this.#mayMarkGone(work.origin, 'rooms', [list])),
      except: unread,
      foundAlone: found,
      noRoom,
    }
  }
}

/** null: there are none. */
function twinsText(kind: RecordKind, ids: readonly string[]): string | null {
  const [example] = ids
  if (example === undefined) return null
  return `${ids.length === 1 ? `Two ${kind}s have` : `${ids.length} pairs of ${kind}s have`} IDs that differ only in case, such as ${example}. Each is kept as a ${kind} of its own.`
}

const heldCounts = ({ counts: { devices, rooms } }: Held): NonNullable<SyncReport['held']> => ({
  devices: devices.known - devices.listed,
  rooms: rooms.known - rooms.listed,
})

/**
 * Throws the Failed of an empty list that may be part of something else, and of pages that contradict
 * themselves.
 */
async function mustBeWhole(
  { emptyLists, contradictions, database, origin }: StreamWork,
  kind: RecordKind,
): Promise<void> {
  for (const emptyList of emptyLists.get(kind) ?? []) {
    const failed = emptyList()
    if (failed !== null) throw failed
  }
  const { read, unreadable } = await counts(database, origin, kind)
  const contradicted = contradictions.of(kind, read + unreadable)
  if (contradicted !== null) throw contradicted
}

/** The gateway returns 404 for an unknown path or method (services.md#B19). */
function isNotOffered(error: Failed): boolean {
  return (
    isKind(error.failure, 'not-found') ||
    (isKind(error.failure, 'refused') && [400, 404, 405, 501].includes(error.failure.status))
  )
}
