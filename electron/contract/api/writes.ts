import { nothing } from '../argument-parts.ts'
import { event, method } from '../method.ts'
import type { WriteLock } from '../write.ts'

export const writes = {
  lock: method(nothing).returns<WriteLock>(),
  /** Locks now, whatever was unlocked before. */
  lockNow: method(nothing).returns<WriteLock>(),
  changed: event<{ readonly unlocked: boolean }>(),
}
