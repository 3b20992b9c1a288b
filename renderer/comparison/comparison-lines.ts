import type {
  ComparedDevice,
  ComparedPair,
  ComparedRow,
  ComparedValue,
  Comparison,
  StaysBecause,
} from '../../electron/contract/api/comparison.ts'
import type { FormFactor } from '../../electron/contract/form-factor.ts'
import { formatCount } from '../components/format.ts'
import { countedText, text } from '../locales/i18n.ts'
import { useSettingNames } from '../settings/setting-names-store.ts'
import { wordOf } from '../settings/setting-text.ts'
import { choiceKey } from './like-a.ts'

/** One line on screen. */
export interface ComparisonLine {
  readonly key: string
  readonly label: string
  readonly row: ComparedRow
  /** null: a fact of the rooms. */
  readonly pair: ComparedPair | null
}
/** Lines under one heading. */
export interface ComparisonSection {
  readonly key: string
  readonly title: string
  readonly note: string
  readonly picture: FormFactor | null
  readonly lines: readonly ComparisonLine[]
}

const words = (key: string, named: Record<string, unknown> = {}): string => text(`comparison.${key}`, named)
export const counted = (key: string, n: number, named: Record<string, unknown> = {}): string =>
  countedText(`comparison.${key}`, n, { n: formatCount(n), ...named })
export const roleWord = (role: FormFactor): string => words(`role.${role}`)

function labelOf({ what, name }: ComparedRow, pair: ComparedPair | null): string {
  if (what === 'setting') return useSettingNames().labelOf(name)
  if (what === 'fact') return words(`row.${name}`)
  return what === 'device' && pair !== null ? roleWord(pair.role) : words(`row.${what}`)
}
const lineOf = (row: ComparedRow, pair: ComparedPair | null): ComparisonLine => ({
  key: choiceKey(pair, row),
  label: labelOf(row, pair),
  row,
  pair,
})
/** Differences first, then what is not known; settings in the order of their documents. */
function linesOf(pair: ComparedPair): readonly ComparisonLine[] {
  const own = pair.rows.filter(({ what }) => what !== 'setting')
  const ids = [pair.a, pair.b].flatMap((one) => (one?.productId == null ? [] : [one.productId]))
  const settings = useSettingNames().inOrder(
    pair.rows.filter(({ what }) => what === 'setting'),
    ids,
  )
  return [...own, ...settings]
    .map((row) => lineOf(row, pair))
    .toSorted((one, other) => rank(one) - rank(other))
}
const rank = ({ row }: ComparisonLine): number => ['different', 'unknown', 'same'].indexOf(row.verdict)

const isWhole = ({ a, b }: ComparedPair): boolean => a !== null && b !== null
const productOf = (device: ComparedDevice | null): string => device?.productName ?? device?.name ?? ''

function noteOf(lines: readonly ComparisonLine[]): string {
  const count = (verdict: ComparedRow['verdict']): number =>
    lines.filter(({ row }) => row.verdict === verdict).length
  const parts = (['different', 'unknown'] as const).flatMap((verdict) => {
    const n = count(verdict)
    return n === 0 ? [] : [counted(verdict === 'different' ? 'section.differ' : 'section.unknown', n)]
  })
  return parts.join(', ') || words('section.alike')
}
function pairSection(pair: ComparedPair, index: number): ComparisonSection {
  const lines = linesOf(pair)
  const [a, b] = [productOf(pair.a), productOf(pair.b)]
  const products = a === b ? words('section.inBoth', { product: a }) : words('section.two', { a, b })
  return {
    key: `pair ${index}`,
    title: roleWord(pair.role),
    note: `${products}, ${noteOf(lines)}`,
    picture: pair.role,
    lines,
  }
}

/**
 * The sections of a comparison, and the lines that are not known or equal, which are sections of their own unless they stay with their
 * devices.
 */
export function sectionsOf(
  { pairs, facts }: Comparison,
  b: string,
  byDevice: boolean,
): { readonly sections: readonly ComparisonSection[] } & Readonly<
  Record<'unknown' | 'same', readonly ComparisonLine[]>
