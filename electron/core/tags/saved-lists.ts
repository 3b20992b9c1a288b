import type { Workbook } from '../storage/workbook.ts'
import { hasList, keepList } from './list-rows.ts'
import { tagName, type TagName } from './tag-names.ts'

/** `Pasted 21 Nov 2026 14:02`, in the technician's time zone; null: the system's. */
export function pastedName(at: number, timeZone: string | null): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === null ? {} : { timeZone }),
  } satisfies Intl.DateTimeFormatOptions).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? ''
  return `Pasted ${of('day')} ${of('month')} ${of('year')} ${of('hour')}:${of('minute')}`
}

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
