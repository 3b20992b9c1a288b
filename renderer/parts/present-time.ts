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
/** A second is less than any age tells: windows of a list that scrolls do not draw every age on screen anew. */
const SAME_IN_MS = 1_000

/** Called when data arrives, so that nothing just read looks as if it came from the future. */
export function refreshPresentTime(): void {
  const present = Date.now()
  if (Math.abs(present - now.value) >= SAME_IN_MS) now.value = present
}
