import type { KeySlot } from '../../electron/contract/failure.ts'
import type { KeyCheck, KeyState, Organization } from '../../electron/contract/api/organizations.ts'

export type RotationStep = 'in-use' | 'ready' | 'use' | 'regenerate'
export const rotationSteps: readonly RotationStep[] = ['in-use', 'ready', 'use', 'regenerate']

/** How far a rotation is, told by what is known of the keys alone: leaving the page, or the program, loses nothing of it. */
export interface RotationStanding {
  /** What is to be done next. */
  readonly now: RotationStep
  /** The key that is replaced: the one in use, or the one that was left. */
  readonly old: KeyState
  /** The key that takes its place. */
  readonly next: KeyState
  readonly nextIs: 'not-set' | 'untested' | 'accepted' | 'refused'
  readonly reminder: Organization['regenerate']
  readonly stopped: boolean
}

export const otherSlot = (slot: KeySlot): KeySlot => (slot === 'primary' ? 'secondary' : 'primary')

export const keyOf = ({ keys }: Organization, slot: KeySlot): KeyState =>
  keys.find((one) => one.slot === slot) ?? {
    slot,
    set: false,
    lastFour: null,
    keptIn: null,
    addedAt: null,
    lastUsedAt: null,
    lastRefusedAt: null,
    notBound: null,
  }

/** Whether the last thing the service said of the key that stands there now was no. */
export const refusedLast = ({ addedAt, lastUsedAt, lastRefusedAt }: KeyState): boolean =>
  lastRefusedAt !== null && lastRefusedAt >= (lastUsedAt ?? 0) && lastRefusedAt >= (addedAt ?? 0)

export function rotationOf(
  organization: Organization,
  lastCheck: (slot: KeySlot) => KeyCheck | null,
): RotationStanding {
  const { keyInUse } = organization
  const reminder = organization.regenerate?.slot === otherSlot(keyInUse) ? organization.regenerate : null
  const stopped = organization.stoppedBecause !== null
  // After a swap the steps tell of the key that was left; before it, of the one to come.
  const left = reminder === null ? keyInUse : reminder.slot
  const [old, next] = [keyOf(organization, left), keyOf(organization, otherSlot(left))]
  const nextIs = nextStanding(next, lastCheck(next.slot))
  const now =
    reminder !== null && !stopped
      ? 'regenerate'
      : nextIs === 'accepted' && next.slot !== keyInUse
        ? 'use'
        : 'ready'
  return { now, old, next, nextIs, reminder, stopped }
}

function nextStanding(next: KeyState, check: KeyCheck | null): RotationStanding['nextIs'] {
  if (!next.set) return 'not-set'
  if (check !== null) return check.accepted ? 'accepted' : 'refused'
  return refusedLast(next) ? 'refused' : 'untested'
}
