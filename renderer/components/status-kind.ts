import { i18n, text } from '../locales/i18n.ts'

/** The marks of the look: each a shape, a colour and always a word beside it. `off`: offline. `idle`: nothing happens, or nothing is there. */
export type MarkKind = 'ok' | 'off' | 'unknown' | 'idle' | 'busy' | 'warn' | 'bad' | 'locked'

const kinds: ReadonlyMap<string, MarkKind> = new Map<string, MarkKind>(
  Object.entries({
    online: 'ok',
    connected: 'ok',
    offline: 'off',
    disconnected: 'off',
    rebooting: 'busy',
    updating: 'busy',
    unknown: 'unknown',
    gone: 'idle',
  } as const),
)

/** A status word that is not ours is shown as received, with a triangle, or an octagon where the word itself tells of a failure. */
export const markOfStatus = (status: string): MarkKind =>
  kinds.get(status.toLowerCase()) ?? (/fail|error/i.test(status) ? 'bad' : 'warn')

/** Our words in the reader's language; any other as received. */
export const wordOfStatus = (status: string): string => {
  const key = `status.${status.toLowerCase()}`
  return kinds.has(status.toLowerCase()) && i18n.global.te(key) ? text(key) : status
}
