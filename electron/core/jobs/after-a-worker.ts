import type { BudgetState } from '../../contract/api/budget.ts'
import type { Failure } from '../../contract/failure.ts'
import type { WaitReason } from '../../contract/api/jobs.ts'
import { betweenWritesInMs } from '../storage/write-slots.ts'
import type { Ending } from './job-book.ts'
import type { ItemEnding } from './job-work.ts'

/** A worker that came back without a time is asked again after this. Chosen. */
const askedAgainInMs = 1_000

/** A write that was ended before it left is asked again when its job goes on, whatever the worker made of it. */
export function believed(told: Ending): Ending {
  if (told.kind === 'again' || (told.kind === 'ended' && told.outcome !== 'failed')) return told
  const again = (waitsFor: WaitReason): ItemEnding => ({ kind: 'again', at: null, waitsFor, failure: null })
  if (told.failure?.kind === 'writes-locked') return again('locked')
  return told.failure?.kind === 'cancelled' || (told.kind === 'ended' && told.detail === 'cancelled')
    ? again('paused')
    : told
}

const keyIsWanted: ReadonlySet<Failure['kind']> = new Set([
  'key-refused',
  'key-missing',
  'key-not-bound',
  'key-unreadable',
])

/** What pauses the whole job: the lock, a key that is refused or not to be had; R7: everything of the organization stops asking. */
export function stops(ending: Ending, failure: Failure | null): WaitReason | null {
  if (failure !== null && keyIsWanted.has(failure.kind)) return 'key'
  if (ending.kind !== 'again') return null
  if (ending.waitsFor === 'locked') return ending.waitsFor
  if (failure?.kind === 'keychain-unavailable') return 'key'
  return ending.waitsFor === 'paused' && ending.failure !== null && ending.failure.kind !== 'cancelled'
    ? 'paused'
    : null
}

/** Milliseconds until an item is asked again. */
export function dueIn(
  { at, waitsFor, failure }: Extract<ItemEnding, { kind: 'again' }>,
  now: number,
): number {
  // Those that were ended by a pause go on with the job, which pauses again should that be needed.
  if ((waitsFor === 'paused' || waitsFor === 'locked') && at === null)
    return failure === null || failure.kind === 'cancelled' ? 0 : askedAgainInMs
  if (waitsFor === 'offline') return at === null ? askedAgainInMs : Math.max(askedAgainInMs, at - now)
  const inMs = Math.max(askedAgainInMs, (at ?? now) - now)
  // A write that another item has under way is told with its longest time; it will be over long before.
  return waitsFor === 'device-minute' ? Math.min(inMs, betweenWritesInMs) : inMs
}

/** Nothing is sent before this wall time, because the service paused or holds the subscription; 0: it does neither. */
export const standsStillUntil = ({
  pausedUntil,
  heldUntilAt,
}: Pick<BudgetState, 'pausedUntil' | 'heldUntilAt'>): number => Math.max(pausedUntil ?? 0, heldUntilAt ?? 0)
