import type { AssumedValues, AssumedList } from './api/organizations.ts'

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
