import { nothing } from '../argument-parts.ts'
import type { UnreadableRecord } from '../device.ts'
import { method } from '../method.ts'
import type { SyncReport } from '../sync.ts'

export const sync = {
  /** Starts a sync of the current organization, or joins the one that runs; answers when it ends. */
  run: method(nothing).returns<SyncReport>(),
  cancel: method(nothing).returns<void>(),
  unreadable: method(nothing).returns<readonly UnreadableRecord[]>(),
}
