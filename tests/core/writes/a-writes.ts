import type { Cancel, Clock, Database, Log } from '../../../electron/core/platform.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { Journal, JournalBegin, JournalEnd } from '../../../electron/core/journal/journal.ts'
import { openWriteSlots } from '../../../electron/core/storage/write-slots.ts'
import { openWrites, type PlannedWrite, type Writes } from '../../../electron/core/writes/writes.ts'

/** The clock of one program: no timer fires after the program was killed. */
export class ProgramClock implements Clock {
  killed = false
  readonly #clock: Clock
  constructor(clock: Clock) {
    this.#clock = clock
  }
  now(): number {
    return this.#clock.now()
  }
  monotonic(): number {
    return this.#clock.monotonic()
  }
  uptime(): number {
    return this.#clock.uptime()
  }
  get boot(): string | null {
    return this.#clock.boot
  }
  after(afterInMs: number, fire: () => void): Cancel {
    return this.#clock.after(afterInMs, () => {
      if (!this.killed) fire()
    })
  }
}

/** The journal as lists; `fail` makes its next line fail as on a full disk. */
export class FakeJournal implements Journal {
  readonly begun: JournalBegin[] = []
  readonly ended: { readonly id: number; readonly entry: JournalEnd }[] = []
  fail: (() => Error) | null = null
  async begin(entry: JournalBegin): Promise<number> {
    if (this.fail) throw this.fail()
    return this.begun.push(entry)
  }
  async end(id: number, entry: JournalEnd): Promise<void> {
    if (this.fail) throw this.fail()
    this.ended.push({ id, entry })
  }
  list = async () => ({ lines: [], total: 0 })
  all = async () => ({ total: 0, batches: [] as unknown as AsyncIterable<never> })
  endLeftOpen = async () => undefined
  foundLeftOpen = async () => []
  lastWrites = async () => []
  onChange = () => () => undefined
}

export interface AProgram {
  /** Sets why no line or no slot can be stored from now on; null: both can. */
  storageProblem: Failure | null
  readonly writes: Writes
  readonly journal: FakeJournal
  readonly clock: ProgramClock
  readonly lines: string[]
}

let ids = 0

/** The writes of a program over a ledger that others may share. */
export function aProgram(clock: Clock, database: Database): AProgram {
  const own = new ProgramClock(clock)
  const journal = new FakeJournal()
  const lines: string[] = []
  const log: Log = { write: (level, message) => void lines.push(`${level} ${message}`) }
  const slots = openWriteSlots({ database, clock: own, newId: () => `write-${++ids}` })
  const program: AProgram = {
    storageProblem: null,
    writes: openWrites({
      clock: own,
      log,
      slots,
      journal,
      storageProblem: () => program.storageProblem,
      organization: { id: 'org', name: 'Nordlys' },
    }),
    journal,
    clock: own,
    lines,
  }
  return program
}

export const aWrite = (changes: Partial<PlannedWrite> = {}): PlannedWrite => ({
  operation: 'RebootRoom',
  target: { of: 'room', id: 'room-1', name: 'Aarhus 1' },
  deviceIds: ['D1', 'D2'],
  unlock: true,
  wait: false,
  before: null,
  after: null,
  send: async () => ({ status: 200 }),
  ...changes,
})
