import type { AppProblem } from '../../contract/api/app.ts'
import type { JournalLine } from '../../contract/api/journal.ts'
import { DatabaseError, type Clock, type Log } from '../platform.ts'
import { Failed } from '../../contract/failure.ts'
import type { Journal } from '../journal/journal.ts'
import { lostHistoryAt } from '../storage/lost-history.ts'
import type { Workbook } from '../storage/workbook.ts'
import type { WriteSlots } from './lock-and-slots.ts'

/**
 * Writes that were in flight when a process ended: their lines end as unconfirmed at the next start, and are
 * shown until a later write to the same room or device succeeds.
 */
export interface UnconfirmedWrites {
  /** Those of one organization. */
  problems(organizationId: string): readonly AppProblem[]
  close(): void
}

export interface UnconfirmedWritesOptions {
  readonly workbook: Pick<Workbook, 'query'>
  readonly clock: Clock
  readonly journal: Journal
  readonly slots: WriteSlots
  readonly log: Log
  readonly changed: () => void
}

/** Longer than the minute between two writes; raise it if slots last longer (chosen). */
const lookBackInMs = 300_000

/**
 * Also fills the slots with the writes of earlier runs: those of open lines as ended now, because nobody knows
 * when they ended. Never rejects.
 */
export async function openUnconfirmedWrites(options: UnconfirmedWritesOptions): Promise<UnconfirmedWrites> {
  const { workbook, clock, journal, slots, log, changed } = options
  let found: readonly JournalLine[] = []
  let round = 0
  const tell = async (): Promise<void> => {
    const mine = ++round
    const open = await journal.foundLeftOpen()
    // An older result that arrives later is ignored.
    if (mine !== round) return
    const previous = found.length
    found = open
    if (found.length !== previous) changed()
  }
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Failed) && !(error instanceof DatabaseError)) throw error
      log.write('warn', 'Writes with an unknown outcome cannot be found', { error: String(error) })
    }
  }
  try {
    await journal.endLeftOpen()
    for (const { deviceIds, endedAgoInMs } of await journal.lastWrites(lookBackInMs))
      slots.fill(deviceIds, endedAgoInMs)
    const lostAt = await lostHistoryAt(workbook)
    if (lostAt !== null) slots.fill(null, Math.max(0, clock.now() - lostAt))
  } catch (error) {
    log.write('warn', 'The last writes cannot be read from the journal', { error: String(error) })
    slots.fill(null, 0)
  }
  await guarded(tell)
  const stopListening = journal.onChange(() => {
    // If nothing was found, nothing can be settled later.
    if (found.length > 0) void guarded(tell)
  })
  return {
    problems: (organizationId) =>
      found.filter((line) => line.organizationId === organizationId).map(problemOf),
    close: stopListening,
  }
}

const problemOf = (line: JournalLine): AppProblem => ({
  id: `journal-${line.id}`,
  failure: {
    kind: 'unconfirmed',
    call: { operation: line.operation, host: null },
    message: `Headroom ended before the answer came (${line.target.of} ${line.target.name ?? line.target.id}).`,
  },
  since: line.startedAt,
  done: null,
})
