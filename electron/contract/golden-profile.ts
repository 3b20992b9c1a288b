/**
 * How a device stands against a golden profile, from what was last read of it. `drifted`: a setting is another, or is one its feature model does
 * not allow. `not-available`: none is another, but the device has no such setting or tells no value for it. `not-read`: nothing is kept of it.
 */
export const driftStates = ['drifted', 'not-available', 'not-read', 'as-wanted'] as const
export type DriftState = (typeof driftStates)[number]
