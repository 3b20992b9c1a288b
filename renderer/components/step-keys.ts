/** Alt+ArrowDown or J: next, Alt+ArrowUp or K: previous; null: another key, or a typed letter. */
export function stepOfKey(event: KeyboardEvent): 1 | -1 | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey) return null
  if (event.altKey) return event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
  if (
    (event.target as HTMLElement | null)?.closest(
      'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]',
    )
  )
    return null
  const key = event.key.toLowerCase()
  return key === 'j' ? 1 : key === 'k' ? -1 : null
}
