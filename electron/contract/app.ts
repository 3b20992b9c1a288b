import type { BudgetState } from './budget.ts'
import type { Failure } from './failure.ts'
import type { SyncState } from './sync.ts'
import type { WriteLock } from './write.ts'

export interface About {
  readonly version: string
  readonly platform: string
  readonly home: string
  /** `electron` or `stand-in`: what the window runs on. */
  readonly shell: 'electron' | 'stand-in' | 'none'
}

export type Theme = 'light' | 'dark' | 'system'
export interface Preferences {
  readonly theme: Theme
  readonly lastPage: string | null
}

/** What the frame always shows of the current organization. */
export interface Standing {
  readonly organizationId: string | null
  readonly deviceCount: number
  readonly roomCount: number
  readonly unreadableCount: number
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
