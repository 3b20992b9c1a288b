/** Runs at once, then at most once in each span, with the last call never lost. For announcements that come in bursts. */
export function paced(
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
