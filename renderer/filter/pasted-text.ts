import { tagAtMost } from '../../electron/contract/tag.ts'

/** What is wrong with a list's name (contract: tag.ts); null: nothing. An empty name is named after the time. */
export function wrongName(name: string): 'long' | 'letters' | null {
  const trimmed = name.trim()
  if (trimmed.length > tagAtMost) return 'long'
  return /[\p{Cc},"]/u.test(trimmed) ? 'letters' : null
}

/** Whether a file that was dropped holds text: spreadsheets and archives hold zero bytes, text does not. */
export const isText = (text: string): boolean => !text.slice(0, 4_096).includes('\0')

/** How many words there are to look for; the core parts them the same way (contract: PastedList). */
export const wordCount = (text: string): number => text.match(/[^\s,;"']+/g)?.length ?? 0
