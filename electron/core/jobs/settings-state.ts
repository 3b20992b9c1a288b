import { Failed, type Failure } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { Clock } from '../platform.ts'
import type { JudgedChange } from '../settings/settings.ts'
import { pause } from '../pause.ts'
import { digestOf, type SettingsMemory } from './settings-plan.ts'

/**
 * Delays after the first poll: a device reports new values within a minute, or only much later
 * (services.md#B24). Change them if devices need longer.
 */
const laterLooksInMs = [20_000, 30_000]

/** The state of a device's settings after a write. */
export type SettingsState =
  | { readonly kind: 'verified' }
  | { readonly kind: 'applies-later' }
  /** It reports neither the old nor the new value. */
  | { readonly kind: 'otherwise'; readonly failure: Failure }
  /** It could not be read. */
  | { readonly kind: 'not-read'; readonly failure: Failure }

/**
 * State of one change: applied; the device still reports the old value, or none; or it reports another value.
 */
function stateOf(
  deviceId: string,
  { change, setting, isSame, isSo }: JudgedChange,
  { digests }: SettingsMemory,
): 'so' | 'old' | 'other' {
  if (isSo) return 'so'
  if (setting === null || setting.value === null) return 'old'
  // A service that never reports locks cannot report this one either.
  if (isSame && setting.locked === null) return 'so'
  return digestOf(deviceId, setting, change) === digests.get(change.name) ? 'old' : 'other'
}

export function settingsStateNow(
  deviceId: string,
  judged: readonly JudgedChange[],
  memory: SettingsMemory,
): Exclude<SettingsState, { kind: 'not-read' }> {
  const states = judged.map((one) => ({ one, is: stateOf(deviceId, one, memory) }))
  const other = states.find(({ is }) => is === 'other')?.one
  if (other !== undefined) {
    const { name, now, new: wanted } = other.displayed
    const message = `The service accepted ${wanted}, but the device now reports ${now ?? 'no value'}.`
    return { kind: 'otherwise', failure: { kind: 'invalid', field: `settings.${name}`, message } }
  }
  return { kind: states.every(({ is }) => is === 'so') ? 'verified' : 'applies-later' }
}

/** Polls at once, and twice more within a minute until verified. `fetchState` rejects with Failed. */
export async function checkUntilVerified(
  clock: Clock,
  signal: AbortSignal,
  fetchState: () => Promise<Exclude<SettingsState, { kind: 'not-read' }>>,
): Promise<SettingsState> {
  let last: SettingsState = { kind: 'not-read', failure: { kind: 'cancelled' } }
  for (const wait of [0, ...laterLooksInMs]) {
    if (wait > 0 && !(await pause(clock, wait, signal))) return last
    try {
      last = await fetchState()
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      const { failure } = error
      if (last.kind === 'not-read') last = { kind: 'not-read', failure }
      // The job may make no further request.
      if (policyOf(failure).reach === 'end') return last
    }
    if (last.kind === 'verified') return last
  }
  return last
}
