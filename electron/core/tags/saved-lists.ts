import { momentText } from '../../contract/date-text.ts'
import type { Workbook } from '../storage/workbook.ts'
import { hasList, keepList } from './list-rows.ts'
import { tagName, type TagName } from './tag-names.ts'

/** `Pasted 21 Nov 2026 14:02`, in the technician's time zone; null: the system's. */
export const pastedName = (at: number, timeZone: string | null): string =>
  `Pasted ${momentText(at, timeZone ?? undefined)}`

/**
 * Writes a list completely or not at all; returns its name. `named` null: `ownName`, with a number if that is
 * taken.
 */
export const keepPasted = (
  workbook: Workbook,
  organizationId: string,
  pasted: {
    readonly named: TagName | null
    readonly ownName: string
    readonly createdAt: number
    readonly ids: readonly string[]
  },
): Promise<string> =>
  workbook.write((transaction) => {
    let list = pasted.named ?? tagName(pasted.ownName, 'name')
    // Two lists pasted within the same minute must not replace each other.
    for (let number = 2; pasted.named === null && hasList(transaction, organizationId, list.word); number++)
      list = tagName(`${pasted.ownName} (${number})`, 'name')
    keepList(transaction, organizationId, { ...list, createdAt: pasted.createdAt, ids: pasted.ids })
    return list.name
  })
