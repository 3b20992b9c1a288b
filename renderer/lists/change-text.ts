import type { ChangeGroup, ChangeGroupKind } from '../../electron/contract/api/changes.ts'
import { countedText, i18n, text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { wordOfStatus, type StatusKind } from '../components/status-kind.ts'

const marks: Readonly<Record<ChangeGroupKind, StatusKind>> = {
  gone: 'idle',
  'went-offline': 'off',
  'firmware-changed': 'ok',
  'moved-room': 'ok',
  'setting-changed': 'ok',
  'status-changed': 'warn',
  appeared: 'ok',
  rebooted: 'ok',
  renamed: 'ok',
  'came-back': 'ok',
  'back-online': 'ok',
  'on-off': 'off',
}
export const markOfKind = (kind: string): StatusKind => marks[kind as ChangeGroupKind] ?? 'unknown'
export const wordOfKind = (kind: string): string => text(`changes.kinds.${kind}`)

/**
 * `Aarhus 3: Gone from the service` for one change; for more `214 devices went offline`, or, if the group has both values, `Firmware 2.7.0
 * → 2.9.2 on 120 devices`.
 */
export function groupSentence({ of, kind, before, after, count, names }: ChangeGroup): string {
  const [name] = names
  if (count === 1 && name !== undefined && kind !== 'on-off')
    return text('changes.one', { name, kind: wordOfKind(kind) })
  const named = { n: formatCount(count), before: valueWord(kind, before), after: valueWord(kind, after) }
  const valued = `changes.valued.${of}.${kind}`
  const hasValues = (before !== null || after !== null) && i18n.global.te(valued)
  return countedText(hasValues ? valued : `changes.group.${of}.${kind}`, count, named)
}

export const valueWord = (kind: ChangeGroupKind, value: string | null): string =>
  value === null || value === ''
    ? text('changes.nothing')
    : kind === 'status-changed'
      ? wordOfStatus(value)
      : value

/** The line below the sentence of a group: author, product, both values of one change, names of several. */
export const groupDetail = (group: ChangeGroup): string =>
  [
    group.own === null ? null : text('changes.own'),
    // The name of a device in a room is the room's.
    group.productName ?? (group.count === 1 ? (group.product?.name ?? null) : null),
    group.count === 1 ? fromTo(group) : changedNames(group),
  ]
    .filter(Boolean)
    .join(' · ')
/** `Ceres 2.20, Dybbøl 1.20 and 4 more`. */
export function changedNames({ names, more, subjectId }: ChangeGroup): string {
  return subjectId === null && more > 0
    ? text('changes.names.more', { names: names.join(', '), n: formatCount(more) })
    : names.join(', ')
}

/** The detail of a change: null if its kind says everything. */
export function fromTo(change: Pick<ChangeGroup, 'kind' | 'before' | 'after'>): string | null {
  const { kind, before, after } = change
  if (kind === 'went-offline' || kind === 'back-online' || (before === null && after === null)) return null
  return text('changes.fromTo', { before: valueWord(kind, before), after: valueWord(kind, after) })
}
