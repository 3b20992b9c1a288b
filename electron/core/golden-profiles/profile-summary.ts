import type {
  DriftCounts,
  DriftedDevice,
  GoldenProfile,
  GoldenProfileSummary,
  GoldenSettingSummary,
} from '../../contract/api/golden-profiles.ts'
import type { SettingChange } from '../../contract/api/settings.ts'
import type { ProfileDrift } from './fleet-drift.ts'
import { wantedText } from './setting-drift.ts'

/** Maximum of other values listed for a setting. Raise it if common values are missing. */
const insteadAtMost = 5

/** The count of devices by result, and the age of the oldest read. */
export function summaryOf(profile: GoldenProfile, devices: readonly DriftedDevice[]): GoldenProfileSummary {
  const counts = { drifted: 0, 'not-available': 0, 'not-read': 0, 'as-wanted': 0 } satisfies DriftCounts
  let oldestReadAt: number | null = null
  for (const { state, readAt } of devices) {
    counts[state]++
    if (readAt !== null) oldestReadAt = Math.min(oldestReadAt ?? readAt, readAt)
  }
  return { profile, devices: devices.length, counts, oldestReadAt }
}

/** One of its settings over all its devices. */
export function settingSummary(
  change: SettingChange,
  { devices, choices }: ProfileDrift,
): GoldenSettingSummary {
  let [asWanted, drifted, notAvailable, refused] = [0, 0, 0, 0]
  let reason = ''
  const values = new Map<string, number>()
  for (const device of devices) {
    if (device.state === 'not-read') continue
    const drift = device.drift.find(({ name }) => name === change.name)
    if (drift === undefined) asWanted++
    else if (drift.reason === 'missing' || drift.reason === 'no-value') notAvailable++
    else drifted++
    if (drift?.reason === 'value' && drift.now !== null)
      values.set(drift.now, (values.get(drift.now) ?? 0) + 1)
    if (drift !== undefined && drift.refused !== null) {
      refused++
      reason ||= drift.refused
    }
  }
  const instead = [...values]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  return {
    name: change.name,
    ...(choices.has(change.name) && { isChoice: true }),
    wanted: wantedText(change),
    locked: change.locked ?? null,
    asWanted,
    drifted,
    notAvailable,
    refused: refused === 0 ? null : { devices: refused, reason },
    instead: instead.slice(0, insteadAtMost),
  }
}
