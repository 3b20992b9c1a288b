import type { Cancel, Clock, Log } from '../../../electron/core/platform.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import {
  openJournal,
  type Journal,
  type JournalBegin,
  type JournalEnd,
} from '../../../electron/core/journal/journal.ts'
import type { Workbook } from '../../../electron/core/storage/workbook.ts'
import { openUnconfirmedWrites } from '../../../electron/core/writes/unconfirmed-writes.ts'
import {
  openWrites,
  openWriteSlots,
  type PlannedWrite,
  type Writes,
  type WritesOptions,
} from '../../../electron/core/writes/writes.ts'

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
  after(afterInMs: number, fire: () => void): Cancel {
    return this.#clock.after(afterInMs, () => {
      if (!this.killed) fire()
    })
  }
}

/** The journal as lists; `fail` makes its next line fail as on a full disk. */
class FakeJournal implements Journal {
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
  referenced = async () => null
  endLeftOpen = async () => undefined
  foundLeftOpen = async () => []
  lastWrites = async () => []
  begunAgo = async () => []
  onChange = () => () => undefined
}

export interface AProgram {
  /** Sets why no line can be stored from now on; null: it can. */
  storageProblem: Failure | null
  readonly writes: Writes
  readonly journal: FakeJournal
  readonly clock: ProgramClock
  readonly lines: string[]
}

/** The writes of a program that has just started, without earlier ones. */
export function aProgram(
  clock: Clock,
  journal = new FakeJournal(),
  more: Pick<WritesOptions, 'mayUnlock' | 'policy'> = {},
): AProgram {
  const own = new ProgramClock(clock)
  const lines: string[] = []
  const log: Log = { write: (level, message) => void lines.push(`${level} ${message}`) }
  const program: AProgram = {
    storageProblem: null,
    writes: openWrites({
      clock: own,
      log,
      slots: openWriteSlots(own),
      journal,
      storageProblem: () => program.storageProblem,
      organization: { id: 'org', name: 'Nordlys' },
      ...more,
    }),
    journal,
    clock: own,
    lines,
  }
  return program
}

/** The writes of the next program over the journal of a workbook. */
export async function nextProgram(
  clock: Clock,
  workbook: Pick<Workbook, 'query' | 'write'>,
): Promise<Pick<AProgram, 'writes' | 'clock'> & { readonly journal: Journal }> {
  const own = new ProgramClock(clock)
  const log: Log = { write: () => undefined }
  const storageProblem = (): null => null
  const query: Workbook['query'] = (sql, parameters) => workbook.query(sql, parameters)
  const write: Workbook['write'] = (work) => workbook.write(work)
  const journal = openJournal({ workbook: { query, write, storageProblem }, clock: own, who: 'astrid' })
  const slots = openWriteSlots(own)
  await openUnconfirmedWrites({
    workbook: { query },
    clock: own,
    journal,
    slots,
    log,
    changed: () => undefined,
  })
  const organization = { id: 'org', name: 'Nordlys' }
  return {
    writes: openWrites({ clock: own, log, slots, journal, storageProblem, organization }),
    journal,
    clock: own,
  }
}

export const aWrite = (changes: Partial<PlannedWrite> = {}): PlannedWrite => ({
  operation: 'RebootRoom',
  target: { of: 'room', id: 'room-1', name: 'Aarhus 1' },
  deviceIds: ['D1', 'D2'],
  unlock: true,
  wait: false,
  before: null,
  after: null,
  send: async (_signal, beforeDispatch) => {
    await beforeDispatch()
    return { status: 200 }
  },
  ...changes,
})
