/**
 * Result of comparing a device with a golden profile, from its last read. `drifted`: a setting differs, or
 * its feature model does not allow it. `not-available`: none differs, but the device has no such setting or
 * no value for it. `not-read`: no settings are stored.
 */
export const driftStates = ['drifted', 'not-available', 'not-read', 'as-wanted'] as const
export type DriftState = (typeof driftStates)[number]
