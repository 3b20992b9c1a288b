import { z } from 'zod'
import { languages } from '../app.ts'
import { anySort, column, nothing, text } from '../argument-parts.ts'
import { downloadsAtOnceAtMost } from '../download.ts'
import { exportDelimiters, exportFormats, type ExportFormat } from '../export.ts'
import { notificationKinds, type NotificationKind, type Place, type QuietHours } from '../notification.ts'
import { gridNames, type GridName } from '../view.ts'
import type { ListLayout } from './views.ts'
import { event, method } from '../method.ts'
import type { BudgetState } from './budget.ts'
import type { Failure } from '../failure.ts'
import type { SyncState } from './sync.ts'
import type { WriteLock } from './writes.ts'

export interface Preferences {
  readonly theme: Theme
  readonly contrast: 'regular' | 'high'
  readonly density: Density
  /** `pseudo`: English with marks and 40 % more letters, to prove that every text comes from a locale file. */
  readonly language: (typeof languages)[number]
  /** IANA name; null: the system's. */
  readonly timeZone: string | null
  /** Minutes between planned syncs, 1 to 1,440. */
  readonly syncEveryInMinutes: number
  /** A value older than so many hours is marked as stale, 1 to 8,760. */
  readonly staleAfterInHours: number
  /** Firmware files fetched at once, 1 to 6. */
  readonly downloadsAtOnce: number
  /** Where firmware files go; null: the system's folder of downloads. */
  readonly downloadFolder: string | null
  /** What the last export used. */
  readonly exportFormat: ExportFormat
  readonly exportDelimiter: (typeof exportDelimiters)[number]
  /** What the system shows notifications of. */
  readonly notifications: readonly NotificationKind[]
  /** A room that is down is told after so many minutes, 1 to 1,440. */
  readonly roomDownAfterInMinutes: number
  /** When no notification is shown, every day; null: there is no such time. */
  readonly quietHours: QuietHours | null
  /** Columns of the lists; a list without an entry has its own default. */
  readonly layouts: Readonly<Partial<Record<GridName, ListLayout>>>
  /** CSS pixels of the drawer beside a list, 360 to 640; null: by the width of the window. */
  readonly drawerWidth: number | null
  readonly lastPage: string | null
}

/** Operating systems, as Node names them. */
export type Platform =
  | 'aix'
  | 'android'
  | 'cygwin'
  | 'darwin'
  | 'freebsd'
  | 'haiku'
  | 'linux'
  | 'netbsd'
  | 'openbsd'
  | 'sunos'
  | 'win32'

export interface About {
  readonly version: string
  readonly platform: Platform
  /** Of the processor, as Node names it: `x64`, `arm64`. */
  readonly architecture: string
  readonly home: string
  /** `electron` or `stand-in`: what the window runs on. */
  readonly shell: 'electron' | 'stand-in' | 'none'
}

export type Theme = 'light' | 'dark' | 'system'
/** Rows are 32 px high, compact 26 (look). */
export type Density = 'regular' | 'compact'

/** What the frame always shows of the current organization. */
export interface Standing {
  readonly organizationId: string | null
  readonly deviceCount: number
  readonly roomCount: number
  readonly unreadableCount: number
  /** Changes since they were last marked as seen. */
  readonly newChangeCount: number
  /** When the data on screen was last observed; null: nothing read yet. */
  readonly asOf: number | null
  readonly connection: 'online' | 'offline' | 'unknown'
  /** When the connection state was last learnt. */
  readonly connectionAt: number | null
  readonly sync: SyncState
  readonly budget: BudgetState
  readonly writeLock: WriteLock
  /** Trouble to show until it is put right: damaged cache set aside, keychain, refused key. */
  readonly troubles: readonly Trouble[]
}

export interface Trouble {
  readonly id: string
  readonly failure: Failure
  readonly since: number
  /** What was done about it already, such as the name of the file set aside. */
  readonly done: string | null
}

const layout = z.strictObject({
  columns: z
    .array(z.strictObject({ column, width: z.int().min(20).max(4_000).nullable(), pinned: z.boolean() }))
    .max(60)
    .readonly(),
  sort: anySort,
  group: column.nullable().exactOptional(),
})

const minute = z.int().min(0).max(1_439)

const preferences = z.strictObject({
  theme: z.enum(['light', 'dark', 'system']).exactOptional(),
  contrast: z.enum(['regular', 'high']).exactOptional(),
  density: z.enum(['regular', 'compact']).exactOptional(),
  language: z.enum(languages).exactOptional(),
  timeZone: text(100).nullable().exactOptional(),
  syncEveryInMinutes: z.int().min(1).max(1_440).exactOptional(),
  staleAfterInHours: z.int().min(1).max(8_760).exactOptional(),
  downloadsAtOnce: z.int().min(1).max(downloadsAtOnceAtMost).exactOptional(),
  downloadFolder: text(4_000).nullable().exactOptional(),
  exportFormat: z.enum(exportFormats).exactOptional(),
  exportDelimiter: z.enum(exportDelimiters).exactOptional(),
  notifications: z.array(z.enum(notificationKinds)).max(notificationKinds.length).readonly().exactOptional(),
  roomDownAfterInMinutes: z.int().min(1).max(1_440).exactOptional(),
  quietHours: z.strictObject({ from: minute, to: minute }).nullable().exactOptional(),
  layouts: z.partialRecord(z.enum(gridNames), layout).exactOptional(),
  drawerWidth: z.int().min(360).max(640).nullable().exactOptional(),
  lastPage: text(500).nullable().exactOptional(),
} satisfies { readonly [K in keyof Preferences]: unknown })

export const app = {
  about: method(nothing).returns<About>(),
  standing: method(nothing).returns<Standing>(),
  preferences: method(nothing).returns<Preferences>(),
  setPreferences: method(preferences).returns<Preferences>(),
  /**
   * Opens an address in the system's browser: https, or of the running demonstration (which of http is for the desktop
   * to say); asks for a host that was not opened before.
   */
  openOutside: method(
    z.strictObject({
      url: text(2_000).regex(/^(?:https:\/\/|http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])[:/])\S+$/i),
    }),
  ).returns<void>(),
  copy: method(z.strictObject({ text: text(100_000) })).returns<void>(),
  /** A notification was clicked: its place is to be shown. */
  opened: event<Place>(),
  /** The standing changed: ask again. */
  changed: event<{ readonly what: 'standing' }>(),
}
