import { z } from 'zod'
import { nothing, refresh, text } from '../argument-parts.ts'
import type { DocumentCacheSize, RecoveryAnswer, Telemetry, VersionWatch } from '../metadata.ts'
import { method } from '../method.ts'

export const metadata = {
  telemetry: method(refresh).returns<Telemetry>(),
  /** `text`: a USB id of a device in recovery mode, in any notation. */
  recovery: method(z.strictObject({ text: text(200) })).returns<RecoveryAnswer>(),
  versions: method(refresh).returns<VersionWatch>(),
  cacheSize: method(nothing).returns<DocumentCacheSize>(),
  clearCache: method(nothing).returns<DocumentCacheSize>(),
}
