import { Failed, failedWith, isKind, type Failure } from '../../contract/failure.ts'
import type { JournalLine } from '../../contract/api/journal.ts'
import type { JobWork } from '../../contract/api/jobs.ts'
import { operationNamed } from '../../contract/operations.ts'
import type { WriteLock, WriteReport } from '../../contract/api/writes.ts'
import { pause } from '../pause.ts'
import type { Clock, Log } from '../platform.ts'
import type { Journal } from '../journal/journal.ts'
import { endingOf, messageOf, wasNotSent, type Ending } from './write-ending.ts'
import { Lock, unlockedForInMs, type TakenSlots, type WriteSlots } from './lock-and-slots.ts'
import { idKey } from '../storage/record-ids.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { Listeners } from '../listeners.ts'

export { betweenWritesInMs, openWriteSlots, unlockedForInMs, type WriteSlots } from './lock-and-slots.ts'
export { bodyText, concealed, isConfidential, replaceConfidential, shortened } from './write-ending.ts'

/** What a client is about to start. */
interface StartedAction {
  /** The kind of a job, or the name of an operation. */
  readonly action: JobWork['kind'] | (string & {})
  /** Rooms or devices that it means. */
  readonly count: number
}

/**
 * Asked before a client starts an action: its word alone opens no lock. `no`: it may not. `once`: it may, and
 * the next start asks again. `yes`: a person confirmed it, so nothing is asked until the lock closes.
 */
export type MayUnlock = (
  start: StartedAction & { readonly organization: string },
) => Promise<'no' | 'once' | 'yes'>

/** Executes every write of an organization. */
export interface Writes {
  /** The actor in the journal and in jobs; null: the operating system's user. */
  readonly who: string | null
  lock(): WriteLock
  /**
   * `starting`: as after 15 minutes, nothing more can be started, but confirmed jobs continue. Without
   * `starting` they are stopped too.
   */
  lockNow(which?: 'everything' | 'starting'): WriteLock
  /** The administrator's policy changed: what it forbids ends now. */
  followPolicy(): void
  /** Called only inside a confirmation. */
  unlock(): WriteLock
  /**
   * The lock check for a job that is started or resumed inside a confirmation. Its writes are allowed until
   * it ends or `holder` is locked completely (missing: these writes are). Unlocks nothing: call `unlock` once
   * the job is stored. Rejects with Failed `writes-locked` or `cache-unusable`.
   */
  authorize(unlock: boolean, start: StartedAction, holder?: Writes): Promise<Authorization>
  /**
   * An authorization for writes of another holder whose lock was already checked: a job that continues
   * without the command that started it.
   */
  hold(who: string | null): Authorization
  /**
   * Rejects with Failed `writes-locked` or `cache-unusable` (with `refusesWrite`) if a write would be refused
   * now. Used to refuse a write before anything is read for it.
   */
  mustBeOpen(unlock: boolean): Promise<void>
  /**
   * Lock check, slots, a place in the call budget, journal line before, the one attempt, journal line after.
   * Rejects with Failed before it waits for its place: `writes-locked`, `invalid`, `cancelled` (closed while
   * it waited), `cache-unusable` with `refusesWrite`; and with `invalid` or `cache-unusable` if its line
   * cannot be written. Otherwise returns how it ended; `journalId` is null if it ended before its line.
   */
  execute(write: PlannedWrite): Promise<WriteReport>
  /** When a write to these devices may start, wall time, ms; null: now. */
  earliest(deviceIds: readonly string[]): number | null
  /** The lock changed. Returns the function that ends it. */
  onChange(listener: () => void): () => void
  /**
   * Locks, cancels waiting writes, and gives writes in flight a few seconds before their response is
   * abandoned.
   */
  close(): Promise<void>
}

/** What an administrator's policy allows. */
export interface WritePolicy {
  /** How long an unlock lasts without activity, ms. */
  readonly unlockedForInMs: () => number
  /** Why so many writes may not begin now; null: they may. */
  readonly refusal: (count: number) => Failure | null
  /** A write begins. */
  readonly begins: () => void
}

