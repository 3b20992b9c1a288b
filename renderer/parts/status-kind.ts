import { i18n, text } from '../locales/i18n.ts'

/** The six marks of the look: each a shape, a colour and always a word beside it. */
export type MarkKind = 'ok' | 'off' | 'unknown' | 'busy' | 'warn' | 'bad'

const kinds: Readonly<Record<string, MarkKind>> = {
  online: 'ok',
  connected: 'ok',
  offline: 'off',
  disconnected: 'off',
  rebooting: 'busy',
  updating: 'busy',
  unknown: 'unknown',
}

/** A status word that is not ours is shown as received, with a triangle: it wants to be noticed, it is no failure. */
export const markOfStatus = (status: string): MarkKind => kinds[status.toLowerCase()] ?? 'warn'

/** Our words in the reader's language; any other as received. */
export const wordOfStatus = (status: string): string => {
  const key = `status.${status.toLowerCase()}`
  return Object.hasOwn(kinds, status.toLowerCase()) && i18n.global.te(key) ? text(key) : status
}
