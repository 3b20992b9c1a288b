import type { BudgetState, HistoryState } from '../contract/api/budget.ts'

const moment = (at: number): string => new Date(at).toISOString()

const reasons: Readonly<Record<NonNullable<HistoryState['reason']>, string>> = {
  damaged: 'it is damaged',
  empty: 'it was empty',
  'read-only': 'it cannot be written',
  'disk-full': 'the disk is full',
  newer: 'it was written by a newer Headroom',
  earlier: 'it has another format',
  busy: 'another program has it locked',
  unknown: 'it cannot be used',
}

/** The problem with the call history and its effect; null: none. */
export function historyText({ history }: Pick<BudgetState, 'history'>): string | null {
  if (history === null) return null
  const why = history.reason === null ? 'the disk is slow' : reasons[history.reason]
  return `The history of calls cannot be saved in workbook.sqlite: ${why}. Calls are counted in memory, up to half of each limit, until it can be saved again.`
}

export const holdText = (untilAt: number): string =>
  `Rate limited until ${moment(untilAt)}: the service asked to wait, and no calls are made before then. headroom budget --try-now makes one call; if the service answers, calls continue.`

/** Calls of others that the service must have counted; null: no sign of them. */
export const othersText = ({ byOthers }: Pick<BudgetState, 'byOthers'>): string | null =>
  byOthers === undefined
    ? null
    : `Fewer calls than allowed were made here: about ${byOthers} by others with this key.`

/** Why calls of this command wait; null: they do not wait, or only for earlier calls. */
export function waitText(state: BudgetState): string | null {
  if (state.waiting === 0) return null
  const history = historyText(state)
  if (history !== null) return history
  if (state.pausedUntil !== null)
    return [`Waiting until ${moment(state.pausedUntil)}: the service asked to wait.`, othersText(state)]
      .filter((line) => line !== null)
      .join(' ')
  return null
}
