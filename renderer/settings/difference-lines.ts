import type {
  ChangedMember,
  Comparison,
  DefinitionLine,
  DocumentComparison,
  DocumentKind,
  FirmwareDifference,
} from '../../electron/contract/api/definitions.ts'
import type { Json } from '../../electron/contract/json.ts'
import { byNameOrder } from '../../electron/contract/name-order.ts'
import { failureText } from '../failures/failure-text.ts'
import { countedText, say, text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import type { StatusKind } from '../components/status-kind.ts'
import type { VersionChange } from './version-changes-store.ts'
import { limitsOf, restartWord } from './property-text.ts'
import { comparedMembers } from '../../electron/contract/definition.ts'
import { valueWords } from './setting-text.ts'

/** One difference as text. `name`: the name in the management interface. */
export interface DifferenceLine {
  readonly kind: 'added' | 'removed' | 'changed' | 'equal'
  readonly label: string
  readonly name: string
  readonly source: DocumentKind
  readonly what: string
  /** null: that side has no value. */
  readonly from: string | null
  readonly to: string | null
}

const said = (key: string, named: Record<string, unknown> = {}): string =>
  text(`settings.differences.${key}`, named)
export const documentLabel = (kind: DocumentKind): string => said(`documents.${kind}`)

const wordOf = (value: Json): string =>
  typeof value === 'string' ? valueWords(value) : JSON.stringify(value)
const listed = (values: readonly string[]): string | null => values.join(', ') || null
const knownTypes = ['boolean', 'string', 'integer', 'number', 'object', 'array']
/** A type of the documents in words, a text with listed values as a choice; an unknown one as received. */
export function typeWords(type: string, allowed: readonly unknown[] = []): string {
  const known = type.toLowerCase()
  if (known === 'string' && allowed.length > 0) return said('types.choice')
  return knownTypes.includes(known) ? said(`types.${known}`) : type
}
const limitsOfLine = ({ type, ...line }: DefinitionLine): string =>
  limitsOf({ ...line, allowed: line.allowed.map(wordOf) }) ??
  (type === null ? said('notSaid') : typeWords(type))

/** Lists are sets: what was removed, and what is new. */
function sidesOf({ member, from, to }: ChangedMember): Pick<DifferenceLine, 'from' | 'to'> {
  if (Array.isArray(from) && Array.isArray(to)) {
    const [before, after] = [from.map(wordOf), to.map(wordOf)]
    const gone = listed(before.filter((one) => !after.includes(one)))
    const come = listed(after.filter((one) => !before.includes(one)))
    // A text became a number, or the reverse.
    return gone === null && come === null
      ? { from: JSON.stringify(from), to: JSON.stringify(to) }
      : { from: gone, to: come }
  }
  const word = (value: Json): string => {
    if (member === 'restarts' && (value === null || typeof value === 'boolean')) return restartWord(value)
    if (member === 'type' && typeof value === 'string') return typeWords(value)
    return value === null ? said('notSaid') : wordOf(value)
  }
  return { from: word(from), to: word(to) }
}

const labelledMembers: ReadonlySet<string> = new Set(comparedMembers)

/** Differences first, by label, then equal settings. */
export function linesOf(found: Comparison): readonly DifferenceLine[] {
  const about = ({ label, name, source }: Pick<ChangedMember, 'label' | 'name' | 'source'>) => ({
    label,
    name,
    source,
  })
  const differing: readonly DifferenceLine[] = [
    ...found.changed.map((one) => ({
      kind: 'changed' as const,
      ...about(one),
      ...sidesOf(one),
      what: labelledMembers.has(one.member) ? said(`members.${one.member}`) : one.member,
    })),
    ...found.added.map((one) => ({
      kind: 'added' as const,
      ...about(one),
      what: said('added'),
      from: null,
      to: limitsOfLine(one),
    })),
    ...found.removed.map((one) => ({
      kind: 'removed' as const,
      ...about(one),
      what: said('removed'),
      from: limitsOfLine(one),
      to: null,
    })),
  ]
  return [
    ...differing.toSorted((a, b) => byNameOrder(a.label, b.label)),
    ...found.unchanged.map((one) => ({
      kind: 'equal' as const,
      ...about(one),
      what: said('equal'),
      from: null,
      to: null,
    })),
  ]
}

/** A setting of one or several documents. */
export interface SettingLine extends DifferenceLine {
  readonly inDocuments: readonly DifferenceLine[]
}
/**
 * A difference in several documents is one line, and a setting that is equal in all of them. A new or removed
 * one shows the first limits found.
 */
export function settingLines(found: Comparison): readonly SettingLine[] {
  const textKey = ({ kind, label, what, from, to }: DifferenceLine): string =>
    JSON.stringify([kind, label.toLowerCase(), what, ...(kind === 'changed' ? [from, to] : [])])
  const isSaid = ({ from, to }: DifferenceLine): boolean => (from ?? to) !== said('notSaid')
  const lines = [...Map.groupBy(linesOf(found), textKey).values()].flatMap((inDocuments) => {
    const [first] = inDocuments.toSorted((a, b) => Number(isSaid(b)) - Number(isSaid(a)))
    return first ? [{ ...first, inDocuments }] : []
  })
  const differing = new Set(
    lines.filter(({ kind }) => kind !== 'equal').map(({ label }) => label.toLowerCase()),
  )
  return lines.filter(({ kind, label }) => kind !== 'equal' || !differing.has(label.toLowerCase()))
}

/** The values of a line: a list says what it gains and loses. */
export function valuesText({ kind, from, to }: DifferenceLine): string {
  if (kind !== 'changed') return to ?? from ?? ''
  if (from === null) return said('come', { values: to })
  return to === null ? said('gone', { values: from }) : `${from} → ${to}`
}

/**
 * What was not compared, and why, a line for each side and reason. This is never shown as "no change".
 */
export function gapTexts({ left, right, gaps }: DocumentComparison): readonly string[] {
  const lines = gaps.map(({ document, side, reason, failure }) => ({
    document: documentLabel(document),
    side: { left, right }[side].firmwareVersion ?? said('notSaid'),
    reason: failure === null ? say(`gap.${reason}`) : failureText(failure).sentence,
  }))
  return [...Map.groupBy(lines, ({ side, reason }) => `${side} ${reason}`).values()].map((same) =>
    said('gap', { ...same[0], documents: same.map(({ document }) => document).join(', ') }),
  )
}

/** A setting in several documents counts once. */
const settingCount = ({ added, removed, changed }: Comparison): number =>
  new Set([...added, ...removed, ...changed].map(({ label }) => label.toLowerCase())).size

const countedOf = (key: string, n: number, named: Record<string, unknown> = {}): string =>
  countedText(`settings.differences.${key}`, n, { n: formatCount(n), ...named })

/** "3 settings change. 37 of your 210 devices have a value that is no longer allowed". */
export const changeSentence = (found: FirmwareDifference): string =>
  [settingSentence(found), riskSentence(found)].filter((part) => part !== null).join('. ')

/** What the change means for the devices; null: there are none, or no setting changes. */
export function riskSentence(found: FirmwareDifference): string | null {
  const { total, notAllowed, unknown } = found.devices
  if (total === 0 || settingCount(found) === 0) return null
  if (unknown === total) return countedOf('allUnknown', total)
  const unread = unknown === 0 ? [] : [countedOf('unknown', unknown)]
  const all = { total: formatCount(total) }
  if (notAllowed > 0) return [countedOf('devices', notAllowed, all), ...unread].join(', ')
  return unknown === 0
    ? countedOf('noneAtRisk', total)
    : [countedOf('notAtRisk', total - unknown, all), ...unread].join(', ')
}
/** How many devices have a value that is no longer allowed; null: unknown. */
export function atRisk(found: FirmwareDifference): number | null {
  const { notAllowed, unknown } = found.devices
  if (found.compared.length === 0) return null
  return settingCount(found) > 0 && notAllowed === 0 && unknown > 0 ? null : notAllowed
}
/** "5 change, 36 stay". */
export const countSentence = (found: Comparison): string =>
  said('counts', {
    changed: formatCount(settingCount(found)),
    same: formatCount(new Set(found.unchanged.map(({ label }) => label.toLowerCase())).size),
  })
/** How many settings change. */
export function settingSentence(found: FirmwareDifference): string {
  if (found.compared.length === 0) return said('nothingCompared')
  const settings = settingCount(found)
  return settings > 0
    ? countedOf('settings', settings)
    : said(found.gaps.length > 0 ? 'noneCompared' : 'none')
}
/** The same for a row: "3 settings" and "37 at risk" or "risk unknown", null if there is none. */
export function changeTexts(found: FirmwareDifference): {
  readonly settings: string
  readonly atRisk: { readonly words: string; readonly kind: 'warn' | 'plain' } | null
} {
  if (found.compared.length === 0) return { settings: said('row.nothingCompared'), atRisk: null }
  const settings = settingCount(found)
  const { notAllowed } = found.devices
  return {
    settings:
      settings === 0 && found.gaps.length > 0 ? said('row.partly') : countedOf('row.settings', settings),
    atRisk:
      atRisk(found) === null
        ? { words: said('row.riskUnknown'), kind: 'plain' }
        : notAllowed === 0
          ? null
          : { words: countedOf('row.atRisk', notAllowed), kind: 'warn' },
  }
}

/** The same difference for some devices of the product. */
export function countedAmong(found: FirmwareDifference, among: ReadonlySet<string>): FirmwareDifference {
  const [ids, unknownIds] = [found.devices.ids, found.devices.unknownIds].map((all) =>
    all.filter((id) => among.has(id)),
  ) as [string[], string[]]
  const [total, notAllowed, unknown] = [among.size, ids.length, unknownIds.length]
  const allowed = total - notAllowed - unknown
  return { ...found, devices: { ...found.devices, total, allowed, notAllowed, unknown, ids, unknownIds } }
}

/** The same difference for the devices on the version that is replaced. */
export const ofThose = (found: VersionChange): FirmwareDifference =>
  found.those === null ? found : { ...found, devices: { ...found.devices, ...found.those } }

export function changeKind({ devices, gaps }: FirmwareDifference): StatusKind {
  if (devices.notAllowed > 0 || gaps.length > 0) return 'warn'
  return devices.unknown > 0 ? 'unknown' : 'ok'
}
