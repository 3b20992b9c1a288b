import { spacedName } from '../../electron/contract/setting-name.ts'
import { i18n, text } from '../locales/i18n.ts'

/**
 * The status marks: each has a shape, a colour, and always a text beside it. `off`: offline. `idle`: nothing
 * happens, or nothing is there.
 */
export type StatusKind = 'ok' | 'off' | 'unknown' | 'idle' | 'busy' | 'paused' | 'warn' | 'bad' | 'locked'

const kinds: ReadonlyMap<string, StatusKind> = new Map<string, StatusKind>(
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

/** An unknown status is shown as received, with a triangle, or with an octagon if it indicates a failure. */
export const markOfStatus = (status: string): StatusKind =>
  kinds.get(status.toLowerCase()) ?? (/fail|error/i.test(status) ? 'bad' : 'warn')

/** Known values in the user's language; any other as received, in separate words: `NotProvisioned` is *Not provisioned*. */
export const wordOfStatus = (status: string): string => {
  const key = `status.${status.toLowerCase()}`
  return kinds.has(status.toLowerCase()) && i18n.global.te(key)
    ? text(key)
    : /[a-z][A-Z]/.test(status)
      ? spacedName(status)
      : status
}
