import { Failed, noKeyToSend, type Failure } from '../../contract/failure.ts'
import type { JournalLine } from '../../contract/api/journal.ts'
import { operationNamed } from '../../contract/operations.ts'
import type { WriteLock, WriteReport } from '../../contract/api/writes.ts'
import type { Clock, Log } from '../platform.ts'
import type { Journal } from '../journal/journal.ts'
import { failedBy } from '../storage/file-failure.ts'
import { renewEveryInMs, slotKeyOf, type HeldSlots, type WriteSlots } from '../storage/write-slots.ts'
import { Lock } from './write-lock.ts'
import type { Handlers } from '../../contract/rpc-client.ts'

export { callCost } from './call-cost.ts'
export { bodyWords, isConfidential, replaceConfidential, shortened } from './write-words.ts'

/** The one door every write of an organization passes. */
export interface WriteGate {
  /** Whose it is, for the journal and for jobs; null: the operating system's user. */
  readonly who: string | null
  lock(): WriteLock
  /** `starting`: as when the quarter of an hour ends, nothing more is started, and confirmed jobs go on. Without it they are stopped too. */
  lockNow(which?: 'everything' | 'starting'): WriteLock
  /** Called inside a confirmation only. */
  unlock(): WriteLock
  /**
   * Where the lock decides about a job that is started or resumed inside a confirmation: its writes pass until it ends or everything of `holder`
   * is locked (missing: of this gate). Unlocks nothing: that follows with `unlock`, once the job stands in its file. Rejects with Failed
   * `writes-locked` or `cache-unusable`.
   */
  authorize(unlock: boolean, holder?: WriteGate): Promise<Authorization>
  /** For another gate, whose lock has decided already: for a job that goes on without the command that started it. */
  hold(actor: Actor | null): Authorization
  /**
   * Rejects with Failed `writes-locked` or `cache-unusable` (with `refusesWrite`) where a write would be refused now: for refusing before anything
   * is read for it. Asks the ledger, which another program may hold.
   */
  mustBeOpen(unlock: boolean): Promise<void>
  /**
   * Lock, slots, journal line before, the one attempt, journal line after. Rejects with Failed before anything is sent: `writes-locked`,
   * `invalid`, `cancelled` (closed while it waited), `cache-unusable` with `refusesWrite` (ledger or journal). Otherwise answers how it ended.
   */
  pass(write: PlannedWrite): Promise<WriteReport>
  /** When a write to these devices may start, wall time, ms; null: now. */
  earliest(deviceIds: readonly string[]): Promise<number | null>
  /** The same for many writes at once. */
  earliestEach(writes: readonly (readonly string[])[]): Promise<readonly (number | null)[]>
  /** The lock changed. Returns the function that ends it. */
  onChange(listener: () => void): () => void
  /** Locks, ends those who wait, and gives writes under way a few seconds before their answer is given up. */
  close(): Promise<void>
}

/** Behaviour, section 1: unlocking authorizes starting; a confirmed job goes on when it is over. */
export interface Authorization {
  /** Fires when everything is locked, and when it is given back. */
  readonly signal: AbortSignal
  /** Whose gate gave it. */
  readonly actor: Actor | null
  /** The job ended. */
  giveBack(): void
}

/** A command of the command line: its writes pass a gate of its own, whose lock is not the window's. */
export interface Actor {
  /** Stands in the journal in place of the user alone. */
  readonly who: string
  /** A write of it is about to be sent. */
  readonly sending: () => void
}

export interface PlannedWrite {
  /** Its name in contract/operations.ts. */
  readonly operation: string
  readonly target: JournalLine['target']
  /** Whose slots it takes: all at once or none. */
  readonly deviceIds: readonly string[]
  /** Asked again after every wait, for by then they may be others. */
  readonly deviceIdsAgain?: () => Promise<readonly string[]>
  readonly unlock: boolean
  /** In the place of the lock: passes while it holds, and begins no quarter of an hour anew. */
  readonly authorization?: Authorization
  /** Ends it with `cancelled` as long as nothing was sent; what is on its way is not cut off. */
  readonly signal?: AbortSignal
  /** Stands in the journal's line. A second write with the same one is never sent: Failed `invalid`, field `reference`. */
  readonly reference?: string
  /** False: answer `waiting` at once where the slots are not free. */
  readonly wait: boolean
  readonly before: string | null
  readonly after: string | null
  /**
   * The one attempt, through the service client with `writes: true` and both of these: the signal fires too when writes are locked
   * before the attempt began; `beforeDispatch` is called right before it and throws Failed `writes-locked` then.
   */
  readonly send: (
    signal: AbortSignal | null,
    beforeDispatch?: () => void,
  ) => Promise<{ readonly status: number }>
}

