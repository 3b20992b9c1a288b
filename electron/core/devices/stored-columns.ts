import { deviceFields } from '../../contract/fields/device.ts'
import type { Field, KeysWith, SortKind, Stored } from '../../contract/fields/field.ts'
import { folded } from '../../contract/filter/folded.ts'
import type { SqlOrder } from '../lists/sql-order.ts'
import { versionKey } from '../lists/version-order.ts'
import { naturalKey, searchable } from '../storage/search-text.ts'

/** The values of a device's record that are stored as columns; null if not stated. */
export type StoredDevice = Stored<typeof deviceFields>
export type StoredKey = KeysWith<typeof deviceFields, 'stored'>

/** A MAC address in any notation, in the form that rows store for comparison. */
export const normalizedMac = (text: string): string => folded(text).replaceAll(/[\s:.-]/g, '')

/** A fleet runs some hundred versions: their keys are cached. */
const versionKeys = new Map<string, string>()
const versionKeysAtMost = 2_000

export function keyOfVersion(version: string): string {
  const known = versionKeys.get(version)
  if (known !== undefined) return known
  if (versionKeys.size >= versionKeysAtMost) versionKeys.clear()
  const key = versionKey(version)
  versionKeys.set(version, key)
  return key
}

/** The sort key of a text that does not sort as itself: a separate column, `…_key`. */
const keyMakers: Readonly<Partial<Record<SortKind, (text: string) => string>>> = {
  natural: naturalKey,
  version: keyOfVersion,
  address: (text) => text.replaceAll(/\d+/g, (digits) => digits.padStart(3, '0')),
  mac: normalizedMac,
}

const snakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Texts that are not compared folded: they are compared by their class, or as search text. */
const comparedOtherwise = new Set(['status', 'productName', 'macAddress', 'clientType'])

interface StoredColumn {
  readonly key: StoredKey
  readonly name: string
  readonly type: 'TEXT' | 'INTEGER'
  readonly always: boolean
  readonly sort: SortKind | undefined
  readonly keyOf: ((text: string) => string) | undefined
  /** A text that is compared folded; LIKE folds printable ASCII by itself. */
  readonly folded: boolean
}

const fields: readonly Field[] = deviceFields
const columns: readonly StoredColumn[] = fields
  .filter(({ stored }) => stored === true)
  .map(({ key, type, sort, filter }) => ({
    key: key as StoredKey,
    name: snakeCase(key),
    type: type === 'number' || type === 'time' ? 'INTEGER' : 'TEXT',
    always: filter?.always === true,
    sort,
    keyOf: sort === undefined ? undefined : keyMakers[sort],
    folded: type === 'text' && !comparedOtherwise.has(key),
  }))

/** Texts that are compared folded. */
export const textKeys: readonly StoredKey[] = columns.flatMap(({ key, folded: isFolded }) =>
  isFolded ? [key] : [],
)

/** The columns of `device_row` that hold values of records, in the order of `storedValues`. */
export const storedColumns: readonly string[] = columns.flatMap(({ name, keyOf }) =>
  keyOf === undefined ? [name] : [name, `${name}_key`],
)

export const storedSchema = columns
  .flatMap(({ name, type, always, keyOf }) => {
    const end = always ? ' NOT NULL' : ''
    return [`${name} ${type}${end},`, ...(keyOf === undefined ? [] : [`${name}_key TEXT${end},`])]
  })
  .join('\n      ')

/** The same for reading rows `d`. */
export const storedSelect = columns.map(({ name }) => `d.${name}`).join(', ')

export function storedValues(device: StoredDevice): (string | number | null)[] {
  const values: (string | number | null)[] = []
  for (const { key, keyOf } of columns) {
    const value = device[key]
    values.push(value)
    if (keyOf !== undefined) values.push(typeof value === 'string' ? keyOf(value) : null)
  }
  return values
}

/**
 * The values to compare instead of those in the columns, by column, as JSON; null for most devices, whose
 * columns are compared directly.
 */
export function foldedTexts(device: StoredDevice): string | null {
  let others: Record<string, string> | null = null
  for (const { key, name, folded: isFolded } of columns) {
    const value = isFolded ? device[key] : null
    if (typeof value === 'string' && !/^[ -~]*$/.test(value))
      (others ??= {})[name] = searchable([value.replaceAll('\n', ' ')])
  }
  return others === null ? null : JSON.stringify(others)
}

export function storedOf(row: Readonly<Record<string, unknown>>): StoredDevice {
  const device: Record<string, string | number | null> = {}
  for (const { key, name, type } of columns) {
    const value = row[name]
    device[key] = typeof value === (type === 'TEXT' ? 'string' : 'number') ? (value as string | number) : null
  }
  return device as StoredDevice
}

const ofEach = <T>(make: (column: StoredColumn) => T): Readonly<Record<StoredKey, T>> =>
  Object.fromEntries(columns.map((column) => [column.key, make(column)])) as Record<StoredKey, T>

/** The sort expressions of rows `d`. */
export const storedOrders = ofEach(({ name, always, sort, keyOf }): SqlOrder => {
  const by = keyOf === undefined ? `d.${name}${sort === 'text' ? ' COLLATE NOCASE' : ''}` : `d.${name}_key`
  return always ? { by, always } : { by }
})

/** The comparison expressions on rows `d`. */
export const storedPlaces = ofEach(({ name, sort, folded: isFolded }) => ({
  by: isFolded
    ? `COALESCE(d.folded ->> '$.${name}', d.${name})`
    : `d.${name}${sort === 'version' ? '_key' : ''}`,
  known: `d.${name}`,
}))
