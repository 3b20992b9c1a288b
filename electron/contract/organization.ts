import type { AssumedWords, AssumedList } from './api/organizations.ts'

/** Assumed: the specification, part 2, names the enumerations and shows no words of them. */
export const assumedWords: AssumedWords = {
  buildTypes: ['Release', 'Test', 'Debug'],
  platforms: ['Windows', 'macOS', 'Linux', 'Android', 'iOS'],
  agentTypes: ['DesktopAgent', 'RoomAgent'],
}
export const assumedLists = Object.keys(assumedWords) as readonly AssumedList[]
/** Chosen: more or longer words are a list that was pasted, not one to choose from. */
export const assumedAtMost = { words: 30, characters: 60 } as const
