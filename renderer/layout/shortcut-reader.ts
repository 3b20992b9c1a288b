import { shortcuts, type Shortcut } from './shortcuts.ts'

/** How long the second key of a sequence is awaited. Raise it if people type more slowly. */
const SECOND_KEY_WITHIN_IN_MS = 1_500

export type Key = Pick<
  KeyboardEvent,
  | 'key'
  | 'ctrlKey'
  | 'metaKey'
  | 'altKey'
  | 'shiftKey'
  | 'repeat'
  | 'isComposing'
  | 'defaultPrevented'
  | 'timeStamp'
  | 'target'
>

const TYPING =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"]), [role="combobox"], [role="menu"]'
const ASKING = '[role="dialog"], [role="alertdialog"]'

const within = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

function chordOf(key: Key, mac: boolean): string | null {
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'].includes(key.key)) return null
  const [mod, other] = mac ? [key.metaKey, key.ctrlKey] : [key.ctrlKey, key.metaKey]
  if (other) return null
  const name = key.key === ' ' ? 'space' : key.key.toLowerCase()
  // Shift is already part of a character: `?` needs it on most keyboards.
  const shift = key.shiftKey && (name.length > 1 || mod) ? 'shift+' : ''
  return `${mod ? 'mod+' : ''}${key.altKey ? 'alt+' : ''}${shift}${name}`
}

/**
 * Reads key presses and returns the shortcut for the app, else null. While the user types, while a dialog is
 * open, during an input method, or if the key press was already handled, only shortcuts that are marked for
 * it have an effect.
 */
export function shortcutReader(isMac: () => boolean): (key: Key) => Shortcut | null {
  let begun: { readonly key: string; readonly at: number } | null = null
  return (key) => {
    const first = begun
    const chord = chordOf(key, isMac())
    if (chord === null) return null
    begun = null
    if (key.isComposing || key.defaultPrevented || key.repeat) return null
    const typing = within(key.target, TYPING) || within(key.target, ASKING)
    const whole =
      first && key.timeStamp - first.at <= SECOND_KEY_WITHIN_IN_MS ? `${first.key} ${chord}` : chord
    const found =
      shortcuts.find((one) => one.here && one.chords.includes(whole)) ??
      shortcuts.find((one) => one.here && one.chords.includes(chord))
    if (found) return typing && !found.whileTyping ? null : found
    if (!typing && shortcuts.some((one) => one.chords.some((known) => known.startsWith(`${chord} `))))
      begun = { key: chord, at: key.timeStamp }
    return null
  }
}