export interface WriteGateOptions {
  readonly clock: Clock
  readonly log: Log
  /** Shared by all organizations: a device is a device. */
  readonly slots: WriteSlots
  readonly journal: Journal
  /** Why no journal line or no slot can be kept on the disk; null: both can. */
  readonly unkept: () => Failure | null
  readonly organization: { readonly id: string; readonly name: string }
  /** Missing: the window, or whoever works with the core itself. */
  readonly actor?: Actor | null
}

/** A write under way may end before its time-out: looked for this often while waiting. Chosen. */
const lookAgainInMs = 2_000
/** What a write under way is given when the program ends. Chosen. */
const closeWaitsInMs = 5_000

/** Failures after which surely nothing arrived: the minute of the devices does not begin. */
const nothingSent: ReadonlySet<Failure['kind']> = new Set([
  'offline',
  'timed-out',
  'cancelled',
  'writes-locked',
  ...noKeyToSend,
  'too-busy',
])

/** A write that passed the lock and was not sent yet. `sent`: from here on nothing calls it off. */
interface Unsent {
  readonly signal: AbortSignal
  readonly sent: () => void
}

interface Ending {
  readonly outcome: 'accepted' | 'refused' | 'unconfirmed'
  readonly status: number | null
  readonly failure: Failure | null
}