> {
  const whole = pairs.filter(isWhole).map(pairSection)
  const lone = pairs.filter((pair) => !isWhole(pair))
  const missing = lone.filter((pair) => pair.b === null).length
  const loneNote = (['missingB', 'onlyB'] as const)
    .flatMap((key) => {
      const n = key === 'missingB' ? missing : lone.length - missing
      return n === 0 ? [] : [words(`section.${key}`, { n: formatCount(n), b })]
    })
    .join(', ')
  const factLines = facts.map((row) => lineOf(row, null))
  const all: readonly ComparisonSection[] = [
    ...whole,
    {
      key: 'lone',
      title: words('section.devices'),
      note: loneNote,
      picture: null,
      lines: lone.flatMap((pair) => pair.rows.map((row) => lineOf(row, pair))),
    },
    {
      key: 'room',
      title: words('section.room'),
      note: noteOf(factLines),
      picture: null,
      lines: factLines.toSorted((one, other) => rank(one) - rank(other)),
    },
  ]
  const linesThat = (is: ComparedRow['verdict']) => (one: ComparisonSection) =>
    one.lines.filter(({ row }) => row.verdict === is)
  const visible = byDevice
    ? all
    : all.map((section) => ({ ...section, lines: linesThat('different')(section) }))
  const folded = (is: 'unknown' | 'same') => (byDevice ? [] : all.flatMap(linesThat(is)).map(withRole))
  return {
    sections: visible.filter(({ lines }) => lines.length > 0),
    unknown: folded('unknown'),
    same: folded('same'),
  }
}
const withRole = (line: ComparisonLine): ComparisonLine =>
  line.pair === null
    ? line
    : { ...line, label: words('row.of', { role: roleWord(line.pair.role), what: line.label }) }

/** Devices whose settings can be read; those that only a room names cannot. */
export const unreadIn = (pair: ComparedPair | null): readonly string[] =>
  pair?.rows.some(({ what }) => what === 'settings')
    ? [pair.a, pair.b].flatMap((one) => (one?.listed === true && one.settingsReadAt === null ? [one.id] : []))
    : []

/** A value in plain words; the mark of firmware is beside it. */
export function valueText(
  { row, pair }: Pick<ComparisonLine, 'row' | 'pair'>,
  value: ComparedValue,
  device: ComparedDevice | null,
): string {
  if (value.state === 'unknown')
    return words(row.what === 'settings' || row.what === 'setting' ? 'value.notRead' : 'value.notStated')
  if (value.state === 'none') {
    if (row.what === 'device') return words('none')
    const [one, other] = [pair?.a?.firmwareVersion, pair?.b?.firmwareVersion]
    return device?.firmwareVersion == null || one === other
      ? words('value.notThere')
      : words('value.notIn', { version: device.firmwareVersion })
  }
  if (row.what === 'settings') return counted('value.settings', Number(value.value))
  if (row.what === 'device')
    return [String(value.value), device?.firmwareVersion].filter((part) => part != null).join(' ')
  return wordOf(value.value) ?? words('value.noValue')
}

/** The word beside a version; null: nothing is known about it. */
export function firmwareWord(
  device: ComparedDevice | null,
): { readonly label: string; readonly kind: 'bad' | 'warn' | 'plain' } | null {
  const { word, approved } = device?.firmware ?? { word: 'unknown' as const }
  if (word === 'revoked') return { label: words('firmware.revoked'), kind: 'bad' }
  if (word === 'behind') return { label: words('firmware.behind'), kind: 'warn' }
  if (approved?.word === 'yes') return { label: words('firmware.approved'), kind: 'plain' }
  return word === 'unknown' ? null : { label: words(`firmware.${word}`), kind: 'plain' }
}

/** What the plan does about a difference. */
export function changeText({ change }: Pick<ComparedRow, 'change'>): string {
  if (change === null) return ''
  if (change.kind === 'update') return words('change.update', { version: change.version })
  const { value, locked } = change.change
  const key = locked === undefined ? 'set' : locked ? 'lock' : 'unlock'
  return words(`change.${key}`, { value: wordOf(value) ?? '' })
}

/** Why a difference stays. */
export function staysText({ row, pair }: Pick<ComparisonLine, 'row' | 'pair'>, b: string): string {
  if (row.stays === null) return ''
  const { because, why } = row.stays
  const updates = pair?.rows.some(({ change }) => change?.kind === 'update') ?? false
  const key = because === 'absent' && updates ? 'absentYet' : because
  return words(`stays.${key}`, { why: why ?? '', b, version: String(row.a.value) })
}

/** `2 missing devices, 1 confidential`: everything that stays, by reason. */
export function stayingText(
  { pairs, facts }: Comparison,
  isTicked: (key: string) => boolean,
): { readonly count: number; readonly text: string } {
  const rows = [
    ...pairs.flatMap((pair) => pair.rows.map((row) => [pair, row] as const)),
    ...facts.map((row) => [null, row] as const),
  ]
  const reasons = rows.flatMap(([pair, row]): readonly (StaysBecause | 'unticked' | 'unknown')[] => {
    if (row.verdict === 'unknown') return ['unknown']
    if (row.stays !== null) return [row.stays.because]
    return row.change !== null && !isTicked(choiceKey(pair, row)) ? ['unticked'] : []
  })
  const groups = [...Map.groupBy(reasons, (reason) => reason)]
  return {
    count: reasons.length,
    text: groups.map(([reason, { length }]) => counted(`end.because.${reason}`, length)).join(', '),
  }
}
