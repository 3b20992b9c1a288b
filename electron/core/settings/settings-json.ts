import type { FeatureSetting } from '../../contract/api/definitions.ts'
import { foldedName, type Json, type JsonObject } from '../../contract/json.ts'
import type { Setting } from '../../contract/api/settings.ts'
import { dots, hiddenIn, withDots } from './hidden-values.ts'
import { objectOf } from '../metadata/metadata.ts'

type Kind = Setting['kind']
interface Candidate {
  readonly kind: Kind
  readonly value: Setting['value']
  /** The digest of a value that is not shown. */
  readonly hidden?: string
}

/**
 * The settings in a response or a device record: one entry for each name (services.md#B42). A null is an
 * empty list (services.md#B1); null: there is no such member, or it has another form.
 */
export function settingEntries(json: Json): readonly (readonly [name: string, entry: Json])[] | null {
  const record = objectOf(Array.isArray(json) && json.length === 1 ? (json as readonly Json[])[0] : json)
  if (record === null) return null
  const member = memberOf(record, 'settings')
  if (member === null) return []
  const settings = objectOf(member)
  if (settings !== null) return Object.entries(settings)
  if (member !== undefined) return null
  const inside = wrappers.map((name) => objectOf(memberOf(record, name))).find((one) => one !== null)
  return inside === undefined ? null : settingEntries(inside)
}

/** Names of wrappers around a response. Add one when it is observed. */
const wrappers = ['data', 'result']

/** One setting; never throws. The feature model decides only what the members leave open. */
export function parseSetting(name: string, entry: Json, feature: FeatureSetting | null): Setting {
  const members = objectOf(entry)
  const { kind, value, hidden } = members === null ? unknownKind : kindOf(members, feature)
  // Once sent as `locked` (services.md#B11).
  const locked =
    members === null
      ? null
      : (booleanOf(memberOf(members, 'isLocked')) ?? booleanOf(memberOf(members, 'locked')))
  return {
    name,
    kind,
    value,
    ...(hidden === undefined ? {} : { hidden }),
    locked,
    feature,
    raw: withDots(entry),
  }
}

const unknownKind: Candidate = { kind: 'unknown', value: null }

/**
 * The member that is present gives the kind, tested in this order (services.md#B8, services.md#B9). A member
 * of another type is ignored.
 */
function kindOf(members: JsonObject, feature: FeatureSetting | null): Candidate {
  const candidates = [
    onOff(memberOf(members, 'isOn')),
    choice(memberOf(members, 'selected')),
    numberOrText(memberOf(members, 'value'), feature),
  ].filter((candidate) => candidate !== null)
  // Several may be present, for example when a service echoes a client's write: the model's kind first, then
  // one with a value.
  const expected = feature === null || feature.kind === 'other' ? null : feature.kind
  const filled = candidates.filter(({ value }) => value !== null)
  return (
    filled.find(({ kind }) => kind === expected) ??
    filled[0] ??
    candidates.find(({ kind }) => kind === expected) ??
    candidates[0] ??
    unknownKind
  )
}

function onOff(json: Json | undefined): Candidate | null {
  if (json === null) return { kind: 'on-off', value: null }
  const value = booleanOf(json)
  return value === null ? null : { kind: 'on-off', value }
}

function choice(json: Json | undefined): Candidate | null {
  const hidden = hiddenIn(json)
  if (hidden !== null) return { kind: 'choice', value: dots, hidden: hidden.digest }
  if (json === null || typeof json === 'string') return { kind: 'choice', value: json }
  return typeof json === 'number' ? { kind: 'choice', value: String(json) } : null
}

function numberOrText(json: Json | undefined, feature: FeatureSetting | null): Candidate | null {
  // Only texts were observed to be null, but a model that states a number takes precedence.
  if (json === null) return { kind: feature?.kind === 'number' ? 'number' : 'text', value: null }
  const hidden = hiddenIn(json)
  // Whether a hidden text looks like a number is no longer known: the model decides.
  if (hidden !== null)
    return {
      kind: isNumber(feature, hidden.isNumber) ? 'number' : 'text',
      value: dots,
      hidden: hidden.digest,
    }
  if (typeof json === 'number' && Number.isFinite(json))
    return isNumber(feature, true) ? { kind: 'number', value: json } : { kind: 'text', value: String(json) }
  if (typeof json !== 'string') return null
  return feature?.kind === 'number' && /^\s*-?\d+(\.\d+)?\s*$/.test(json)
    ? { kind: 'number', value: Number(json) }
    : { kind: 'text', value: json }
}

/** An extension or a code may arrive as a number: a model that states a text takes precedence. */
const isNumber = (feature: FeatureSetting | null, isJsonNumber: boolean): boolean =>
  feature?.kind === 'number' || (isJsonNumber && feature?.kind !== 'text')

function booleanOf(json: Json | undefined): boolean | null {
  if (typeof json === 'boolean') return json
  if (typeof json !== 'string') return null
  const word = json.trim().toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : null
}

/** By the name as given, else in another spelling. */
function memberOf(members: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(members, name)) return members[name]
  const known = foldedName(name)
  return Object.entries(members).find(([other]) => foldedName(other) === known)?.[1]
}

/** Finds a setting's data in the feature model by its name in the management interface (services.md#A16). */
export function featuresByName(
  model: { readonly settings: readonly FeatureSetting[]; readonly raw: Json } | null,
): (name: string) => FeatureSetting | null {
  if (model === null) return () => null
  const byId = new Map<string, FeatureSetting>()
  const byName = new Map<string, FeatureSetting>()
  for (const setting of model.settings) {
    if (!byId.has(setting.id)) byId.set(setting.id, setting)
    if (setting.name !== null && !byName.has(setting.name)) byName.set(setting.name, setting)
  }
  const ids = objectOf(objectOf(model.raw)?.['settingIds'])
  return (name) => {
    // Several names may refer to one id; the model's own list of names contains only the first.
    const id = ids === null ? undefined : memberOf(ids, name)
    const found = (typeof id === 'string' ? byId.get(id) : undefined) ?? byName.get(name)
    return found === undefined ? null : { ...found, name }
  }
}
