import { onBeforeUnmount, onMounted, type Ref } from 'vue'

const reachable =
  ':is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled, [tabindex="-1"])'

/**
 * If an update removes or disables the focused element inside a box, the focus moves to the nearest element
 * there, else to the box.
 */
export function useFocusRestore(box: Readonly<Ref<HTMLElement | null>>): void {
  /** The focused element and its ancestors inside the box, innermost first; empty: the focus is elsewhere. */
  let focusPath: readonly Element[] = []
  function take({ target }: FocusEvent): void {
    const around: Element[] = []
    for (let at = target as Element | null; at !== null && at !== box.value; at = at.parentElement)
      around.push(at)
    focusPath = around
  }
  function leave({ relatedTarget }: FocusEvent): void {
    if (relatedTarget instanceof Node && !box.value?.contains(relatedTarget)) focusPath = []
  }
  function keep(): void {
    const [focused, ...around] = focusPath
    if (!box.value || !focused || (box.value.contains(focused) && !focused.matches(':disabled'))) return
    const at = document.activeElement
    if (at !== document.body && at !== focused) return
    focusPath = []
    const near = around.find((one) => box.value?.contains(one))
    ;(near?.querySelector<HTMLElement>(reachable) ?? box.value).focus()
  }
  const changes = new MutationObserver(keep)
  onMounted(() => {
    if (!box.value) return
    box.value.addEventListener('focusin', take)
    box.value.addEventListener('focusout', leave)
    changes.observe(box.value, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  })
  onBeforeUnmount(() => changes.disconnect())
}
