/** Runs at once, then at most once per interval, and never loses the last call. For bursts of events. */
export function throttle(
  run: () => void,
  everyInMs: number,
): { readonly call: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let due = false
  const elapsed = (): void => {
    timer = null
    if (!due) return
    due = false
    call()
  }
  function call(): void {
    if (timer !== null) {
      due = true
      return
    }
    timer = setTimeout(elapsed, everyInMs)
    run()
  }
  return {
    call,
    stop: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      due = false
    },
  }
}
