const disposers: (() => void)[] = []

// A media query listens to the window of happy-dom, everything else to the global object, which refers to it.
let view = window
window.addEventListener('found', ({ currentTarget }) => void (view = currentTarget as typeof window), {
  once: true,
})
window.dispatchEvent(new Event('found'))
const { addEventListener, removeEventListener } = view
view.addEventListener = window.addEventListener = (...given: Parameters<typeof addEventListener>) => {
  addEventListener.apply(view, given)
  disposers.push(() => removeEventListener.apply(view, given))
}

/**
 * Removes what routers and stores added to the window: it exists as long as the program, so it would keep the
 * pages of each test in memory.
 */
export function endWindowListeners(): void {
  for (const end of disposers.splice(0)) end()
}
