import { languages } from '../../contract/app.ts'
import type { Preferences } from '../../contract/api/app.ts'
import type { Theme } from '../../contract/api/app.ts'
import { downloadsAtOnceAtMost } from '../../contract/download.ts'
import { exportDelimiters, exportFormats } from '../../contract/export.ts'
import { Failed } from '../../contract/failure.ts'
import { notificationKinds, type QuietHours } from '../../contract/notification.ts'
import { isTimeZone } from '../../contract/time-zone.ts'
import { gridNames, type GridName } from '../../contract/view.ts'
import type { ListLayout } from '../../contract/api/views.ts'
import type { SqlRow, SqlValue, Transaction } from '../platform.ts'
import { isJsonObject } from '../../contract/json.ts'

const themes: readonly Theme[] = ['light', 'dark', 'system']
/** The limit of the contract's schema. */
const columnsAtMost = 60
const sortsAtMost = 4
const lettersAtMost = 40
const width = { least: 20, most: 4_000 }

/** Accepts altered data: an unknown value from a later or altered file gives the default, never an error. */
export function parsePreferences(rows: readonly SqlRow[]): Preferences {
  const found = new Map(rows.map((row) => [String(row['name']), parsed(row['value'])]))
  const lastPage = found.get('lastPage')
  const one = <T>(name: string, words: readonly T[], otherwise: T): T =>
    words.find((word) => word === found.get(name)) ?? otherwise
  const whole = (name: string, most: number, otherwise: number): number => {
    const value = found.get(name)
    return isWhole(value, 1, most) ? value : otherwise
  }
  const timeZone = found.get('timeZone')
  const drawerWidth = found.get('drawerWidth')
  const downloadFolder = found.get('downloadFolder')
  const notifications = found.get('notifications')
  return {
    theme: one('theme', themes, 'system'),
    contrast: one('contrast', ['regular', 'high'] as const, 'regular'),
    density: one('density', ['regular', 'compact'] as const, 'regular'),
    language: one('language', languages, 'en'),
    timeZone: typeof timeZone === 'string' && isPlace(timeZone) ? timeZone : null,
    syncEveryInMinutes: whole('syncEveryInMinutes', 1_440, 15),
    staleAfterInHours: whole('staleAfterInHours', 8_760, 24),
    downloadsAtOnce: whole('downloadsAtOnce', downloadsAtOnceAtMost, 3),
    downloadFolder: typeof downloadFolder === 'string' ? downloadFolder : null,
    exportFormat: one('exportFormat', exportFormats, 'csv'),
    exportDelimiter: one('exportDelimiter', exportDelimiters, ','),
    notifications: notificationKinds.filter(
      (kind) => Array.isArray(notifications) && notifications.includes(kind),
    ),
    roomDownAfterInMinutes: whole('roomDownAfterInMinutes', 1_440, 10),
    quietHours: quietHoursIn(found.get('quietHours')),
    layouts: layoutsIn(found.get('layouts')),
    drawerWidth: isWhole(drawerWidth, 360, 640) ? drawerWidth : null,
    lastPage: typeof lastPage === 'string' ? lastPage : null,
  }
}

/**
 * Changes the given members; layouts list by list. A layout without columns, order and group restores the
 * list's default. Throws Failed `invalid`.
 */
export function writePreferences(transaction: Transaction, changed: Partial<Preferences>): void {
  const { timeZone } = changed
  if (typeof timeZone === 'string' && !isPlace(timeZone))
    throw Failed.invalid('timeZone', 'There is no time zone with this name. Write it like Europe/Copenhagen.')
  for (const [name, value] of Object.entries(changed)) {
    const previous =
      name === 'layouts'
        ? transaction.first(`SELECT value FROM preference WHERE name = 'layouts'`)?.['value']
        : undefined
    writeRemembered(
      transaction,
      name,
      name === 'layouts' ? layoutsIn({ ...layoutsIn(parsed(previous)), ...changed.layouts }) : value,
    )
  }
}

/** A separate row in addition to the preferences, such as the window's position. */
export function writeRemembered(transaction: Transaction, name: string, value: unknown): void {
  transaction.run(
    'INSERT INTO preference (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, JSON.stringify(value)],
  )
}

export function parsed(value: SqlValue | undefined): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return null
  }
}

function quietHoursIn(value: unknown): QuietHours | null {
  if (!isJsonObject(value)) return null
  const { from, to } = value
  return isWhole(from, 0, 1_439) && isWhole(to, 0, 1_439) ? { from, to } : null
}

function layoutsIn(value: unknown): Preferences['layouts'] {
  if (!isJsonObject(value)) return {}
  const layouts: Partial<Record<GridName, ListLayout>> = {}
  for (const list of gridNames) {
    const layout = layoutIn(Object.hasOwn(value, list) ? value[list] : null)
    if (layout !== null) layouts[list] = layout
  }
  return layouts
}

/** null: nothing in it can be used. Each list decides which columns exist. */
function layoutIn(value: unknown): ListLayout | null {
  if (!isJsonObject(value)) return null
  const columns = onceEach(
    listIn(value['columns']).map(({ column, width: wide, pinned }) => ({
      column,
      width: isWhole(wide, width.least, width.most) ? wide : null,
      pinned: pinned === true,
    })),
  )
  const sort = onceEach(
    listIn(value['sort']).map(({ column, descending }) => ({ column, descending: descending === true })),
  )
  const group = isName(value['group']) ? { group: value['group'] } : {}
  if (columns.length === 0 && sort.length === 0 && !('group' in group)) return null
  return { columns: columns.slice(0, columnsAtMost), sort: sort.slice(0, sortsAtMost), ...group }
}

type Named = Readonly<Record<string, unknown>> & { readonly column: string }

const listIn = (value: unknown): readonly Named[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isNamed) : []

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= lettersAtMost

const isNamed = (value: unknown): value is Named => isJsonObject(value) && isName(value['column'])

const onceEach = <T extends { readonly column: string }>(entries: readonly T[]): readonly T[] =>
  entries.filter((entry, index) => entries.findIndex((other) => other.column === entry.column) === index)

const isWhole = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most

/** Only zone names: offsets such as +01:00 have no daylight saving time. */
const isPlace = (name: string): boolean => /^[A-Za-z]/.test(name) && isTimeZone(name)
