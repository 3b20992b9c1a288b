import type { KeySlot } from './failure.ts'

export const otherSlot = (slot: KeySlot): KeySlot => (slot === 'primary' ? 'secondary' : 'primary')

/** The state of a slot without a key. */
export const keyNotSet = {
  set: false,
  lastFour: null,
  keptIn: null,
  addedAt: null,
  lastUsedAt: null,
  lastRefusedAt: null,
  notBound: null,
} as const
