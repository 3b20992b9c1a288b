import type {
  Comparison,
  DefinitionItem,
  DevicesAtRisk,
  LineAtRisk,
  DocumentKind,
  ReadDocuments,
} from '../../contract/api/definitions.ts'
import type { Setting } from '../../contract/api/settings.ts'
import type { CachedValues } from '../settings/settings.ts'

/** Documents that state the allowed settings of a firmware version. */
export const telling: readonly DocumentKind[] = ['feature-model', 'device-model', 'properties', 'jose']

/**
 * What a document states about the values of a setting, before and after. `to` null: the setting is removed.
 */
interface Rule {
  readonly source: DocumentKind
  readonly from: DefinitionItem
  readonly to: DefinitionItem | null
}

/** Rules by the setting's name in the management interface. */
export type ValueRules = ReadonlyMap<string, readonly Rule[]>

const aboutValues: ReadonlySet<string> = new Set([
  'type',
  'allowed',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  // Members of Jose items, whose names are not shown.
  'values',
  'enum',
  'allowedValues',
  'possibleValues',
  'supportedValues',
  'min',
  'max',
  'minValue',
  'maxValue',
])

/**
 * The settings whose allowed values differ, or that are removed. A difference in the restart flag does not
 * affect a value.
 */
export function valueRules(
  left: ReadDocuments,
  right: ReadDocuments,
  { removed, changed }: Pick<Comparison, 'removed' | 'changed'>,
): ValueRules {
  const rules = new Map<string, Rule[]>()
  const namesOf = settingNames([left, right])
  const stillThere = new Set(
    right.documents.flatMap(({ document, items }) =>
      telling.includes(document) ? items.flatMap((item) => [...namesOf(document, item)]) : [],
    ),
  )
  const add = (source: DocumentKind, name: string, vanishes: boolean): void => {
    const [from, to] = [itemOf(left, source, name), itemOf(right, source, name)]
    if (from === null || (to === null && !vanishes)) return
    for (const setting of namesOf(source, from)) {
      // Another document of the new version may still contain it.
      if (vanishes && stillThere.has(setting)) continue
      const known = rules.get(setting) ?? []
      rules.set(setting, known)
      if (known.every((rule) => rule.from !== from)) known.push({ source, from, to: vanishes ? null : to })
    }
  }
  for (const { source, name } of removed) add(source, name, true)
  for (const { source, name, member } of changed) if (aboutValues.has(member)) add(source, name, false)
  return rules
}

const itemOf = (documents: ReadDocuments, kind: DocumentKind, name: string): DefinitionItem | null => {
  const items = documents.documents.find(({ document }) => document === kind)?.items ?? []
  return (
    items.find((item) => item.name === name) ??
    items.find((item) => item.name.toLowerCase() === name.toLowerCase()) ??
    null
  )
}

/**
 * A feature model maps names to setting ids, a device model maps setting ids to properties; an unmapped one
 * keeps its own name.
 */
function settingNames(sides: readonly ReadDocuments[]) {
  const itemsOf = (kind: DocumentKind): readonly DefinitionItem[] =>
    sides.flatMap(({ documents }) => documents.find(({ document }) => document === kind)?.items ?? [])
  const namesById = Map.groupBy(
    itemsOf('feature-model').flatMap(({ name, aliases }) => aliases.map((id) => ({ id, name }))),
    ({ id }) => id,
  )
  const idsByProperty = Map.groupBy(
    itemsOf('device-model').flatMap(({ name, aliases }) =>
      aliases.map((property) => ({ id: name, property })),
    ),
    ({ property }) => property,
  )
  const ofSetting = (id: string): readonly string[] => (namesById.get(id) ?? []).map(({ name }) => name)
  return (source: DocumentKind, { name, aliases }: DefinitionItem): ReadonlySet<string> => {
    if (source === 'feature-model') return new Set([name])
    const found =
      source === 'device-model'
        ? ofSetting(name)
        : (idsByProperty.get(name) ?? []).flatMap(({ id }) => ofSetting(id))
    return new Set(found.length > 0 ? found : source === 'device-model' ? aliases : [name])
  }
}

