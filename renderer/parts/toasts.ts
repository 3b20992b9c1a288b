import { shallowRef } from 'vue'

export interface Toast {
  readonly id: number
  readonly kind: 'ok' | 'warn' | 'bad'
  readonly text: string
}

/** A message that needs no answer stays five seconds; one about a failure stays until dismissed. */
const SHOWN_FOR_IN_MS = 5_000
/** More than three at once are not read. */
const SHOWN_AT_ONCE = 3

export const toasts = shallowRef<readonly Toast[]>([])
let order = 0

export function showToast(text: string, kind: Toast['kind'] = 'ok'): void {
  const toast: Toast = { id: ++order, kind, text }
  toasts.value = [...toasts.value.filter((t) => t.text !== text), toast].slice(-SHOWN_AT_ONCE)
  if (kind === 'ok') setTimeout(() => dismissToast(toast.id), SHOWN_FOR_IN_MS)
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((t) => t.id !== id)
}
