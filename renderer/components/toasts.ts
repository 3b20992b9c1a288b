import { computed, shallowRef } from 'vue'
import { refreshNow } from './now.ts'

/** One action of a message. `takesBack`: it undoes the reported change, so Ctrl+Z may run it. */
export interface ToastAction {
  readonly label: string
  readonly run: () => unknown
  readonly takesBack?: boolean
}
export interface ToastText {
  readonly text: string
  readonly kind?: 'ok' | 'warn' | 'bad'
  readonly action?: ToastAction | null
  /** The id of what it is about: once that is open, it says nothing new (`dismissAbout`). */
  readonly about?: string | null
}
export interface Toast {
  readonly id: number
  readonly kind: 'ok' | 'warn' | 'bad'
  readonly text: string
  readonly action: ToastAction | null
  readonly about: string | null
  readonly at: number
  /** Its action ran and is not offered again. */
  readonly used: boolean
  /** Dismissed, or shown in the list of messages. */
  readonly read: boolean
}

/** A message without an action stays five seconds, a warning or one with an action ten, a failure twenty: it then waits in the list of messages, counted as unread, and covers nothing. */
const SHOWN_FOR_IN_MS = 5_000
const SHOWN_WITH_ACTION_IN_MS = 10_000
const FAILURE_SHOWN_IN_MS = 20_000
/** People do not read more than three at once. */
const SHOWN_AT_ONCE = 3
/** Messages of this run that can be read again. */
const KEPT = 50

/** Messages of this run, newest first. */
export const messages = shallowRef<readonly Toast[]>([])
const visibleIds = shallowRef<readonly number[]>([])
/** On screen now, oldest first. */
export const toasts = computed(() =>
  visibleIds.value.flatMap((id) => messages.value.find((one) => one.id === id) ?? []),
)
/** Confirmations ("Copied", a finished export) do not count as unread. */
export const unreadCount = computed(
  () => messages.value.filter((one) => !one.read && one.kind !== 'ok').length,
)

const timers = new Map<number, { timer: ReturnType<typeof setTimeout> | null; readonly lastsInMs: number }>()
let order = 0
let isPaused = false

const alter = (id: number, change: Partial<Toast>): void => {
  messages.value = messages.value.map((one) => (one.id === id ? { ...one, ...change } : one))
}
function leave(id: number): void {
  const waiting = timers.get(id)
  if (waiting?.timer != null) clearTimeout(waiting.timer)
  timers.delete(id)
  visibleIds.value = visibleIds.value.filter((one) => one !== id)
}
function run(id: number): void {
  const waiting = timers.get(id)
  if (!waiting || isPaused) return
  if (waiting.timer !== null) clearTimeout(waiting.timer)
  waiting.timer = setTimeout(() => leave(id), waiting.lastsInMs)
}

/** Shows a message once; it stays in the list of messages. Returns its id. */
export function toast({ text, kind = 'ok', action = null, about = null }: ToastText): number {
  const said: Toast = { id: ++order, kind, text, action, about, at: Date.now(), used: false, read: false }
  refreshNow()
  // A repeated message that is still visible is shown once.
  for (const one of toasts.value) if (one.text === text) leave(one.id)
  // Repeated "Copied" is one line, with its last time.
  messages.value = [
    said,
    ...messages.value.filter((one, place) => place > 0 || one.text !== text || one.action !== null),
  ].slice(0, KEPT)
  visibleIds.value = [...visibleIds.value, said.id]
  for (const id of visibleIds.value.slice(0, -SHOWN_AT_ONCE)) leave(id)
  timers.set(said.id, {
    timer: null,
    lastsInMs:
      kind === 'bad'
        ? FAILURE_SHOWN_IN_MS
        : action || kind === 'warn'
          ? SHOWN_WITH_ACTION_IN_MS
          : SHOWN_FOR_IN_MS,
  })
  run(said.id)
  return said.id
}
export const showToast = (text: string, kind: Toast['kind'] = 'ok'): void => void toast({ text, kind })

/** A dismissed message counts as read. */
export function dismissToast(id: number): void {
  leave(id)
  alter(id, { read: true })
}
/** What these messages are about was opened. */
export function dismissAbout(about: string): void {
  for (const one of messages.value) if (one.about === about && !one.read) dismissToast(one.id)
}
/** Toasts remain while the pointer or the focus is on them; afterwards each has its full time again. */
export function holdToasts(on: boolean): void {
  isPaused = on
  for (const [id, waiting] of timers) {
    if (on && waiting.timer !== null) clearTimeout(waiting.timer)
    if (on) waiting.timer = null
    else run(id)
  }
}
/** Runs the action of a message, once. */
export function takeAction(id: number): boolean {
  const message = messages.value.find((one) => one.id === id)
  if (!message?.action || message.used) return false
  alter(id, { used: true, read: true })
  leave(id)
  message.action.run()
  return true
}
/** Undoes the last change that can be undone; false: there is none. */
export function takeBackLast(): boolean {
  const last = messages.value.find((one) => one.action?.takesBack === true && !one.used)
  return last ? takeAction(last.id) : false
}
export function markMessagesRead(): void {
  if (messages.value.some((one) => !one.read))
    messages.value = messages.value.map((one) => (one.read ? one : { ...one, read: true }))
}
/** No toast covers the list of messages. */
export function putToastsAway(): void {
  for (const id of visibleIds.value) leave(id)
}
/** Removes all messages. */
export function clearMessages(): void {
  putToastsAway()
  messages.value = []
}
