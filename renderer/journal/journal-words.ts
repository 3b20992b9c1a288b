import type { JournalLine } from '../../electron/contract/journal.ts'
import { i18n, text } from '../locales/i18n.ts'
import type { EventLine } from '../parts/event.ts'
import { formatDuration } from '../parts/format.ts'
import type { MarkKind } from '../parts/status-kind.ts'

const marks: Readonly<Record<NonNullable<JournalLine['outcome']>, MarkKind>> = { accepted: 'ok', refused: 'bad', unconfirmed: 'warn' }

export function markOfLine(line: JournalLine): MarkKind {
  if (line.outcome === null) return 'unknown'
  return line.outcome === 'refused' && line.status === null ? 'off' : marks[line.outcome]
}
/** `Accepted`, `Refused (409)`, `Not sent`, `Unconfirmed`, `Ended unknown`. */
export function outcomeOf(line: JournalLine): string {
  if (line.outcome !== 'refused') return text(`journal.outcome.${line.outcome ?? 'open'}`)
  return line.status === null ? text('journal.outcome.notSent') : text('journal.outcome.refused', { status: line.status })
}
/** Operations that write have a name in plain words; another one is named as the specification does. */
export const operationOf = (line: JournalLine): string => {
  const key = `journal.operations.${line.operation}`
  return i18n.global.te(key) ? text(key) : line.operation
}
export const targetOf = (line: JournalLine): string => line.target.name ?? line.target.id
export const durationOf = (line: JournalLine): string | null => (line.endedAt === null ? null : formatDuration(Math.max(0, line.endedAt - line.startedAt)))

/** How it ended, as a sentence. */
export const sentenceOf = (line: JournalLine): string =>
  text(`journal.sentence.${line.outcome === 'refused' && line.status === null ? 'notSent' : (line.outcome ?? 'open')}`)

/** A line as a drawer lists it. */
export const eventOf = (line: JournalLine): EventLine => ({
  id: line.id,
  kind: markOfLine(line),
  label: text('journal.event', { operation: operationOf(line), outcome: outcomeOf(line) }),
  at: line.startedAt,
  what: [
    text('journal.by', { who: line.who }),
    line.before !== null && line.after !== null ? text('journal.fromTo', { before: line.before, after: line.after }) : null,
    line.message,
  ]
    .filter(Boolean)
    .join(' · '),
})
