import { onScopeDispose, ref, watch, type Ref } from 'vue'
import { useNow } from './now.ts'

/**
 * The time left until a moment, in milliseconds, updated each second; 0 when it has passed or there is none. The timer runs only while time
 * is left.
 */
export function useCountdown(untilAt: () => number | null): Readonly<Ref<number>> {
  const remaining = ref(0)
  let ticking: ReturnType<typeof setInterval> | null = null
  const stop = (): void => {
    if (ticking !== null) clearInterval(ticking)
    ticking = null
  }
  const tick = (): void => {
    remaining.value = Math.max(0, (untilAt() ?? 0) - Date.now())
    if (remaining.value === 0) stop()
  }
  watch(
    untilAt,
    () => {
      stop()
      tick()
      if (remaining.value > 0) ticking = setInterval(tick, 1_000)
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return remaining
}

/**
 * The time, epoch milliseconds: updated each second while `runs` is true, else together with the ages on
 * screen.
 */
export function useSeconds(runs: () => boolean): Readonly<Ref<number>> {
  const now = useNow()
  const second = ref(now.value)
  let ticking: ReturnType<typeof setInterval> | null = null
  const stop = (): void => {
    if (ticking !== null) clearInterval(ticking)
    ticking = null
  }
  watch(now, (at) => (second.value = at))
  watch(
    runs,
    (does) => {
      stop()
      if (does) ticking = setInterval(() => (second.value = Date.now()), 1_000)
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return second
}
