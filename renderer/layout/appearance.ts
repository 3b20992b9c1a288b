import type { Preferences } from '../../electron/contract/api/app.ts'
import { setLanguage } from '../locales/i18n.ts'
import { drawerWidth } from '../components/drawer-width.ts'
import { setTimeZone } from '../components/format.ts'
import { setStaleAfter } from '../components/stale-limit.ts'

const asks = (query: string): MediaQueryList | null =>
  typeof matchMedia === 'function' ? matchMedia(query) : null

/** Applies the preferences everywhere at once. A preference left to the system follows the system. */
export function applyPreferences(preferences: Preferences): void {
  const { theme, contrast, density, language, timeZone, staleAfterInHours, drawerWidth: wide } = preferences
  setLanguage(language)
  setTimeZone(timeZone)
  setStaleAfter(staleAfterInHours)
  drawerWidth.value = wide
  if (typeof document === 'undefined') return
  const root = document.documentElement.dataset
  root['theme'] =
    theme === 'system' ? (asks('(prefers-color-scheme: dark)')?.matches ? 'dark' : 'light') : theme
  root['contrast'] = contrast === 'high' || asks('(prefers-contrast: more)')?.matches ? 'high' : 'regular'
  root['density'] = density
}

/** Calls back when the system changes to dark or to more contrast; returns the function that stops it. */
export function followSystem(changed: () => void): () => void {
  const lists = [asks('(prefers-color-scheme: dark)'), asks('(prefers-contrast: more)')]
  for (const list of lists) list?.addEventListener('change', changed)
  return () => {
    for (const list of lists) list?.removeEventListener('change', changed)
  }
}
