import type { HistoryState } from '../../contract/api/budget.ts'
import { Failed, failedWith } from '../../contract/failure.ts'
import type { Cancel, Clock, Transaction } from '../platform.ts'
import { lostHistoryAt } from '../storage/lost-history.ts'
import type { Workbook } from '../storage/workbook.ts'
import type { CallLimits, Hold } from './limits.ts'

/** Where the calls of a subscription are stored, by its random id, which does not reveal its key. */
export interface StoredCalls {
  readonly workbook: Pick<Workbook, 'query' | 'write'>
  readonly scope: string
}

/** What earlier runs left. */
export interface Recalled {
  /** Age of each call, in ms, oldest first. */
  readonly ages: readonly number[]
  /** Remaining pause in ms; 0: not paused. */
  readonly pausedForInMs: number
  readonly held: Hold | null
}

export type Wait = 'pause' | 'hold'

/**
 * Measured with 120 runs that were killed within their first second: once a second, 633 calls beyond the long
 * window; four times, none. Raise it if the transactions cost time.
 */
const saveEveryInMs = 250
/**
 * Rows that are further behind leave half of both limits to the next run. A run without an end is assumed to
 * have used this time in full after its last row.
 */
const behindInMs = 2_000
/**
 * Assumed calls are at least this old, so that they count in the long window only: nobody waits for a call
 * that perhaps was never made. As long as `Windows` takes for idle.
 */
const assumedBeforeInMs = 2_001

/**
 * What is assumed fills this share of the long window at most, however many short runs add up: by itself it
 * never delays the first 4,000 of 9,500 calls.
 */
const assumedShare = 0.57

interface Second {
  calls: number
  /** Calls that nobody counted but that may have been made. */
  assumed: number
}

/**
 * The calls of one subscription by seconds of the wall clock, stored soon after they were made. Before the first call of a
 * run its opening is stored; at its end, that it ended.
 */
export class SavedHistory {
  readonly #stored: StoredCalls | null
  readonly #clock: Clock
  readonly #limits: CallLimits
  readonly #changed: () => void
  readonly #seconds = new Map<number, Second>()
  readonly #unsavedSeconds = new Set<number>()
  readonly #unsavedWaits = new Map<Wait, Hold | null>()
  #isOpen = false
  /** Since when something is not stored. */
  #unsaved: { readonly monotonic: number; readonly wall: number } | null = null
  #reason: HistoryState['reason'] = null
  #saving: Promise<void> | null = null
  #timer: Cancel | null = null
  #isClosed = false

  /** `changed`: more calls may start, or the display must be updated. */
  constructor(stored: StoredCalls | null, clock: Clock, limits: CallLimits, changed: () => void) {
    this.#stored = stored
    this.#clock = clock
    this.#limits = limits
    this.#changed = changed
  }

