import type { Trouble } from '../../contract/api/app.ts'
import type { JournalLine } from '../../contract/api/journal.ts'
import { DatabaseError, type Cancel, type Clock, type Log } from '../platform.ts'
import { Failed } from '../../contract/failure.ts'
import type { Journal } from '../journal/journal.ts'
import { underWayForInMs, type WriteSlots } from '../storage/write-slots.ts'

/**
 * Writes that were under way when a program ended: their lines end as unconfirmed when that is found, at the start or as soon as nobody can have
 * them under way any more, and are told until a later write to the same room or device went well.
 */
export interface EndedUnknown {
  /** Those of one organization. */
  troubles(organizationId: string): readonly Trouble[]
  close(): void
}

export interface EndedUnknownOptions {
  readonly journal: Journal
  readonly slots: WriteSlots
  readonly log: Log
  readonly clock: Clock
  readonly changed: () => void
}

/** Looked again so often while another program has a write under way, or seems to have. Chosen. */
const lookAgainInMs = 30_000

/** Also tells the slots what the journal knows of the last minutes, in case the ledger was lost. Rejects with nothing. */
export async function openEndedUnknown({
  journal,
  slots,
  log,
  clock,
  changed,
}: EndedUnknownOptions): Promise<EndedUnknown> {
  let found: readonly JournalLine[] = []
  let closed = false
  let cancel: Cancel = () => undefined
  const tell = async (): Promise<void> => {
    const before = found.length
    found = await journal.foundLeftOpen()
    if (found.length !== before) changed()
  }
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Failed) && !(error instanceof DatabaseError)) throw error
      log.write('warn', 'Writes that ended unknown cannot be looked for', { error: String(error) })
    }
  }
  /** A program that was killed seems to be at its write until its slots run out. */
  const look = (): Promise<void> =>
    guarded(async () => {
      const open = await journal.endLeftOpen(() => slots.underWay())
      if (open > 0 && !closed) cancel = clock.after(lookAgainInMs, () => void look())
      await tell()
    })
  try {
    // Twice the longest a write may be under way unsaid: anything older cannot hold a device's minute.
    for (const { deviceId, startedAt, endedAt } of await journal.lastWrites(
      clock.now() - 2 * underWayForInMs,
    ))
      slots.recall(deviceId, endedAt ?? startedAt + underWayForInMs)
  } catch (error) {
    log.write('warn', 'The last writes cannot be read from the journal', { error: String(error) })
  }
  await look()
  const quiet = journal.onChange(() => {
    // Nothing can settle where nothing was found.
    if (found.length > 0) void guarded(tell)
  })
  return {
    troubles: (organizationId) =>
      found.filter((line) => line.organizationId === organizationId).map(troubleOf),
    close: () => {
      closed = true
      cancel()
      quiet()
    },
  }
}

const troubleOf = (line: JournalLine): Trouble => ({
  id: `journal-${line.id}`,
  failure: {
    kind: 'unconfirmed',
    call: { operation: line.operation, host: line.organizationName },
    message: `The program ended before the answer came (${line.target.of} ${line.target.name ?? line.target.id}).`,
  },
  since: line.startedAt,
  done: null,
})