export function openWriteGate({
  clock,
  log,
  slots,
  journal,
  unkept,
  organization,
  actor = null,
}: WriteGateOptions): WriteGate {
  const listeners = new Set<() => void>()
  /** Writes that passed the lock and were not sent yet: they wait for their slots, or for their place in the call budget. */
  const notSentYet = new Set<AbortController>()
  const authorizations = new Map<Authorization, AbortController>()
  const lock = new Lock(clock, () => {
    if (!lock.state().unlocked) for (const unsent of notSentYet) unsent.abort()
    for (const listener of listeners) listener()
  })
  const takeBack = (authorization: Authorization): void => {
    const held = authorizations.get(authorization)
    authorizations.delete(authorization)
    held?.abort()
  }
  const waiters = new AbortController()
  const stop = new AbortController()
  const underWay = new Set<Promise<unknown>>()

  const mustPass = ({ authorization, signal }: Pick<PlannedWrite, 'authorization' | 'signal'>): void => {
    if (signal?.aborted === true) throw new Failed({ kind: 'cancelled' })
    const may = authorization === undefined ? lock.state().unlocked : !authorization.signal.aborted
    if (!may) throw new Failed({ kind: waiters.signal.aborted ? 'cancelled' : 'writes-locked' })
  }

  /** Follows a write from the lock to the wire: its signal fires when everything is locked, its job is paused, or the program ends. */
  const untilSent = (write: PlannedWrite): Unsent => {
    const unsent = new AbortController()
    const leave = (): void => unsent.abort()
    // Locking ends what this gate was unlocked for; what a job was given ends with that.
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
  /** Throws Failed `cancelled` or `writes-locked` where its signal has fired. */
  const mustStand = (write: PlannedWrite, unsent: AbortSignal): void => {
    if (!unsent.aborted) return
    const isCancelled = write.signal?.aborted === true || waiters.signal.aborted
    throw new Failed({ kind: isCancelled ? 'cancelled' : 'writes-locked' })
  }

  const mustBeKept = (): void => {
    const failure = unkept()
    if (failure !== null) throw refusingWrite(new Failed(failure))
  }

  const mayStart = (unlock: boolean): void => {
    if (waiters.signal.aborted) throw new Failed({ kind: 'cancelled' })
    mustBeKept()
    if (!unlock) mustPass({})
  }

  /** Ends early, without an error, where the write is not to be sent any more. */
  const pause = (inMs: number, signal: AbortSignal): Promise<void> => {
    return new Promise((resolve) => {
      const leave = (): void => {
        cancel()
        resolve()
      }
      const cancel = clock.after(inMs, () => {
        signal.removeEventListener('abort', leave)
        resolve()
      })
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Waits as long as the write asks for; then answers the slots with the devices they are of, or when they will be free. */
  const slotsFor = async (
    write: PlannedWrite,
    unsent: AbortSignal,
  ): Promise<{ held: HeldSlots; deviceIds: readonly string[] } | { held: null; earliestAt: number }> => {
    let deviceIds = devicesOf(write.deviceIds)
    for (let waited = false; ; waited = true) {
      const again = waited ? write.deviceIdsAgain : undefined
      // Asked again only when they seem free, for it costs calls; then always, however long or short the wait was.
      let freeInMs = again === undefined ? 0 : await slots.freeInMs(deviceIds)
      if (freeInMs === 0) {
        if (again !== undefined) deviceIds = devicesOf(await again())
        const taking = await slots.take(deviceIds)
        if (taking.held !== null) return { held: taking.held, deviceIds }
        if (!write.wait) return { held: null, earliestAt: clock.now() + taking.freeInMs }
        freeInMs = taking.freeInMs
      }
      await pause(Math.min(freeInMs, lookAgainInMs), unsent)
      mustStand(write, unsent)
    }
  }

  /** Keeps the slots as long as the attempt lasts; gives the attempt up should they be lost, or the program end. */
  const attempt = async (
    write: PlannedWrite,
    held: HeldSlots,
    { signal: unsent, sent }: Unsent,
  ): Promise<Ending> => {
    const lost = new AbortController()
    let over = false
    let cancel = (): void => undefined
    const renewLater = (): void => {
      cancel = clock.after(renewEveryInMs, () => {
        void held
          .renew()
          .catch(() => false)
          .then((kept) => {
            if (over) return
            if (kept) renewLater()
            else lost.abort()
          })
      })
    }
    renewLater()
    try {
      mustStand(write, unsent)
      const { status } = await write.send(AbortSignal.any([lost.signal, stop.signal, unsent]), () => {
        // The second place where the lock decides: nothing was handed to the wire yet. It may have waited long, and the files be gone.
        mustPass(write)
        mustBeKept()
        // From here on it may happen: locking does not undo it, and cutting it off would only hide how it ends.
        sent()
        ;(write.authorization?.actor ?? actor)?.sending()
      })
      return { outcome: 'accepted', status, failure: null }
    } catch (error) {
      const ending = endingOf(error, write.operation, log)
      const byTheLock =
        ending.failure?.kind === 'cancelled' &&
        unsent.aborted &&
        !waiters.signal.aborted &&
        write.signal?.aborted !== true
      return byTheLock ? { ...ending, failure: { kind: 'writes-locked' } } : ending
    } finally {
      over = true
      cancel()
    }
  }

  const freed = async (held: HeldSlots, { failure, outcome }: Ending): Promise<void> => {
    if (failure !== null && nothingSent.has(failure.kind)) return held.giveBack()
    // Given up by us before its time-out: the service may still be at it, so its slots stay taken until then.
    if (outcome === 'unconfirmed' && stop.signal.aborted) return
    return held.end()
  }

  /** From here on the write is told of, whatever happens. */
  const sendAndNote = async (
    write: PlannedWrite,
    held: HeldSlots,
    deviceIds: readonly string[],
    unsent: Unsent,
  ): Promise<WriteReport> => {
    const { operation, target, before, after, reference = null } = write
    let journalId: number
    try {
      journalId = await journal.begin({
        writeId: held.writeId,
        organization,
        operation,
        target,
        deviceIds,
        before,
        after,
        reference,
        who: (write.authorization?.actor ?? actor)?.who ?? null,
      })
    } catch (error) {
      await held.giveBack().catch(() => undefined)
      throw error
    }
    const ending = await attempt(write, held, unsent)
    const { outcome, status, failure } = ending
    // Before the slots are given back: a line that is open and whose slots are free has lost its program (journal.endLeftOpen).
    await journal
      .end(journalId, { outcome, status, message: failure === null ? null : messageOf(failure) })
      .catch((error: unknown) =>
        log.write('error', 'The end of a write could not be noted in the journal', {
          operation,
          outcome,
          error: String(error),
        }),
      )
    await freed(held, ending).catch((error: unknown) =>
      log.write('error', 'The end of a write could not be noted in the ledger: its devices wait longer', {
        operation,
        error: String(error),
      }),
    )
    return { outcome, failure, earliestAt: null, journalId }
  }

  const passOnce = async (write: PlannedWrite): Promise<WriteReport> => {
    if (operationNamed(write.operation)?.writes !== true)
      throw new Failed({
        kind: 'invalid',
        field: 'operation',
        message: `${write.operation} is not an operation that writes.`,
      })
    devicesOf(write.deviceIds)
    mustBeKept()
    if (waiters.signal.aborted) throw new Failed({ kind: 'cancelled' })
    // The first place where the lock decides: nothing was taken yet.
    if (write.authorization !== undefined || write.signal?.aborted === true) mustPass(write)
    else {
      mayStart(write.unlock)
      // Starting a write is the activity that keeps the lock open; a job that goes on is none.
      lock.unlock()
    }
    const unsent = untilSent(write)
    try {
      const taken = await told(slotsFor(write, unsent.signal))
      if (taken.held === null)
        return { outcome: 'waiting', failure: null, earliestAt: taken.earliestAt, journalId: null }
      try {
        mustStand(write, unsent.signal)
      } catch (error) {
        await told(taken.held.giveBack())
        throw error
      }
      return await sendAndNote(write, taken.held, taken.deviceIds, unsent)
    } finally {
      unsent.sent()
    }
  }

  const hold = (of: Actor | null): Authorization => {
    const held = new AbortController()
    const authorization: Authorization = {
      signal: held.signal,
      actor: of,
      giveBack: () => takeBack(authorization),
    }
    authorizations.set(authorization, held)
    return authorization
  }

  return {
    who: actor?.who ?? null,
    lock: () => lock.state(),
    lockNow(which = 'everything') {
      const locked = lock.lock()
      if (which === 'everything')
        for (const authorization of [...authorizations.keys()]) takeBack(authorization)
      return locked
    },
    unlock: () => lock.unlock(),
    async authorize(unlock, holder) {
      await told(slots.freeInMs([]))
      mayStart(unlock)
      // Starting is the activity that keeps the lock open.
      if (lock.state().unlocked) lock.unlock()
      return holder === undefined ? hold(actor) : holder.hold(actor)
    },
    hold,
    async mustBeOpen(unlock) {
      mayStart(unlock)
      await told(slots.freeInMs([]))
    },
    async pass(write) {
      const work = passOnce(write)
      underWay.add(work)
      try {
        return await work
      } catch (error) {
        throw refusingWrite(error)
      } finally {
        underWay.delete(work)
      }
    },
    async earliest(deviceIds) {
      const wait = await told(slots.freeInMs(deviceIds))
      return wait === 0 ? null : clock.now() + wait
    },
    async earliestEach(writes) {
      const waits = await told(slots.freeInMsEach(writes))
      return waits.map((wait) => (wait === 0 ? null : clock.now() + wait))
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      lock.lock()
      listeners.clear()
      waiters.abort()
      for (const authorization of [...authorizations.keys()]) takeBack(authorization)
      if (underWay.size === 0) return
      const cancel = clock.after(closeWaitsInMs, () => stop.abort())
      await Promise.allSettled(underWay)
      cancel()
    },
  }
}

function devicesOf(deviceIds: readonly string[]): readonly string[] {
  const ids = [...new Set(deviceIds)].filter((id) => slotKeyOf(id) !== '')
  // Behaviour, section 2: a room whose members are unknown is refused.
  if (ids.length === 0)
    throw new Failed({
      kind: 'invalid',
      field: 'devices',
      message: 'It is not known which devices this would change.',
    })
  return ids
}

/** The ledger's trouble as what a technician may know. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw refusingWrite(failedBy(error))
  }
}

/** What is thrown before anything is sent: a file that cannot be used is told as the reason why nothing was. */
const refusingWrite = (error: unknown): unknown =>
  error instanceof Failed && error.failure.kind === 'cache-unusable'
    ? new Failed({ ...error.failure, refusesWrite: true })
    : error

function endingOf(error: unknown, operation: string, log: Log): Ending {
  if (!(error instanceof Failed)) {
    log.write('error', 'A write ended unexpectedly', { operation, error: String(error) })
    const message = 'The program made a mistake while it was sent.'
    return {
      outcome: 'unconfirmed',
      status: null,
      failure: { kind: 'unconfirmed', call: { operation, host: 'management interface' }, message },
    }
  }
  const { failure } = error
  if (failure.kind === 'unconfirmed')
    return { outcome: 'unconfirmed', status: failure.status ?? null, failure }
  const status = failure.kind === 'refused' ? failure.status : (statusOf[failure.kind] ?? null)
  return { outcome: 'refused', status, failure }
}

/** Failures that stand for one status (service-client). */
const statusOf: Partial<Record<Failure['kind'], number>> = {
  'not-found': 404,
  'key-refused': 401,
  'rate-limited': 429,
}

function messageOf(failure: Failure): string {
  if ('message' in failure && failure.message !== null && failure.message !== '')
    return `${failure.kind}: ${failure.message}`
  if (failure.kind === 'not-found') return `${failure.kind}: ${failure.what}`
  return failure.kind
}

export const writeHandlers = (session: () => Promise<{ readonly gate: WriteGate }>): Handlers<'writes'> => ({
  lock: async () => (await session()).gate.lock(),
  lockNow: async () => (await session()).gate.lockNow(),
})
