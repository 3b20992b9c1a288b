import type { exportDelimiters, ExportFormat } from './export.ts'
import type { ListLayout } from './api/views.ts'
import type { ListName } from './view.ts'
import type { Theme, Density } from './api/app.ts'

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
