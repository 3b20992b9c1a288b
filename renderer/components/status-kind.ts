import { spacedName } from '../../electron/contract/setting-name.ts'
import { i18n, text } from '../locales/i18n.ts'
import { formatAge } from './format.ts'

/**
 * The status marks: each has a shape, a colour, and always a text beside it. `off`: offline. `idle`: nothing
 * happens, or nothing is there.
 */
export type StatusKind =
  | 'ok'
  | 'off'
  | 'unknown'
  | 'idle'
  | 'busy'
  | 'paused'
  | 'warn'
  | 'bad'
  | 'locked'
  | 'unlocked'

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

interface Observed {
  readonly status: string
  /** No longer listed by the service. */
  readonly gone: unknown
  /** Epoch milliseconds. */
  readonly observedAt: number
}

/**
 * The mark and the text of a status: an observation older than the limit loses its colour and shows its age.
 * A gone item is always shown as gone.
 */
export function visibleStatus(
  { status, gone, observedAt }: Observed,
  nowAt: number,
  staleAfterInMs: number,
): { readonly kind: StatusKind; readonly label: string } {
  const now = gone ? 'gone' : status
  if (gone || nowAt - observedAt <= staleAfterInMs)
    return { kind: markOfStatus(now), label: wordOfStatus(now) }
  return {
    kind: 'unknown',
    label: text('components.statusWas', { status: wordOfStatus(status), age: formatAge(observedAt, nowAt) }),
  }
}