  /** Not null while rows are too far behind. */
  get trouble(): HistoryState | null {
    return this.#unsaved !== null && this.#clock.monotonic() - this.#unsaved.monotonic > behindInMs
      ? { reason: this.#reason, since: this.#unsaved.wall }
      : null
  }

  /** Whether a call may start: not before the opening is stored, which is tried as long as rows may be behind. */
  get isReady(): boolean {
    return this.#stored === null || this.#isOpen || this.trouble !== null
  }

  open(): void {
    this.#happened()
    void this.#save()
  }

  async recall(): Promise<Recalled> {
    const waits = new Map<unknown, Hold>()
    if (this.#stored !== null)
      try {
        for (const [kind, wait] of await this.#load(this.#stored)) waits.set(kind, wait)
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        this.#assumeHalf(this.#now())
      }
    return {
      ages: this.#ages(),
      pausedForInMs: waits.get('pause')?.forInMs ?? 0,
      held: waits.get('hold') ?? null,
    }
  }

  /** A call starts; returns its second. */
  started(): number {
    const now = this.#now()
    if (this.#stored !== null) {
      this.#at(now).calls++
      this.#happened()
    }
    return now
  }

  /** The call that was counted in this second happens only now; returns its second. */
  moved(second: number): number {
    if ((this.#seconds.get(second)?.calls ?? 0) > 0) this.#at(second).calls--
    return this.started()
  }

  /** null: lifted. */
  wait(kind: Wait, until: Hold | null): void {
    if (this.#stored === null) return
    this.#unsavedWaits.set(kind, until)
    this.#happened()
    // Also while something else is being saved: a kill must not lose it.
    void this.#saveAll(this.#stored).then(this.#changed)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.()
    await this.#saving
    if (this.#isOpen || this.#unsaved !== null) await this.#save()
  }

  async #load({ workbook, scope }: StoredCalls): Promise<readonly [unknown, Hold][]> {
    const [rows, [run], waits, lostAt] = await Promise.all([
      workbook.query('SELECT second, calls, assumed FROM call_second WHERE scope = ?', [scope]),
      workbook.query('SELECT opened, ended FROM call_run WHERE scope = ?', [scope]),
      workbook.query('SELECT kind, until_at, length_in_ms FROM call_wait WHERE scope = ?', [scope]),
      lostHistoryAt(workbook),
    ])
    const now = this.#now()
    for (const { second, calls, assumed } of rows)
      this.#seconds.set(Number(second), { calls: Number(calls), assumed: Number(assumed) })
    this.#tidy(now)
    if (run !== undefined && run['ended'] === 0) {
      const last = Math.min(now, Math.max(Number(run['opened']), ...this.#seconds.keys()))
      for (let after = 1; after <= behindInMs / 1_000; after++)
        this.#at(Math.min(last + after, now)).assumed += this.#limits.perSecond
    }
    if (lostAt !== null) this.#assumeHalf(Math.min(now, Math.floor(lostAt / 1_000)))
    this.#tidy(now)
    return waits.flatMap(({ kind, until_at: untilAt, length_in_ms: length }): [unknown, Hold][] => {
      const forInMs = Math.min(Number(untilAt) - this.#clock.now(), Number(length))
      return forInMs > 0 ? [[kind, { forInMs, untilAt: this.#clock.now() + forInMs }]] : []
    })
  }

  #ages(): readonly number[] {
    const now = this.#clock.now()
    const newestFirst = [...this.#seconds].sort(([a], [b]) => b - a)
    let room = Math.floor(this.#limits.perWindow * assumedShare)
    const ages = newestFirst.flatMap(([second, { calls, assumed }]) => {
      // Within its second the call may have been as late as at its end.
      const age = Math.max(0, now - (second * 1_000 + 999))
      const counted = Math.min(assumed, room)
      room -= counted
      return [
        ...Array<number>(calls).fill(age),
        ...Array<number>(counted).fill(Math.max(age, assumedBeforeInMs)),
      ]
    })
    return ages.sort((a, b) => b - a)
  }

  /**
   * Forgets seconds that no longer count. Those in the future, because the clock was set back, are replaced by
   * half of the long window, now.
   */
  #tidy(now: number): void {
    const oldest = this.#oldest(now)
    for (const second of this.#seconds.keys()) {
      if (second >= oldest && second <= now) continue
      this.#seconds.delete(second)
      this.#unsavedSeconds.delete(second)
      if (second > now) this.#assumeHalf(now)
    }
  }

  #assumeHalf(second: number): void {
    this.#at(second).assumed = this.#half()
  }

  #at(second: number): Second {
    const found = this.#seconds.get(second) ?? { calls: 0, assumed: 0 }
    this.#seconds.set(second, found)
    this.#unsavedSeconds.add(second)
    return found
  }

  #now = (): number => Math.floor(this.#clock.now() / 1_000)
  #half = (): number => Math.floor(this.#limits.perWindow / 2)
  #oldest = (now: number): number => now - Math.ceil(this.#limits.windowInMs / 1_000)

  #happened(): void {
    this.#unsaved ??= { monotonic: this.#clock.monotonic(), wall: this.#clock.now() }
    this.#arm()
  }

  #arm(): void {
    if (this.#isClosed || this.#timer !== null || this.#unsaved === null) return
    this.#timer = this.#clock.after(saveEveryInMs, () => {
      this.#timer = null
      void this.#save()
      this.#arm()
      this.#changed()
    })
  }

  async #save(): Promise<void> {
    const stored = this.#stored
    if (stored === null || this.#saving !== null) return
    this.#saving = this.#saveAll(stored)
    await this.#saving
    this.#saving = null
    this.#changed()
  }

  async #saveAll({ workbook, scope }: StoredCalls): Promise<void> {
    const began = { monotonic: this.#clock.monotonic(), wall: this.#clock.now() }
    const now = this.#now()
    this.#tidy(now)
    const seconds = [...this.#unsavedSeconds].map((second) => ({ second, ...this.#at(second) }))
    const waits = [...this.#unsavedWaits]
    this.#unsavedSeconds.clear()
    this.#unsavedWaits.clear()
    const work = (transaction: Transaction): void => {
      for (const { second, calls, assumed } of seconds)
        transaction.run(
          'INSERT OR REPLACE INTO call_second (scope, second, calls, assumed) VALUES (?, ?, ?, ?)',
          [scope, second, calls, assumed],
        )
      transaction.run('DELETE FROM call_second WHERE scope = ? AND (second < ? OR second > ?)', [
        scope,
        this.#oldest(now),
        now,
      ])
      for (const [kind, wait] of waits)
        if (wait === null)
          transaction.run('DELETE FROM call_wait WHERE scope = ? AND kind = ?', [scope, kind])
        else
          transaction.run(
            'INSERT OR REPLACE INTO call_wait (scope, kind, until_at, length_in_ms) VALUES (?, ?, ?, ?)',
            [scope, kind, Math.ceil(wait.untilAt), Math.ceil(wait.forInMs)],
          )
      if (!this.#isOpen || this.#isClosed)
        transaction.run('INSERT OR REPLACE INTO call_run (scope, opened, ended) VALUES (?, ?, ?)', [
          scope,
          now,
          this.#isClosed ? 1 : 0,
        ])
    }
    try {
      await workbook.write(work)
      this.#isOpen = true
      this.#reason = null
      this.#unsaved = this.#unsavedSeconds.size + this.#unsavedWaits.size > 0 ? began : null
    } catch (error) {
      this.#unsaved ??= began
      for (const { second } of seconds) this.#unsavedSeconds.add(second)
      for (const [kind, wait] of waits) if (!this.#unsavedWaits.has(kind)) this.#unsavedWaits.set(kind, wait)
      this.#reason = failedWith(error, 'cache-unusable') ? error.failure.reason : 'unknown'
    }
  }
}
