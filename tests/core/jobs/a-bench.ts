import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type {
  Job,
  JobDraft,
  JobItem,
  JobTerms,
  PlannedItem,
  SkipReason,
} from '../../../electron/contract/api/jobs.ts'
import type { BudgetState } from '../../../electron/contract/api/budget.ts'
import type { CallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import type { Log, SqlRow, SqlValue } from '../../../electron/core/platform.ts'
import type {
  ItemEnding,
  ItemToRun,
  ItemTools,
  JobWorker,
  WorkItem,
} from '../../../electron/core/jobs/job-work.ts'
import { openJobs, type Jobs } from '../../../electron/core/jobs/jobs.ts'
import { openJournal, type Journal } from '../../../electron/core/journal/journal.ts'
import type { Workbook } from '../../../electron/core/storage/workbook.ts'
import {
  openWrites,
  openWriteSlots,
  type PlannedWrite,
  type WritePolicy,
  type Writes,
} from '../../../electron/core/writes/writes.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { MemoryWorkbook } from '../storage/memory-workbook.ts'
import { ProgramClock } from '../writes/a-writes.ts'
import { storeOrganization } from '../../stored-organization.ts'

export const call = { operation: 'RebootRoom', host: 'fake' }
export const offline: Failure = { kind: 'offline', call, message: 'no network' }
export const done: Extract<ItemEnding, { kind: 'ended' }> = {
  kind: 'ended',
  outcome: 'done',
  detail: null,
  failure: null,
  journalId: null,
}

let prepared: Promise<Uint8Array> | null = null
/** A workbook with an organization: every home begins with a copy. */
async function prepare(): Promise<Uint8Array> {
  const workbook = new MemoryWorkbook()
  await workbook.write((transaction) => {
    storeOrganization(transaction, 'org')
  })
  return workbook.image()
}

/** The workbook of one home, in memory, for successive programs. */
export class AHome {
  readonly workbook
  private constructor(workbook: Uint8Array) {
    this.workbook = new MemoryWorkbook(workbook)
  }

  static async open(): Promise<AHome> {
    prepared ??= prepare()
    return new AHome(await prepared)
  }

  async close(): Promise<void> {
    await this.workbook.close()
  }

  rows(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    return this.workbook.query(sql, parameters)
  }
}

/** What happens to the write of one item each time it is sent. */
export type Sending = (
  item: ItemToRun,
  signal: AbortSignal | null,
  beforeDispatch: () => Promise<void>,
) => Promise<{ readonly status: number }>

export interface AProgramOptions {
  readonly clock?: FakeClock
  readonly worker?: Partial<JobWorker>
  /** Of every item of a plan. */
  readonly calls?: Pick<WorkItem, 'calls' | 'watchingAtMost'>
  readonly send?: Sending
  readonly journal?: (journal: Journal) => Journal
  readonly policy?: WritePolicy
}

/** The service accepts every write and returns this response. */
export const answered =
  (status: number): Sending =>
  async (_item, _signal, beforeDispatch) => {
    await beforeDispatch()
    return { status }
  }
/** The write is sent, with this result. */
export const failing =
  (failure: Failure): Sending =>
  async (_item, _signal, beforeDispatch) => {
    await beforeDispatch()
    throw new Failed(failure)
  }

let ids = 0

/** A program with jobs over the real writes, journal and slots. Its worker sends one write for each item and is done. */
export class AProgram {
  readonly clock: FakeClock
  readonly own: ProgramClock
  readonly home: AHome
  readonly writes: Writes
  /** The jobs as a command of the command line uses them. */
  readonly writesOf: (who: string) => Writes
  readonly journal: Journal
  readonly jobs: Jobs
  organizationName = 'Nordlys'
  readonly sent: string[] = []
  readonly lines: string[] = []
  readonly reported: string[] = []
  connection: 'online' | 'offline' | 'unknown' = 'unknown'
  readonly reached = new Set<() => void>()
  readonly budgetChanged = new Set<() => void>()
  #budgetOf: () => BudgetState = () => this.budget
  budget: BudgetState = {
    second: { used: 0, limit: 95 },
    fiveMinutes: { used: 0, limit: 9_500 },
    waiting: 0,
    pausedUntil: null,
    heldUntilAt: null,
    waitReason: null,
    history: null,
  }
  send: Sending

  constructor(home: AHome, options: AProgramOptions = {}) {
    this.home = home
    this.clock = options.clock ?? new FakeClock()
    this.own = new ProgramClock(this.clock)
    this.send = options.send ?? answered(200)
    const log: Log = { write: (level, message) => void this.lines.push(`${level} ${message}`) }
    const newId = (): string => `id-${++ids}`
    const workbook = this.#whileAlive(home.workbook)
    const journal = openJournal({ workbook, clock: this.own, who: 'ada' })
    this.journal = options.journal?.(journal) ?? journal
    const slots = openWriteSlots(this.own)
    const writes = {
      clock: this.own,
      log,
      slots,
      journal: this.journal,
      storageProblem: () => null,
      organization: { id: 'org', name: 'Nordlys' },
      ...(options.policy && { policy: options.policy }),
    }
    this.writes = openWrites(writes)
    this.writesOf = (who) => openWrites({ ...writes, who })
    const worker: JobWorker = { ...this.#worker(options.calls), ...options.worker }
    this.jobs = openJobs({
      organizationId: 'org',
      organizationName: () => this.organizationName,
      workbook,
      who: 'ada',
      workers: { 'reboot-rooms': worker, 'change-settings': worker, 'update-firmware': worker },
      writes: this.writes,
      budget: {
        state: () => this.#budgetOf(),
        onChange: (listener) => listened(this.budgetChanged, listener),
      },
      connection: { state: () => this.connection, onChange: (listener) => listened(this.reached, listener) },
      clock: this.own,
      newId,
      log,
      timeZone: async () => 'Europe/Copenhagen',
      zonesOf: async () => new Map(),
    })
    this.jobs.onChange((changed) => this.reported.push(...changed))
  }

  /** Makes the jobs use this budget from now on. */
  passBudget(budget: Pick<CallBudget, 'state' | 'onChange'>): void {
    this.#budgetOf = () => budget.state()
    budget.onChange(() => {
      for (const listener of this.budgetChanged) listener()
    })
  }

  /** Sends a write for an item, as a worker does. */
  pass(
    item: ItemToRun,
    tools: ItemTools,
    changes: Partial<PlannedWrite> = {},
  ): ReturnType<Writes['execute']> {
    return this.writes.execute({
      operation: 'RebootRoom',
      target: item.target,
      deviceIds: item.deviceIds,
      before: null,
      after: null,
      send: (signal, beforeDispatch) =>
        this.send(item, signal, async () => {
          await beforeDispatch()
          tools.called()
          this.sent.push(item.target.id)
        }),
      ...tools.write,
      ...changes,
    })
  }

  /** The simplest worker: one write, and the result of its report. */
  async run(item: ItemToRun, tools: ItemTools): Promise<ItemEnding> {
    let report
    try {
      report = await this.pass(item, tools)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      return endingOf(error.failure)
    }
    const { outcome, failure, journalId, earliestAt } = report
    if (outcome === 'waiting')
      return { kind: 'again', at: earliestAt, waitsFor: 'device-minute', failure: null }
    if (outcome === 'accepted') return { ...done, journalId }
    if (outcome === 'unconfirmed')
      return { kind: 'ended', outcome: 'unknown', detail: null, failure, journalId }
    return endingOf(failure ?? { kind: 'cancelled' })
  }

  #worker(calls: AProgramOptions['calls']): JobWorker {
    return {
      plan: async (work) => {
        const wanted = work.selection.kind === 'picked' ? work.selection.ids : []
        return {
          items: wanted.filter((id) => !id.startsWith('-')).map((id) => ({ ...anItem(id), ...calls })),
          skipped: wanted.filter((id) => id.startsWith('-')).map(aSkipped),
          savedCalls: null,
        }
      },
      run: (item, tools) => this.run(item, tools),
      resume: async () => done,
      check: async () => null,
    }
  }

  async start(rooms: readonly string[], terms: Partial<JobTerms> = {}): Promise<Job> {
    const plan = await this.jobs.plan(aDraft(rooms, terms))
    return this.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })
  }

  async items(id: string): Promise<readonly JobItem[]> {
    return (await this.jobs.items({ id, show: null, start: 0, count: 500 })).items
  }

  /** Advances time and lets everything settle. */
  async after(inMs: number): Promise<void> {
    await settle(2_000)
    await this.clock.advance(inMs)
    await settle(2_000)
  }

  /** The workbook until the program is killed: after that nothing is read or written. */
  #whileAlive(workbook: AHome['workbook']): Pick<Workbook, 'query' | 'write' | 'storageProblem'> {
    const never = new Promise<never>(() => undefined)
    return {
      query: (sql, parameters) => (this.own.killed ? never : workbook.query(sql, parameters)),
      write: (work) => (this.own.killed ? never : workbook.write(work)),
      storageProblem: () => null,
    }
  }

  /** Ends the program as if killed: it does nothing any more. */
  kill(): void {
    this.own.killed = true
    this.reached.clear()
    this.budgetChanged.clear()
  }

  async close(): Promise<void> {
    await Promise.all([this.jobs.close(), this.writes.close()])
  }
}

