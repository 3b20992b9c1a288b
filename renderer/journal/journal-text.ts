import type { JournalLine } from '../../electron/contract/api/journal.ts'
import { unseenDetails } from '../../electron/contract/job-result.ts'
import { changedSettings, type SeenAfterwards } from '../../electron/contract/journal.ts'
import { countedText, i18n, text } from '../locales/i18n.ts'
import type { EventLine } from '../components/event.ts'
import { formatCount, formatDuration, formatMoment } from '../components/format.ts'
import type { StatusKind } from '../components/status-kind.ts'
import { useSettingNames } from '../settings/setting-names-store.ts'
import { valueOfAnyKind } from '../settings/setting-text.ts'

/** What a person has to look at comes first. */
const worstFirst = ['refused', 'unconfirmed', 'unknown', 'not-confirmed', 'accepted', 'not-sent'] as const

/** A write in flight has a response or a timeout within this time (its slots are taken for 125 s). */
const UNDER_WAY_IN_MS = 125_000
type Ending =
  | 'accepted'
  | 'not-confirmed'
  | 'refused'
  | 'not-sent'
  | 'unconfirmed'
  | 'found-later'
  | 'under-way'
  | 'open'
  | 'no-answer'
/** An accepted request is not a result: what came of it is not known. */
const marks: Readonly<Record<Ending, StatusKind>> = {
  accepted: 'unknown',
  'not-confirmed': 'warn',
  refused: 'bad',
  'not-sent': 'idle',
  unconfirmed: 'warn',
  'found-later': 'warn',
  'under-way': 'busy',
  open: 'warn',
  'no-answer': 'idle',
}
function endingOf(line: JournalLine, now: number): Ending {
  // The test call during a hold changes no device, so it does not matter whether it arrived.
  if (line.target.of === 'organization' && line.outcome !== 'accepted' && line.status === null)
    return line.outcome === null && now - line.startedAt < UNDER_WAY_IN_MS ? 'under-way' : 'no-answer'
  if (line.outcome === null) return now - line.startedAt < UNDER_WAY_IN_MS ? 'under-way' : 'open'
  if (line.endFoundLater) return 'found-later'
  if (line.outcome === 'refused' && line.status === null) return 'not-sent'
  // As its job says it: the update may still happen.
  if (line.afterwards === 'not-reported') return 'unconfirmed'
  return line.outcome === 'accepted' && line.afterwards !== undefined && !isSeen(line)
    ? 'not-confirmed'
    : line.outcome
}
/** Its job saw that it had its effect. */
const isSeen = ({ afterwards }: JournalLine): boolean =>
  afterwards === 'back-online' || afterwards === 'verified'
type Together = NonNullable<JournalLine['together']>
const sumOf = ({ afterwards }: Together, seen: readonly SeenAfterwards[]): number =>
  seen.reduce((sum, one) => sum + (afterwards[one] ?? 0), 0)
/** The actions of a job by their outcomes, as each says its own. */
function countsOf(together: Together) {
  const { outcomes, unsent } = together
  const [unseen, unreported] = [sumOf(together, unseenDetails), sumOf(together, ['not-reported'])]
  return {
    ...outcomes,
    accepted: outcomes.accepted - unseen - unreported,
    'not-confirmed': unseen,
    unconfirmed: outcomes.unconfirmed + unreported,
    'not-sent': outcomes['not-sent'] + unsent,
  }
}
/** Whether the result is unknown: it must be checked before anything is tried again. */
export const wantsCheck = (line: JournalLine, now: number): boolean =>
  ['unconfirmed', 'found-later', 'open'].includes(endingOf(line, now))

export function markOfLine(line: JournalLine, now: number): StatusKind {
  const ending = endingOf(line, now)
  if (line.together !== undefined) {
    const counts = countsOf(line.together)
    if (counts.unknown > 0 && ending === 'under-way') return 'busy'
    if (counts.refused > 0) return 'bad'
    if (counts.unconfirmed + counts.unknown + counts['not-confirmed'] > 0) return 'warn'
    if (counts.accepted === 0) return 'idle'
    return sumOf(line.together, ['back-online', 'verified']) === counts.accepted ? 'ok' : marks.accepted
  }
  return ending === 'accepted' && (isSeen(line) || line.target.of === 'organization') ? 'ok' : marks[ending]
}
/** `2 refused, 91 accepted`, `1 accepted, 68 not sent`, `Accepted`, `Refused (409)`, `Not sent`, `Unknown — check`, `In progress`. */
export function outcomeOf(line: JournalLine, now: number): string {
  if (line.together !== undefined) {
    const counts = countsOf(line.together)
    return worstFirst
      .filter((word) => counts[word] > 0)
      .map((word) => text(`journal.together.${word}`, { n: formatCount(counts[word]) }))
      .join(', ')
  }
  return text(`journal.outcome.${endingOf(line, now)}`, { status: line.status ?? '' })
}
/** Operations that write have a plain label; any other has the name in the specification. */
export const operationOf = (line: JournalLine): string => {
  const key = `journal.operations.${line.operation}`
  return i18n.global.te(key) ? text(key) : line.operation
}
export function targetOf(line: JournalLine): string {
  const one = line.target.name ?? line.target.id
  if (line.together === undefined) return one
  const { count, asked } = line.together
  if (count >= asked) return togetherText(line, count)
  const some = text('journal.together.of', { n: formatCount(count), all: togetherText(line, asked) })
  return count === 1 ? text('journal.together.one', { name: one, some }) : some
}
const togetherText = ({ target }: JournalLine, n: number): string =>
  countedText(`journal.together.${target.of}`, n, { n: formatCount(n) })
