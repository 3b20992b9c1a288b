import { Failed } from '../../contract/failure.ts'
import type { Log } from '../platform.ts'
import type { Approvals } from './approvals.ts'

/** Sentences about approvals that ended, as of the last check. */
export interface ApprovalNotes {
  /** A revoked version is learned with the releases; an expiry comes with time. */
  readonly check: () => void
  readonly notes: () => readonly string[]
}

export function openApprovalNotes(
  approvals: Pick<Approvals, 'warnings'>,
  log: Log,
  changed: () => void,
): ApprovalNotes {
  let notes: readonly string[] = []
  return {
    check() {
      approvals.warnings().then(
        (warnings) => {
          if (warnings.join('\n') === notes.join('\n')) return
          notes = warnings
          changed()
        },
        (error: unknown) => {
          if (!(error instanceof Failed))
            log.write('error', 'Approved versions could not be checked', { error: String(error) })
        },
      )
    },
    notes: () => notes,
  }
}
