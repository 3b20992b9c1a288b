import type { DoubleOptions } from '../double-link.ts'
import { doubleLink } from '../double-link.ts'
import type { Preferences } from '../../../electron/contract/app.ts'

/**
 * The real view over the double: `?devices=10000&offline&theme=dark#/devices`. Every switch of DoubleOptions is a query
 * parameter; `fail=devices.window:offline` makes a channel fail.
 */
const query = new URLSearchParams(location.search)
const on = (name: string): boolean => query.has(name)
const call = { operation: 'ListDevices', host: 'api.cloud.jabra.com' }
const failures = Object.fromEntries(
  query.getAll('fail').map((entry) => {
    const [channel = '', kind = 'service-unavailable'] = entry.split(':')
    return [
      channel,
      kind === 'offline'
        ? { kind, call, message: 'ENOTFOUND' }
        : { kind: 'service-unavailable', call, status: 503, message: 'Service Unavailable' },
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
  keys: (['two', 'swapped', 'refused'] as const).find((word) => word === query.get('keys')) ?? 'one',
  unpublished: on('unpublished'),
  unlocked: on('unlocked'),
  unwritten: on('unwritten'),
  goldenless: on('goldenless'),
  settingsUnread: on('settings-unread'),
  jobless: on('jobless'),
  otherProgram: on('other-program'),
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
          failure: {
            kind: 'cache-unusable',
            file: 'store.sqlite',
            reason: 'damaged',
            message: 'database disk image is malformed',
          },
          since: Date.now(),
          done: 'Kept as store.damaged-20261121.sqlite.',
        },
      ]
    : [],
})
const one = <T extends string>(name: string, words: readonly T[]): T | undefined =>
  words.find((word) => word === query.get(name))
const chosen: { [K in keyof Preferences]?: Preferences[K] | undefined } = {
  theme: one('theme', ['light', 'dark', 'system']),
  contrast: one('contrast', ['regular', 'high']),
  density: one('density', ['regular', 'compact']),
  language: on('pseudo') ? 'pseudo' : undefined,
  timeZone: query.get('zone') ?? undefined,
}
await double.call(
  'app.setPreferences',
  Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)),
)
;(globalThis as { headroom?: unknown }).headroom = double
// Jobs go on while one looks.
if (on('live')) setInterval(() => double.announce('jobs.changed', { ids: [] }), 1_000)
await import('../../../renderer/main.ts')
