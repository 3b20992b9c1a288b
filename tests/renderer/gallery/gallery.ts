import type { DoubleOptions } from '../double-link.ts'
import { doubleLink } from '../double-link.ts'
import type { english as english_ } from '../../../renderer/locales/i18n.ts'

/**
 * The real view over the double: `?devices=10000&offline&theme=dark#/devices`. Every switch of DoubleOptions is a query
 * parameter; `fail=devices.window:offline` makes a channel fail.
 */
type Messages = typeof english_
/** Every text 40 % longer and marked at both ends: what is cut, or was never put into a locale file, shows. */
function stretched(messages: Messages): Messages {
  const longer = (text: string): string =>
    text
      .split(' | ')
      .map((one) => `⟦${one}${'·'.repeat(Math.ceil(one.replace(/\{\w+\}/g, '').length * 0.4))}⟧`)
      .join(' | ')
  return Object.fromEntries(Object.entries(messages).map(([key, value]) => [key, typeof value === 'string' ? longer(value) : stretched(value)]))
}

const query = new URLSearchParams(location.search)
const on = (name: string): boolean => query.has(name)
const call = { operation: 'ListDevices', host: 'api.cloud.jabra.com' }
const failures = Object.fromEntries(
  query.getAll('fail').map((entry) => {
    const [channel = '', kind = 'service-unavailable'] = entry.split(':')
    return [
      channel,
      kind === 'offline' ? { kind, call, message: 'ENOTFOUND' } : { kind: 'service-unavailable', call, status: 503, message: 'Service Unavailable' },
    ] as const
  }),
) as DoubleOptions['failures']

const double = doubleLink({
  devices: Number(query.get('devices') ?? 10_000),
  offline: on('offline'),
  empty: on('empty'),
  syncing: on('syncing'),
  none: on('none'),
  demonstration: on('demonstration'),
  refused: on('refused'),
  keychain: !on('no-keychain'),
  unpublished: on('unpublished'),
  unlocked: on('unlocked'),
  unwritten: on('unwritten'),
  unlooked: on('unlooked'),
  stale: on('stale'),
  ...(query.has('changes') ? { changes: Number(query.get('changes')) } : {}),
  reboot: (query.get('reboot') ?? 'accepted') as DoubleOptions['reboot'],
  pausedForInMs: Number(query.get('paused') ?? 0) * 1000,
  failures,
  troubles: on('trouble')
    ? [
        {
          id: 'cache',
          failure: { kind: 'cache-unusable', file: 'store.sqlite', reason: 'damaged', message: 'database disk image is malformed' },
          since: Date.now(),
          done: 'Kept as store.damaged-20261121.sqlite.',
        },
      ]
    : [],
})
const theme = query.get('theme')
if (theme === 'dark' || theme === 'light' || theme === 'system') await double.ask('app.setPreferences', { theme })
;(globalThis as { headroom?: unknown }).headroom = double
if (on('pseudo')) {
  const { english, i18n } = await import('../../../renderer/locales/i18n.ts')
  i18n.global.setLocaleMessage('en', stretched(english))
}
await import('../../../renderer/main.ts')
