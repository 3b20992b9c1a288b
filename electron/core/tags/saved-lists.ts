import type { Workbook } from '../storage/workbook.ts'
import { dropList, hasList, keepList } from './list-rows.ts'
import type { TagIndex } from './tag-index.ts'
import { tagName, type TagName } from './tag-names.ts'
import { stampOf, writeStamp } from './tag-rows.ts'

interface KeepingDeps {
  readonly workbook: Workbook
  readonly index: TagIndex
  readonly newId: () => string
}

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
export async function keepPasted(
  { workbook, index, newId }: KeepingDeps,
  organizationId: string,
  pasted: {
    readonly named: TagName | null
    readonly ownName: string
    readonly createdAt: number
    readonly ids: readonly string[]
  },
): Promise<string> {
  const after = newId()
  const { before, saved } = await workbook.write((transaction) => {
    let list = pasted.named ?? tagName(pasted.ownName, 'name')
    // Two lists pasted within the same minute must not replace each other.
    for (let number = 2; pasted.named === null && hasList(transaction, organizationId, list.word); number++)
      list = tagName(`${pasted.ownName} (${number})`, 'name')
    const stamp = stampOf(transaction, organizationId)
    keepList(transaction, organizationId, { ...list, createdAt: pasted.createdAt, ids: pasted.ids })
    writeStamp(transaction, organizationId, after)
    return { before: stamp, saved: list }
  })
  await index.followAll(organizationId, { before, after }, 'list', saved.word)
  return saved.name
}

/** Throws Failed `not-found`. */
export async function dropPasted(
  { workbook, index, newId }: KeepingDeps,
  organizationId: string,
  list: TagName,
): Promise<void> {
  const after = newId()
  const before = await workbook.write((transaction) => {
    const stamp = stampOf(transaction, organizationId)
    dropList(transaction, organizationId, list)
    writeStamp(transaction, organizationId, after)
    return stamp
  })
  await index.followAll(organizationId, { before, after }, 'list', list.word)
}
