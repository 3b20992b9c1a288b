import type { FirmwareWord } from './api/devices.ts'

/** The service's own verdict about a device's firmware. */
export type ServiceVerdict = 'current' | 'behind'

/**
 * The verdict used for comparison. The values are not published: `UpToDate` and `UpdateAvailable` are
 * assumed, with synonyms, in any case and with any separators. null: another value (`Updating`), or none.
 * Change the list if the service sends other values.
 */
export function serviceVerdict(word: string | null): ServiceVerdict | null {
  const bare = word?.toLowerCase().replaceAll(/[^a-z]/g, '') ?? ''
  return upToDate.has(bare) ? 'current' : toUpdate.has(bare) ? 'behind' : null
}

const upToDate: ReadonlySet<string> = new Set(['uptodate', 'current', 'latest', 'noupdateavailable'])
const toUpdate: ReadonlySet<string> = new Set([
  'updateavailable',
  'updaterequired',
  'updateneeded',
  'outdated',
  'outofdate',
  'notuptodate',
])

/**
 * `decides`: the catalogue cannot compare, so the service's verdict is used. `contradicts`: the service
 * disagrees with the catalogue.
 */
export type ServiceRole = 'decides' | 'contradicts'

/** The role of the service's verdict next to the catalogue's; null: there is none, or it agrees. */
export function roleOf(catalogue: FirmwareWord, verdict: ServiceVerdict | null): ServiceRole | null {
  if (verdict === null) return null
  if (catalogue === 'unknown') return 'decides'
  const saysBehind = catalogue === 'behind' || catalogue === 'revoked'
  return saysBehind === (verdict === 'behind') ? null : 'contradicts'
}
