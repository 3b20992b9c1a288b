import { z } from 'zod'
import { languages, type About, type Preferences, type Standing } from '../app.ts'
import { anySort, column, nothing, text } from '../argument-parts.ts'
import { exportDelimiters, exportFormats } from '../export.ts'
import { event, method } from '../method.ts'

const layout = z.strictObject({
  columns: z
    .array(z.strictObject({ column, width: z.int().min(20).max(4_000).nullable(), pinned: z.boolean() }))
    .max(60)
    .readonly(),
  sort: anySort,
})

const preferences = z.strictObject({
  theme: z.enum(['light', 'dark', 'system']).exactOptional(),
  contrast: z.enum(['regular', 'high']).exactOptional(),
  density: z.enum(['regular', 'compact']).exactOptional(),
  language: z.enum(languages).exactOptional(),
  timeZone: text(100).nullable().exactOptional(),
  syncEveryInMinutes: z.int().min(1).max(1_440).exactOptional(),
  staleAfterInHours: z.int().min(1).max(8_760).exactOptional(),
  exportFormat: z.enum(exportFormats).exactOptional(),
  exportDelimiter: z.enum(exportDelimiters).exactOptional(),
  layouts: z
    .strictObject({
      devices: layout.exactOptional(),
      rooms: layout.exactOptional(),
      changes: layout.exactOptional(),
      journal: layout.exactOptional(),
    })
    .exactOptional(),
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
  /** The standing changed: ask again. */
  changed: event<{ readonly what: 'standing' }>(),
}
