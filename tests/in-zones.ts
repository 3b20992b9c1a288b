import type { ZoneCount } from '../electron/contract/api/jobs.ts'

/** One item with one device in each zone, without a start time. */
export const inZones = (...zones: readonly string[]): readonly ZoneCount[] =>
  zones.map((zone) => ({ zone, count: 1, items: 1, startAt: null }))
