import type { JournalLine } from '../../electron/contract/api/journal.ts'
import { changedSettings } from '../../electron/contract/journal.ts'
import { i18n, text } from '../locales/i18n.ts'
import type { EventLine } from '../components/event.ts'
import { formatDuration, formatMoment } from '../components/format.ts'
import type { MarkKind } from '../components/status-kind.ts'
import { useSettingNames } from '../settings/setting-names-store.ts'

const marks: Readonly<Record<NonNullable<JournalLine['outcome']>, MarkKind>> = {
  accepted: 'ok',
  refused: 'bad',
  unconfirmed: 'warn',
}

/** A write under way has its answer within this long (write gate: its slots are held for 125 s). */
const UNDER_WAY_IN_MS = 125_000
type Ending =
  'accepted' | 'refused' | 'not-sent' | 'unconfirmed' | 'found-later' | 'under-way' | 'open' | 'no-answer'
function endingOf(line: JournalLine, now: number): Ending {
  // A call in spite of a hold: it changes nothing, so whether it arrived does not matter.
  if (line.target.of === 'organization' && line.outcome !== 'accepted' && line.status === null)
    return line.outcome === null && now - line.startedAt < UNDER_WAY_IN_MS ? 'under-way' : 'no-answer'
  if (line.outcome === null) return now - line.startedAt < UNDER_WAY_IN_MS ? 'under-way' : 'open'
  if (line.endFoundLater) return 'found-later'
  return line.outcome === 'refused' && line.status === null ? 'not-sent' : line.outcome
}
/** Whether nobody knows what became of it: it wants a look before anything is tried again. */
export const wantsCheck = (line: JournalLine, now: number): boolean =>
  ['unconfirmed', 'found-later', 'open'].includes(endingOf(line, now))

export function markOfLine(line: JournalLine, now: number): MarkKind {
  const ending = endingOf(line, now)
  if (ending === 'under-way') return 'busy'
  if (ending === 'open' || ending === 'found-later') return 'warn'
  return ending === 'not-sent' || ending === 'no-answer' ? 'idle' : marks[ending]
}
/** `Accepted`, `Refused (409)`, `Not sent`, `Unconfirmed: check`, `Ended unknown: check`, `Under way`. */
export function outcomeOf(line: JournalLine, now: number): string {
  return text(`journal.outcome.${endingOf(line, now)}`, { status: line.status ?? '' })
}
/** Operations that write have a name in plain words; another one is named as the specification does. */
export const operationOf = (line: JournalLine): string => {
  const key = `journal.operations.${line.operation}`
  return i18n.global.te(key) ? text(key) : line.operation
}
export const targetOf = (line: JournalLine): string => line.target.name ?? line.target.id
export const durationOf = (line: JournalLine): string | null =>
  line.endedAt === null || line.endFoundLater
    ? null
    : formatDuration(Math.max(0, line.endedAt - line.startedAt))

const decisions = ['AcceptChangedFirmware', 'ApproveFirmware', 'UnapproveFirmware'] as const
const isDecision = (operation: string): operation is (typeof decisions)[number] =>
  (decisions as readonly string[]).includes(operation)

/** How it ended, as a sentence. */
export function sentenceOf(line: JournalLine, now: number): string {
  const ending = endingOf(line, now)
  if (ending === 'accepted' && line.afterwards !== undefined)
    return text(`journal.afterwards.${line.afterwards}`)
  // Nothing was sent for it: it says what was decided here.
  if (isDecision(line.operation))
    return text(`journal.decided.${ending === 'accepted' ? line.operation : 'not'}`)
  if (line.target.of === 'organization' && ending !== 'under-way')
    return text(`journal.sentence.${ending === 'accepted' ? 'lifted' : 'still-held'}`)
  if (ending === 'found-later')
    return text('journal.sentence.found-later', { when: formatMoment(line.endedAt ?? line.startedAt) })
  return text(
    `journal.sentence.${ending === 'accepted' && line.operation !== 'RebootRoom' ? 'taken' : ending}`,
  )
}

/** Settings by their labels, the API name beside them; null: it is about none. */
function settingsOf(line: JournalLine): string | null {
  const changed = changedSettings(line)
  if (changed === null) return null
  const { inOrder, labelWithName } = useSettingNames()
  return inOrder(changed)
    .map(({ name, ...values }) => text('journal.setting', { ...values, name: labelWithName(name) }))
    .join(', ')
}

/** A line as a drawer lists it. */
export const eventOf = (line: JournalLine, now: number): EventLine => ({
  id: line.id,
  kind: markOfLine(line, now),
  label: text('journal.event', { operation: operationOf(line), outcome: outcomeOf(line, now) }),
  at: line.startedAt,
  what: [
    text('journal.by', { who: line.who }),
    settingsOf(line) ??
      (line.before !== null && line.after !== null
        ? text('journal.fromTo', { before: line.before, after: line.after })
        : null),
    line.message,
  ]
    .filter(Boolean)
    .join(' · '),
})
