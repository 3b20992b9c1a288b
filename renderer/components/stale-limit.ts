import { computed, shallowRef, type ComputedRef } from 'vue'

const HOUR_IN_MS = 3_600_000
const hours = shallowRef(24)

/** Milliseconds after which an observed value is marked as old (preferences; 24 hours by default). */
export const staleAfterInMs: ComputedRef<number> = computed(() => hours.value * HOUR_IN_MS)
export function setStaleAfter(limitInHours: number): void {
  hours.value = limitInHours
}