function listened(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function endingOf(failure: Failure): ItemEnding {
  const again = (
    waitsFor: Extract<ItemEnding, { kind: 'again' }>['waitsFor'],
    at: number | null = null,
  ): ItemEnding => ({
    kind: 'again',
    at,
    waitsFor,
    failure,
  })
  if (failure.kind === 'rate-limited') return again('rate-limited', failure.held ? null : failure.untilAt)
  if (failure.kind === 'offline') return again('offline')
  if (failure.kind === 'writes-locked') return again('locked')
  if (failure.kind === 'cancelled' || failure.kind === 'key-refused') return again('paused')
  return {
    kind: 'ended',
    outcome: failure.kind === 'not-found' ? 'not-found' : 'failed',
    detail: null,
    failure,
    journalId: null,
  }
}

export const aDraft = (rooms: readonly string[], terms: Partial<JobTerms> = {}): JobDraft => ({
  work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: rooms } },
  startAt: null,
  window: null,
  keepTrying: false,
  canary: false,
  ...terms,
})

const aPlanned = (id: string, skipped: SkipReason | null): PlannedItem => ({
  target: { of: 'room', id, name: `Room ${id}` },
  devices: [{ id: `device-of-${id}`, name: 'A bar', status: 'online' }],
  earliestAt: null,
  changes: [],
  skipped,
})
/** `R1@Asia/Tokyo`: a room whose record names its time zone. */
const anItem = (named: string): WorkItem => {
  const [id = '', timeZone] = named.split('@')
  const zone = timeZone === undefined ? {} : { timeZone }
  return {
    planned: { ...aPlanned(id, null), ...zone },
    calls: 1,
    watchingAtMost: 0,
    memory: { shown: id, ...zone },
  }
}
const aSkipped = (id: string): PlannedItem => aPlanned(id.slice(1), 'nothing-online')

export const rooms = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `R${index + 1}`)
