import type { KeySlot } from '../../electron/contract/failure.ts'
import { keyNotSet, otherSlot } from '../../electron/contract/key-slot.ts'
import type { KeyCheck, KeyState, Organization } from '../../electron/contract/api/organizations.ts'

export type RotationStep = 'in-use' | 'ready' | 'use' | 'regenerate'
export const rotationSteps: readonly RotationStep[] = ['in-use', 'ready', 'use', 'regenerate']

/** The progress of a rotation, derived from key state, so it survives navigation and restart. */
export interface RotationState {
  /** The next step. */
  readonly now: RotationStep
  /** The key to replace: the one in use, or the previous one. */
  readonly old: KeyState
  /** The new key. */
  readonly next: KeyState
  readonly nextIs: 'not-set' | 'untested' | 'accepted' | 'refused'
  readonly reminder: Organization['regenerate']
  readonly stopped: boolean
}

export const keyStateOf = ({ keys }: Organization, slot: KeySlot): KeyState =>
  keys.find((one) => one.slot === slot) ?? { slot, ...keyNotSet }

/** Whether the service last refused the key that is stored now. */
export const refusedLast = ({ addedAt, lastUsedAt, lastRefusedAt }: KeyState): boolean =>
  lastRefusedAt !== null && lastRefusedAt >= (lastUsedAt ?? 0) && lastRefusedAt >= (addedAt ?? 0)

export function rotationOf(
  organization: Organization,
  lastCheck: (slot: KeySlot) => KeyCheck | null,
): RotationState {
  const { keyInUse } = organization
  const reminder = organization.regenerate?.slot === otherSlot(keyInUse) ? organization.regenerate : null
  const stopped = organization.stoppedBecause !== null
  // After the switch to the new key the steps show the previous key; before it, the next one.
  const left = reminder === null ? keyInUse : reminder.slot
  const [old, next] = [keyStateOf(organization, left), keyStateOf(organization, otherSlot(left))]
  const nextIs = nextKeyState(next, lastCheck(next.slot))
  const now =
    reminder !== null && !stopped
      ? 'regenerate'
      : nextIs === 'accepted' && next.slot !== keyInUse
        ? 'use'
        : 'ready'
  return { now, old, next, nextIs, reminder, stopped }
}

function nextKeyState(next: KeyState, check: KeyCheck | null): RotationState['nextIs'] {
  if (!next.set) return 'not-set'
  if (check !== null) return check.accepted ? 'accepted' : 'refused'
  return refusedLast(next) ? 'refused' : 'untested'
}
