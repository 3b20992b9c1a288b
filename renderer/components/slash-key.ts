import { onBeforeUnmount, onMounted } from 'vue'

/** `/` calls `focus` from anywhere on the page, but not from a field or a dialog. `isOn` is read once. */
export function onSlashKey(isOn: boolean, focus: () => void): void {
  if (!isOn) return
  function onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement | null
    if (
      event.key !== '/' ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target?.closest('input, textarea, select, [contenteditable], [role="dialog"]')
    )
      return
    event.preventDefault()
    focus()
  }
  onMounted(() => document.addEventListener('keydown', onKey))
  onBeforeUnmount(() => document.removeEventListener('keydown', onKey))
}
