import { computed, type ComputedRef } from 'vue'
import type { JournalLine } from '../../electron/contract/api/journal.ts'
import { age, status, words, wordsBeside } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf, wideFor } from '../lists/list-columns.ts'
import { text } from '../locales/i18n.ts'
import { formatCount, formatWhen } from '../components/format.ts'
import { useNow } from '../components/now.ts'
import {
  devicesOf,
  durationOf,
  markOfLine,
  operationOf,
  outcomeOf,
  shortChangeOf,
  targetOf,
} from './journal-text.ts'

export type JournalColumn =
  | 'startedAt'
  | 'operation'
  | 'targetName'
  | 'outcome'
  | 'deviceCount'
  | 'who'
  | 'durationInMs'
  | 'age'
  | 'before'
  | 'after'
  | 'message'
  | 'ticket'
const column = columnsOf<JournalLine, JournalColumn>('journal.columns')

/** `folded`: they have one order. */
export function useJournalColumns(
  folded: () => boolean,
): ComputedRef<readonly GridColumn<JournalLine, JournalColumn>[]> {
  const now = useNow()
  const when = words<JournalLine>((line) =>
    // Actions of a job share a minute.
    formatWhen(line.startedAt, now.value, undefined, folded() ? undefined : '2-digit'),
  )
  const outcome = status<JournalLine>((line) => ({
    kind: markOfLine(line, now.value),
    label: outcomeOf(line, now.value),
  }))
  const since = age<JournalLine>(
    (line) => line.startedAt,
    () => now.value,
  )
  const action = wordsBeside<JournalLine>(operationOf, shortChangeOf, (line) =>
    [operationOf(line), shortChangeOf(line)].filter(Boolean).join(' '),
  )
  const devices = words<JournalLine>((line) => formatCount(devicesOf(line)))
  return computed(() =>
    [
      column('startedAt', 156, 2, when, { look: 'tabular-nums', descendingFirst: true }),
      column('operation', folded() ? 132 : 164, 3, action, folded() ? {} : { full: 230 }),
      column('targetName', 180, 1, words(targetOf, { title: targetOf }), { full: 340, grow: 3 }),
      folded()
        ? column('outcome', 256, 4, outcome, { full: 290 })
        : column('outcome', wideFor(0, text('journal.outcome.unconfirmed')), 4, outcome),
      column('deviceCount', 76, null, devices, { look: 'end tabular-nums', descendingFirst: true }),
      column(
        'who',
        104,
        5,
        words((line) => line.who),
        { look: 'dim', full: 140 },
      ),
      column('durationInMs', wideFor(0, text('journal.columns.durationInMs')), null, words(durationOf), {
        look: 'end dim tabular-nums',
        descendingFirst: true,
      }),
      column('age', 76, null, since, { look: 'end dim', fixed: true }),
      column(
        'ticket',
        110,
        null,
        words((line) => line.ticket ?? null),
      ),
      ...(['before', 'after', 'message'] as const).map((key) =>
        column(
          key,
          150,
          null,
          words((line) => line[key], { title: (line) => line[key] }),
          { grow: 1 },
        ),
      ),
    ].map((one) => (folded() ? { ...one, fixed: true } : one)),
  )
}
