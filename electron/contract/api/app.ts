import { z } from 'zod'
import { languages } from '../app.ts'
import { anySort, column, nothing, text } from '../argument-parts.ts'
import { downloadsAtOnceAtMost } from '../download.ts'
import { exportDelimiters, exportFormats, type ExportFormat } from '../export.ts'
import { notificationKinds, type NotificationKind, type Place, type QuietHours } from '../notification.ts'
import { gridNames, type GridName } from '../view.ts'
import type { ListLayout } from './views.ts'
import type { NewerVersion } from './newer-version.ts'
import { event, local, method, windowOnly } from '../method.ts'
import type { Progress } from '../progress.ts'
import type { BudgetState } from './budget.ts'
import type { Failure } from '../failure.ts'
import type { PolicyState } from './policy.ts'
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
  /** A value older than this many hours is marked as stale, 1 to 8,760. */
  readonly staleAfterInHours: number
  /** Firmware files fetched at once, 1 to 6. */
  readonly downloadsAtOnce: number
  /** Where firmware files go; null: the system's folder of downloads. */
  readonly downloadFolder: string | null
  /** The format of the last export. */
  readonly exportFormat: ExportFormat
  readonly exportDelimiter: (typeof exportDelimiters)[number]
  /** The events for which the system shows notifications. */
  readonly notifications: readonly NotificationKind[]
  /** A room that is down causes a notification after this many minutes, 1 to 1,440. */
  readonly roomDownAfterInMinutes: number
  /** The daily hours without notifications; null: none. */
  readonly quietHours: QuietHours | null
  /** Columns of the lists; a list without an entry has its default columns. */
  readonly layouts: Readonly<Partial<Record<GridName, ListLayout>>>
  /** Width of the drawer next to a list in CSS pixels, 360 to 640; null: by the width of the window. */
  readonly drawerWidth: number | null
  readonly lastPage: string | null
}

/** Operating systems, as Node names them. */
type Platform =
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
  /** The folder of the log. */
  readonly logs: string
  /** `electron` or `stand-in`: the program that shows the window. */
  readonly shell: 'electron' | 'stand-in' | 'none'
}

export type Theme = 'light' | 'dark' | 'system'
/** Rows are 32 px high, compact 26 (look). */
export type Density = 'regular' | 'compact'

/** Facts about the current organization that the layout always shows. */
export interface AppStatus {
  readonly organizationId: string | null
  readonly deviceCount: number
  readonly roomCount: number
  readonly unreadableCount: number
  /** When the data on screen was last observed; null: nothing was read yet. */
  readonly asOf: number | null
  readonly connection: 'online' | 'offline' | 'unknown'
  /** When the connection state was last observed. */
  readonly connectionAt: number | null
  readonly sync: SyncState
  readonly budget: BudgetState
  readonly writeLock: WriteLock
  /** The administrator's policy, which holds for every organization. */
  readonly policy: PolicyState
  /** A problem to show until it is solved: a damaged cache was set aside, keychain, refused key. */
  readonly problems: readonly AppProblem[]
  /** A newer Headroom; null: none is known. */
  readonly newer: NewerVersion | null
}

export interface AppProblem {
  readonly id: string
  readonly failure: Failure
  readonly since: number
  /** What was already done about it, such as the name of the file set aside. */
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
  /** Tables are rebuilt after an update of the program: calls wait until that is done. */
  rebuilding: event<Progress>(),
  about: method(nothing).returns<About>(),
  status: method(nothing).returns<AppStatus>(),
  /** Problems of the installation and its files, without opening an organization. */
  problems: method(nothing).returns<readonly AppProblem[]>(),
  preferences: method(nothing).returns<Preferences>(),
  setPreferences: local(preferences).returns<Preferences>(),
  /**
   * Opens an address in the system's browser after asking for confirmation for a new host. Allowed are https,
   * and the http addresses of the running demonstration, which only the desktop knows.
   */
  openOutside: windowOnly(
    z.strictObject({
      url: text(2_000).regex(
        /^(?:https:\/\/|http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])[:/])\S+$/i,
        'This must be an https address.',
      ),
    }),
  ).returns<void>(),
  copy: windowOnly(z.strictObject({ text: text(100_000) })).returns<void>(),
  /** For the proxy of the problem `proxy-sign-in`. Fails if it cannot be kept; it holds for this run anyway. */
  signInToProxy: windowOnly(z.strictObject({ user: text(200).min(1), password: text(500) })).returns<void>(),
  /** The user clicked a notification: show its target. */
  opened: event<Place>(),
  /** The status changed: request it again. */
  changed: event<{ readonly what: 'status' }>(),
}
