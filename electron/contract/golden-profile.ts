import type { SettingDrift } from './api/golden-profiles.ts'

/**
 * Result of comparing a device with a golden profile, from its last read. `drifted`: a setting differs, or
 * its feature model does not allow it. `not-available`: none differs, but the device has no such setting or
 * no value for it. `not-read`: no settings are stored.
 */
export const driftStates = ['drifted', 'not-available', 'not-read', 'as-wanted'] as const
export type DriftState = (typeof driftStates)[number]

/** The difference, for files and the command line. */
export function driftText({ name, reason, now, wanted, refused }: SettingDrift): string {
  switch (reason) {
    case 'value':
      return `${name}=${now ?? ''} (wanted ${wanted ?? ''}${refused === null ? '' : `, which the device does not accept`})`
    case 'lock':
      return `${name}: lock differs`
    case 'not-allowed':
      return `${name}=${now ?? ''} is not allowed: ${refused ?? ''}`
    case 'missing':
      return `${name}: no such setting`
    case 'no-value':
      return `${name}: not available`
  }
}