export const devicesOf = (line: JournalLine): number => line.together?.devices ?? line.deviceIds.length
export const durationOf = (line: JournalLine): string | null =>
  line.endedAt === null || line.endFoundLater || line.together !== undefined
    ? null
    : formatDuration(Math.max(0, line.endedAt - line.startedAt))

const decisions = [
  'AcceptChangedFirmware',
  'ApproveFirmware',
  'UnapproveFirmware',
  'RemoveJournalLines',
] as const
const isDecision = (operation: string): operation is (typeof decisions)[number] =>
  (decisions as readonly string[]).includes(operation)

/** Why it was not done, as the core records it, if that is not the message of the service. */
const unsentReasons = ['cancelled', 'writes-locked', 'key-missing', 'rate-limited'] as const
const unsentReason = ({ outcome, message }: JournalLine) =>
  outcome === 'refused' ? unsentReasons.find((reason) => reason === message) : undefined
/**
 * The recorded message, that of a failure without its kind; null: there is none, or the sentence says it. A person typed the message of a
 * decision, which is accepted.
 */
export function messageIn(line: JournalLine): string | null {
  if (line.message === null || unsentReason(line) !== undefined) return null
  return line.outcome === 'accepted' ? line.message : line.message.replace(/^[a-z]+(-[a-z]+)*: /, '')
}

/** The result as a sentence. */
export function sentenceOf(line: JournalLine, now: number): string {
  const ending = endingOf(line, now)
  if (line.outcome === 'accepted' && line.afterwards !== undefined)
    return text(`journal.afterwards.${line.afterwards}`)
  // Nothing was sent: the message comes from Headroom.
  if (isDecision(line.operation))
    return text(`journal.decided.${ending === 'accepted' ? line.operation : 'not'}`)
  if (line.target.of === 'organization' && ending !== 'under-way')
    return text(`journal.sentence.${ending === 'accepted' ? 'lifted' : 'still-held'}`)
  if (ending === 'found-later')
    return text('journal.sentence.found-later', { when: formatMoment(line.endedAt ?? line.startedAt) })
  const reason = unsentReason(line)
  if (reason !== undefined) return text(`journal.sentence.${reason}`)
  return text(
    `journal.sentence.${ending === 'accepted' && line.operation !== 'RebootRoom' ? 'taken' : ending}`,
  )
}

/** `2.12.7 → 3.1.4`, `Sidetone level: 2 → 3`, `4 settings`: what it changed, for a row. */
export function shortChangeOf(line: JournalLine): string | null {
  if (line.together !== undefined) return null
  const n = changedSettings(line)?.length ?? 0
  return n > 1 ? countedText('jobs.title.settings', n, { n: formatCount(n) }) : changeOf(line, 'labelOf')
}
const changeOf = (line: JournalLine, naming: 'labelOf' | 'labelWithName'): string | null =>
  settingsOf(line, naming) ??
  (line.before !== null && line.after !== null
    ? text('journal.fromTo', { before: line.before, after: line.after })
    : null)

/** Settings by label, with or without the API name; null: it has none. */
function settingsOf(line: JournalLine, naming: 'labelOf' | 'labelWithName'): string | null {
  const changed = changedSettings(line)
  if (changed === null) return null
  const names = useSettingNames()
  return names
    .inOrder(changed)
    .map(({ name, before, after }) =>
      text('journal.setting', {
        before: valueOfAnyKind(before),
        after: valueOfAnyKind(after),
        name: names[naming](name),
      }),
    )
    .join(', ')
}

/** A line of the journal as an event in a drawer. */
export const eventOf = (line: JournalLine, now: number): EventLine => ({
  id: line.id,
  kind: markOfLine(line, now),
  label: text('journal.event', { operation: operationOf(line), outcome: outcomeOf(line, now) }),
  at: line.startedAt,
  what: [text('journal.by', { who: line.who }), changeOf(line, 'labelWithName'), messageIn(line)]
    .filter(Boolean)
    .join(' · '),
})
