import type { Change, ChangeGroup } from '../../electron/contract/api/changes.ts'
import type { ChangeKind } from '../../electron/contract/api/changes.ts'
import { countedText, i18n, text } from '../locales/i18n.ts'
import { formatCount } from '../parts/format.ts'
import { wordOfStatus, type MarkKind } from '../parts/status-kind.ts'

const marks: Readonly<Record<ChangeKind, MarkKind>> = {
  gone: 'idle',
  'went-offline': 'off',
  'firmware-changed': 'busy',
  'moved-room': 'busy',
  'setting-changed': 'busy',
  'status-changed': 'warn',
  appeared: 'ok',
  rebooted: 'busy',
  renamed: 'unknown',
  'came-back': 'ok',
  'back-online': 'ok',
}
export const markOfKind = (kind: string): MarkKind => marks[kind as ChangeKind] ?? 'unknown'
export const wordOfKind = (kind: string): string => text(`changes.kinds.${kind}`)

/** `214 devices went offline`; where the group tells both values, `Firmware 2.7.0 → 2.9.2 on 120 devices`. */
export function groupSentence({ of, kind, before, after, count }: ChangeGroup): string {
  const named = { n: formatCount(count), before: valueWord(kind, before), after: valueWord(kind, after) }
  const valued = `changes.valued.${of}.${kind}`
  const told = (before !== null || after !== null) && i18n.global.te(valued)
  return countedText(told ? valued : `changes.group.${of}.${kind}`, count, named)
}

export const valueWord = (kind: ChangeKind, value: string | null): string =>
  value === null || value === ''
    ? text('changes.nothing')
    : kind === 'status-changed'
      ? wordOfStatus(value)
      : value

/** What stands beside a change: null where its kind says everything. */
export function fromTo({ kind, before, after }: Change): string | null {
  if (kind === 'went-offline' || kind === 'back-online' || (before === null && after === null)) return null
  return text('changes.fromTo', { before: valueWord(kind, before), after: valueWord(kind, after) })
}
