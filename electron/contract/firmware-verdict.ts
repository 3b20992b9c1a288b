import type { FirmwareWord } from './api/devices.ts'

/** What the service itself says of a device's firmware. */
export type ServiceVerdict = 'current' | 'behind'

/**
 * What the service's word means for comparing. The words are published nowhere: `UpToDate` and `UpdateAvailable` are chosen with others that say
 * the same, in any case and with any separators. null: a word that says neither (`Updating`), or none.
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

/** `decides`: the catalogue cannot compare, so the word is the service's. `contradicts`: the service says otherwise than the catalogue. */
export type ServiceRole = 'decides' | 'contradicts'

/** What part the service's verdict has beside the catalogue's word; null: it has none, or agrees. */
export function roleOf(catalogue: FirmwareWord, verdict: ServiceVerdict | null): ServiceRole | null {
  if (verdict === null) return null
  if (catalogue === 'unknown') return 'decides'
  const saysBehind = catalogue === 'behind' || catalogue === 'revoked'
  return saysBehind === (verdict === 'behind') ? null : 'contradicts'
}
