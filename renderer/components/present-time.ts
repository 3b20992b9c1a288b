import { readonly, ref, type Ref } from 'vue'

/** Ages are said in minutes: a tick every ten seconds keeps them true and costs nothing. */
const TICK_IN_MS = 10_000

const now = ref(Date.now())
let ticking: ReturnType<typeof setInterval> | null = null

/** The present, for ages that update on screen: one timer for the whole view. */
export function usePresentTime(): Readonly<Ref<number>> {
  ticking ??= setInterval(() => {
    now.value = Date.now()
  }, TICK_IN_MS)
  return readonly(now)
}
/** Called when data arrives, so that nothing just read looks as if it came from the future. */
export function refreshPresentTime(): void {
  now.value = Date.now()
}
