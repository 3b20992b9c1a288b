import type { BudgetState } from './budget.ts'
import type { Failure } from './failure.ts'
import type { exportDelimiters, ExportFormat } from './export.ts'
import type { SyncState } from './sync.ts'
import type { ListLayout, ListName } from './view.ts'
import type { WriteLock } from './write.ts'

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
export const languages = ['en', 'pseudo'] as const
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
  /** What the last export used. */
  readonly exportFormat: ExportFormat
  readonly exportDelimiter: (typeof exportDelimiters)[number]
  /** Columns of the lists; a list without an entry has its own default. */
  readonly layouts: Readonly<Partial<Record<ListName, ListLayout>>>
  readonly lastPage: string | null
}

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
