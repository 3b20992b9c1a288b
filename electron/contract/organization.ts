import type { AssumedValues, AssumedList, OrganizationDraft } from './api/organizations.ts'

/** Assumed, because no values are published (services.md#A33). */
export const assumedValues: AssumedValues = {
  buildTypes: ['Release', 'Test', 'Debug'],
  platforms: ['Windows', 'macOS', 'Linux', 'Android', 'iOS'],
  agentTypes: ['DesktopAgent', 'RoomAgent'],
}
export const assumedLists = Object.keys(assumedValues) as readonly AssumedList[]
/**
 * More or longer values are probably a pasted text and not a list of choices. Raise it if real lists are
 * longer.
 */
export const assumedAtMost = { words: 30, characters: 60 } as const

/** What the service does not publish: typed as one JSON text, or read from a file. */
export const advancedMembers = [
  'family',
  'vendorId',
  'rebootBy',
  'templates',
  'assumed',
] as const satisfies readonly (keyof OrganizationDraft)[]

export const advancedText = (draft: OrganizationDraft): string =>
  JSON.stringify(Object.fromEntries(advancedMembers.map((name) => [name, draft[name]])), null, 2)

/**
 * A draft with the members of a JSON text: any of a profile but its name and preset, those of objects one by
 * one. A text: the member that cannot be used; empty: it is not a JSON object. Values are checked later.
 */
export function withAdvanced(json: string, draft: OrganizationDraft): OrganizationDraft | string {
  const given = objectIn(json)
  if (given === null) return ''
  const { name: _, preset: __, ...known } = draft
  const members = mergedMembers(known, given, '')
  return typeof members === 'string' ? members : { ...draft, ...members }
}

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function mergedMembers(known: Members, given: Members, path: string): Members | string {
  const merged: Record<string, unknown> = { ...known }
  for (const [name, value] of Object.entries(given)) {
    const before = known[name]
    const place = path + name
    if (!Object.hasOwn(known, name)) return place
    const mayBeNull = before === null || place === 'definitionLimit' || path === 'templates.'
    if (isObject(before) && isObject(value)) {
      const inside = mergedMembers(before, value, `${place}.`)
      if (typeof inside === 'string') return inside
      merged[name] = inside
    } else if (mayBeNull ? value === null || typeof value === 'string' : isLike(value, before))
      merged[name] = value
    else return place
  }
  return merged
}

const isLike = (value: unknown, other: unknown): boolean =>
  value !== null && typeof value === typeof other && Array.isArray(value) === Array.isArray(other)

function objectIn(json: string): Members | null {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
