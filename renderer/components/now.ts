import { readonly, ref, type Ref } from 'vue'

/** Ages are shown in minutes: a tick every ten seconds is precise enough and cheap. */
const TICK_IN_MS = 10_000

const now = ref(Date.now())
let ticking: ReturnType<typeof setInterval> | null = null

/** The current time, for ages on screen: one timer for the whole renderer. */
export function useNow(): Readonly<Ref<number>> {
  ticking ??= setInterval(() => {
    now.value = Date.now()
  }, TICK_IN_MS)
  return readonly(now)
}
/** Called when data arrives, so that new data never seems to come from the future. */
export function refreshNow(): void {
  now.value = Date.now()
}