const withoutPolicy: WritePolicy = {
  unlockedForInMs: () => unlockedForInMs,
  refusal: () => null,
  begins: () => undefined,
}

/** Unlocking authorizes starting; a confirmed job continues after the lock returns. */
export interface Authorization {
  /** Fires when everything is locked (`reason` `policy`: by a policy), and when `done` is called. */
  readonly signal: AbortSignal
  /** As of the writes that issued it. */
  readonly who: string | null
  /** Ends the authorization, because the job ended. */
  giveBack(): void
}

/** Wall times, ms. */
export interface SendingWindow {
  isOpen(at: number): boolean
  /** The first moment from `at` on when it is open. */
  opensAt(at: number): number
}

export interface PlannedWrite {
  /** Its name in contract/operations.ts. */
  readonly operation: string
  readonly target: JournalLine['target']
  /** The devices whose slots it takes: all at once or none. */
  readonly deviceIds: readonly string[]
  /** Called again after every wait, because the devices may have changed. */
  readonly deviceIdsAgain?: () => Promise<readonly string[]>
  /** Called once after a wait, when it has its slots: what is sent then. Its Failed ends the write. */
  readonly again?: () => Promise<Pick<PlannedWrite, 'before' | 'after' | 'send'>>
  readonly unlock: boolean
  /** Replaces the lock check; does not extend the 15-minute unlock. */
  readonly authorization?: Authorization
  /** Ends it with `cancelled` while nothing was sent; a write in flight is not interrupted. */
  readonly signal?: AbortSignal
  /**
   * Stored in the journal line. A second write with the same reference is never sent: Failed `invalid`, field
   * `reference`. null or missing: none.
   */
  readonly reference?: string | null
  /** False: return `waiting` at once if the slots are not free. */
  readonly wait: boolean
  /** Outside it nothing is sent: returns `waiting` until it opens. null or missing: at any time. */
  readonly window?: SendingWindow | null
  readonly before: string | null
  readonly after: string | null
  /**
   * The one attempt, through the service client with `writes: true` and both of these: the signal also fires
   * when writes are locked before the attempt began; `beforeDispatch` is awaited immediately before it, writes
   * the journal line, and rejects if the write may not be sent.
   */
  readonly send: (
    signal: AbortSignal | null,
    beforeDispatch: () => Promise<void>,
  ) => Promise<{ readonly status: number }>
}

export interface WritesOptions {
  readonly clock: Clock
  readonly log: Log
  readonly slots: WriteSlots
  readonly journal: Journal
  /** Why no journal line can be stored on the disk; null: it can. */
  readonly storageProblem: () => Failure | null
  readonly organization: { readonly id: string; readonly name: string }
  /** As `Writes.who`. */
  readonly who?: string | null
  /** Missing: for a client whose word suffices. */
  readonly mayUnlock?: MayUnlock
  /** Missing: none, in tests. */
  readonly policy?: WritePolicy
}

/**
 * Interval of checks while waiting, because a write in flight may end before its timeout. Raise it if checks
 * cost time.
 */
const lookAgainInMs = 2_000
/** Interval of trying to save an outcome that the file did not take. Raise it if a full disk is busy with it. */
const endAgainInMs = 10_000
/** Time for a write in flight when the program ends. Raise it if responses are often lost. */
const closeWaitsInMs = 5_000

/** A write that passed the lock check and was not sent yet. `sent`: from then on it cannot be cancelled. */
interface Unsent {
  readonly signal: AbortSignal
  readonly sent: () => void
}

