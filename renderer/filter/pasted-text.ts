import { tagAtMost } from '../../electron/contract/tag.ts'

/** The problem of a list's name (contract: tag.ts); null: none. An empty name is replaced by the time. */
export function wrongName(name: string): 'long' | 'letters' | null {
  const trimmed = name.trim()
  if (trimmed.length > tagAtMost) return 'long'
  return /[\p{Cc},"]/u.test(trimmed) ? 'letters' : null
}

/** Whether a dropped file is text: spreadsheets and archives contain bytes of value zero, text does not. */
export const isText = (text: string): boolean => !text.slice(0, 4_096).includes('\0')

/** The number of entries to look up; the core splits them the same way (contract: PastedList). */
export const wordCount = (text: string): number => text.match(/[^\s,;"']+/g)?.length ?? 0
