import type { JournalLine } from '../../electron/contract/api/journal.ts'
import type { RebootPlan } from '../../electron/contract/api/writes.ts'

/** What is told before a reboot is confirmed. */
export interface RebootOutlook {
  readonly plan: RebootPlan
  /** The last reboot of this room, when nobody knows how it ended and the room was not read since. */
  readonly unanswered: JournalLine | null
}