export function openWrites(options: WritesOptions): Writes {
  const { clock, log, slots, journal, storageProblem, organization, who = null } = options
  const { mayUnlock = async () => 'yes', policy = withoutPolicy } = options
  const listeners = new Listeners()
  /**
   * Writes that passed the lock check and were not sent yet: they wait for their slots, or for permission of
   * the call budget.
   */
  const notSentYet = new Set<AbortController>()
  const authorizations = new Map<Authorization, AbortController>()
  let isConfirmed = false
  const lock = new Lock(clock, policy.unlockedForInMs, () => {
    if (!lock.state().unlocked) {
      isConfirmed = false
      for (const unsent of notSentYet) unsent.abort()
    }
    listeners.notify()
  })
  const takeBack = (authorization: Authorization, because?: 'policy'): void => {
    const controller = authorizations.get(authorization)
    authorizations.delete(authorization)
    controller?.abort(because)
  }
  const lockNow = (which: 'everything' | 'starting', because?: 'policy'): WriteLock => {
    const locked = lock.lock()
    if (which === 'everything')
      for (const authorization of [...authorizations.keys()]) takeBack(authorization, because)
    return locked
  }
  const waiters = new AbortController()
  const stop = new AbortController()
  const inFlight = new Set<Promise<unknown>>()

  const mustPass = ({ authorization, signal }: Pick<PlannedWrite, 'authorization' | 'signal'>): void => {
    if (signal?.aborted === true) throw new Failed({ kind: 'cancelled' })
    const may = authorization === undefined ? lock.state().unlocked : !authorization.signal.aborted
    if (!may) throw new Failed({ kind: waiters.signal.aborted ? 'cancelled' : 'writes-locked' })
  }

  /**
   * Follows a write from the lock check to the request: its signal fires when everything is locked, its job
   * is paused, or the program ends.
   */
  const untilSent = (write: PlannedWrite): Unsent => {
    const unsent = new AbortController()
    const leave = (): void => unsent.abort()
    // Locking ends the unlock of these writes, including the authorization of jobs.
    if (write.authorization === undefined) notSentYet.add(unsent)
    const endings = [write.signal, write.authorization?.signal, waiters.signal]
    for (const signal of endings) signal?.addEventListener('abort', leave, { once: true })
    return {
      signal: unsent.signal,
      sent: () => {
        notSentYet.delete(unsent)
        for (const signal of endings) signal?.removeEventListener('abort', leave)
      },
    }
  }
  /** Throws Failed `cancelled` or `writes-locked` if its signal has fired. */
  const mustStand = (write: PlannedWrite, unsent: AbortSignal): void => {
    if (!unsent.aborted) return
    const isCancelled = write.signal?.aborted === true || waiters.signal.aborted
    throw new Failed({ kind: isCancelled ? 'cancelled' : 'writes-locked' })
  }

  const mustBeDurable = (): void => {
    const failure = storageProblem()
    if (failure !== null) throw refusingWrite(new Failed(failure))
  }

  const mustBeWithinPolicy = (count: number): void => {
    const failure = policy.refusal(count)
    if (failure !== null) throw new Failed(failure)
  }

  const mayStart = (unlock: boolean): void => {
    if (waiters.signal.aborted) throw new Failed({ kind: 'cancelled' })
    mustBeDurable()
    if (!unlock) mustPass({})
  }

  const mustBeAllowed = async (unlock: boolean, start: StartedAction): Promise<void> => {
    mayStart(unlock)
    mustBeWithinPolicy(start.count)
    if (isConfirmed && lock.state().unlocked) return
    const answer = await mayUnlock({ ...start, organization: organization.name })
    if (answer === 'no') throw new Failed({ kind: 'writes-locked' })
    // While a person was asked it may have been locked, or the file may have gone.
    mayStart(unlock)
    isConfirmed = answer === 'yes'
  }

  /**
   * Waits for the slots if the write requests it; returns the slots with their devices, or the time when they
   * will be free.
   */
  const slotsFor = async (
    write: PlannedWrite,
    unsent: AbortSignal,
  ): Promise<
    { slots: TakenSlots; deviceIds: readonly string[]; waited: boolean } | { slots: null; earliestAt: number }
  > => {
    let deviceIds = devicesOf(write.deviceIds)
    for (let waited = false; ; waited = true) {
      const again = waited ? write.deviceIdsAgain : undefined
      // The devices are read again only when the slots seem free, because that costs calls; but then always,
      // however short the wait was.
      if (again !== undefined && slots.freeInMs(deviceIds) === 0) deviceIds = devicesOf(await again())
      const taken = slots.take(deviceIds)
      if (taken !== null) return { slots: taken, deviceIds, waited }
      const freeInMs = slots.freeInMs(deviceIds)
      if (!write.wait) return { slots: null, earliestAt: clock.now() + freeInMs }
      await pause(clock, Math.min(freeInMs, lookAgainInMs), unsent)
      mustStand(write, unsent)
    }
  }

  /** From its place in the call budget on, the write has a journal line. */
  const sendAndNote = async (
    write: PlannedWrite,
    taken: TakenSlots,
    deviceIds: readonly string[],
    { signal: unsent, sent }: Unsent,
  ): Promise<WriteReport> => {
    const { operation, target, before, after, reference = null } = write
    const by = write.authorization?.who ?? who
    const line = { id: null as number | null, begun: null as Promise<number> | null }
    let opensAt: number | null = null
    const mustBeSendable = (): void => {
      mustStand(write, unsent)
      mustPass(write)
      mustBeDurable()
    }
    const beforeDispatch = async (): Promise<void> => {
      mustBeSendable()
      // A second attempt, with another key, has the same line.
      if (line.id === null) {
        // Reads, the budget and sleep may have taken longer than the window.
        if (write.window?.isOpen(clock.now()) === false) {
          opensAt = write.window.opensAt(clock.now())
          throw new Failed({ kind: 'cancelled' })
        }
        mustBeWithinPolicy(1)
        policy.begins()
        const entry = { organization, operation, target, deviceIds, before, after, reference }
        line.begun = journal.begin({ ...entry, who: by })
        line.id = await line.begun
        // Once more, now that nothing is waited for: it may have been locked, or the file may be gone.
        mustBeSendable()
      }
      // From here on the write may be executed: locking does not undo it, and interrupting it would only hide
      // its result.
      sent()
    }
    const ending = await endingBy(write, unsent, () =>
      write.send(AbortSignal.any([stop.signal, unsent]), beforeDispatch),
    )
    const { id: journalId } = line
    if (journalId === null) {
      taken.giveBack()
      // Rejects with the reason why there is no line.
      await line.begun
      if (opensAt !== null) return { outcome: 'waiting', failure: null, earliestAt: opensAt, journalId }
      return { outcome: ending.outcome, failure: ending.failure, earliestAt: null, journalId }
    }
    const { outcome, status, failure } = ending
    const message = failure === null ? null : messageOf(failure)
    const endedAt = clock.now()
    const end = (): Promise<void> => journal.end(journalId, { outcome, status, message, endedAt })
    await end().catch((error: unknown) => void endLater(end, operation, error))
    if (wasNotSent(ending)) taken.giveBack()
    else taken.end()
    return { outcome, failure, earliestAt: null, journalId }
  }

  /** Tried until it is saved or the program ends; a line that has no end is unconfirmed at the next start. */
  const endLater = async (end: () => Promise<void>, operation: string, because: unknown): Promise<void> => {
    log.write('warn', 'The outcome of a write cannot be saved in the journal yet', {
      operation,
      error: String(because),
    })
    while (await pause(clock, endAgainInMs, waiters.signal))
      if (
        await end().then(
          () => true,
          () => false,
        )
      )
        return
  }

  const endingBy = async (
    write: PlannedWrite,
    unsent: AbortSignal,
    attempt: () => Promise<{ readonly status: number }>,
  ): Promise<Ending> => {
    try {
      const { status } = await attempt()
      return { outcome: 'accepted', status, failure: null }
    } catch (error) {
      const ending = endingOf(error, write.operation, log)
      const byTheLock =
        isKind(ending.failure, 'cancelled') &&
        unsent.aborted &&
        !waiters.signal.aborted &&
        write.signal?.aborted !== true
      return byTheLock ? { ...ending, failure: { kind: 'writes-locked' } } : ending
    }
  }

  const passOnce = async (write: PlannedWrite): Promise<WriteReport> => {
    if ((operationNamed(write.operation)?.effect ?? null) === null)
      throw Failed.invalid('operation', `${write.operation} is not an operation that writes.`)
    devicesOf(write.deviceIds)
    mustBeDurable()
    if (waiters.signal.aborted) throw new Failed({ kind: 'cancelled' })
    // The first lock check: nothing was taken yet.
    if (write.authorization !== undefined || write.signal?.aborted === true) {
      mustPass(write)
      mustBeWithinPolicy(1)
    } else {
      await mustBeAllowed(write.unlock, { action: write.operation, count: 1 })
      // Starting a write is the activity that extends the unlock; a continuing job is not.
      lock.unlock()
    }
    const unsent = untilSent(write)
    try {
      const taken = await slotsFor(write, unsent.signal)
      if (taken.slots === null)
        return { outcome: 'waiting', failure: null, earliestAt: taken.earliestAt, journalId: null }
      let now = write
      try {
        if (taken.waited && write.again !== undefined) now = { ...write, ...(await write.again()) }
        mustStand(write, unsent.signal)
      } catch (error) {
        taken.slots.giveBack()
        throw error
      }
      return await sendAndNote(now, taken.slots, taken.deviceIds, unsent)
    } finally {
      unsent.sent()
    }
  }

  const hold = (of: string | null): Authorization => {
    const controller = new AbortController()
    const authorization: Authorization = {
      signal: controller.signal,
      who: of,
      giveBack: () => takeBack(authorization),
    }
    authorizations.set(authorization, controller)
    return authorization
  }

  return {
    who,
    lock: () => lock.state(),
    lockNow: (which = 'everything') => lockNow(which),
    followPolicy() {
      lock.shorten()
      if (policy.refusal(0) !== null) lockNow('everything', 'policy')
    },
    unlock: () => lock.unlock(),
    async authorize(unlock, start, holder) {
      await mustBeAllowed(unlock, start)
      // Starting is the activity that extends the unlock.
      if (lock.state().unlocked) lock.unlock()
      return holder === undefined ? hold(who) : holder.hold(who)
    },
    hold,
    async mustBeOpen(unlock) {
      mayStart(unlock)
    },
    async execute(write) {
      const work = passOnce(write)
      inFlight.add(work)
      try {
        return await work
      } catch (error) {
        throw refusingWrite(error)
      } finally {
        inFlight.delete(work)
      }
    },
    earliest(deviceIds) {
      const wait = slots.freeInMs(deviceIds)
      return wait === 0 ? null : clock.now() + wait
    },
    onChange: listeners.add,
    async close() {
      lock.lock()
      listeners.clear()
      waiters.abort()
      for (const authorization of [...authorizations.keys()]) takeBack(authorization)
      const cancel = clock.after(closeWaitsInMs, () => stop.abort())
      await Promise.allSettled(inFlight)
      cancel()
    },
  }
}

function devicesOf(deviceIds: readonly string[]): readonly string[] {
  const ids = [...new Set(deviceIds)].filter((id) => idKey(id) !== '')
  // A room whose members are unknown is refused.
  if (ids.length === 0) throw Failed.invalid('devices', 'The devices that this would affect are not known.')
  return ids
}

/**
 * The error before anything is sent; for an unusable file with the note that nothing was sent because of it.
 */
const refusingWrite = (error: unknown): unknown =>
  failedWith(error, 'cache-unusable') ? new Failed({ ...error.failure, refusesWrite: true }) : error

export const writeHandlers = (
  session: () => Promise<{ readonly writes: Writes }>,
  journal: Pick<Journal, 'referenced'>,
): Handlers<'writes'> => ({
  lock: async () => (await session()).writes.lock(),
  lockNow: async () => (await session()).writes.lockNow(),
  begun: ({ reference }) => journal.referenced(reference),
})