/**
 * Counts devices by their stored values. A device that was read and has none of these settings counts as
 * allowed. `rules` null: nothing could be compared.
 */
export function devicesAtRisk(rules: ValueRules | null, known: readonly CachedValues[]): DevicesAtRisk {
  const byVerdict = Map.groupBy(known, (one) => verdictOf(rules, one))
  const idsOf = (verdict: Verdict): readonly string[] =>
    (byVerdict.get(verdict) ?? []).flatMap(({ deviceIds }) => deviceIds).toSorted()
  const [ids, unknownIds] = [idsOf('not-allowed'), idsOf('unknown')]
  const allowed = idsOf('allowed').length
  const readAt = (rules?.size ?? 0) === 0 ? [] : known.flatMap(({ observedAt }) => observedAt ?? [])
  return {
    total: allowed + ids.length + unknownIds.length,
    allowed,
    notAllowed: ids.length,
    unknown: unknownIds.length,
    ids,
    unknownIds,
    oldestAt: readAt.reduce<number | null>((oldest, at) => Math.min(oldest ?? at, at), null),
  }
}

type Verdict = 'allowed' | 'not-allowed' | 'unknown'
function verdictOf(rules: ValueRules | null, { settings }: CachedValues): Verdict {
  if (rules?.size === 0) return 'allowed'
  if (rules === null || settings === null) return 'unknown'
  if (settings.some((setting) => (rules.get(setting.name) ?? []).some((rule) => hurts(rule, setting))))
    return 'not-allowed'
  return settings.some(isHidden) ? 'unknown' : 'allowed'
}

/**
 * The lines of a comparison that affect devices, and the number of affected devices: only those whose value
 * is known.
 */
export function linesAtRisk(rules: ValueRules, known: readonly CachedValues[]): readonly LineAtRisk[] {
  const lines = new Map<DefinitionItem, LineAtRisk>()
  for (const { deviceIds, settings } of known) {
    const hurting = (settings ?? []).flatMap((setting) =>
      (rules.get(setting.name) ?? []).filter((rule) => hurts(rule, setting)),
    )
    // One item may be about several settings of a device.
    for (const { source, from } of new Map(hurting.map((rule) => [rule.from, rule])).values())
      lines.set(from, {
        source,
        name: from.name,
        devices: (lines.get(from)?.devices ?? 0) + deviceIds.length,
      })
  }
  return [...lines.values()]
}

const isHidden = ({ value, hidden }: Setting): boolean => value !== null && hidden !== undefined

/** Whether a known value is no longer allowed, or its setting is removed. */
const hurts = (rule: Rule, { value, hidden }: Setting): boolean =>
  value !== null && (rule.to === null || (hidden === undefined && !isStillAllowed(rule, value)))

/**
 * The feature model uses the values that devices report. Other documents may write the same value
 * differently: if they did not allow the value before either, they are ignored.
 */
const isStillAllowed = ({ source, from, to }: Rule, value: string | number | boolean): boolean =>
  to === null || allows(to, value) || (source !== 'feature-model' && !allows(from, value))

export function allows(item: DefinitionItem, value: string | number | boolean): boolean {
  const { allowed, minimum, maximum, minLength, maxLength } = item
  const type = item.type?.toLowerCase() ?? ''
  if (allowed.length > 0) return allowed.some((one) => String(one) === String(value))
  if (/^bool/.test(type)) return ['true', 'false'].includes(String(value).toLowerCase())
  const number = typeof value === 'number' ? value : Number.NaN
  if (/^(int|number|decimal|double)/.test(type) && Number.isNaN(number)) return false
  if (number < (minimum ?? number) || number > (maximum ?? number)) return false
  const length = typeof value === 'string' ? value.length : null
  return length === null || (length >= (minLength ?? 0) && length <= (maxLength ?? Number.POSITIVE_INFINITY))
}
