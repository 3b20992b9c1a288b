import { computed, shallowRef } from 'vue'
import { refreshPresentTime } from './present-time.ts'

/** One thing that can be done about a message. `takesBack`: it undoes what the message tells of, so Ctrl+Z may do it. */
export interface ToastAction {
  readonly label: string
  readonly run: () => unknown
  readonly takesBack?: boolean
}
export interface ToastText {
  readonly text: string
  readonly kind?: 'ok' | 'warn' | 'bad'
  readonly action?: ToastAction | null
}
export interface Toast {
  readonly id: number
  readonly kind: 'ok' | 'warn' | 'bad'
  readonly text: string
  readonly action: ToastAction | null
  readonly at: number
  /** Its action was taken: it is offered once. */
  readonly used: boolean
  /** Put away by hand, or shown in the list of messages. */
  readonly read: boolean
}

/** A message that needs no answer stays five seconds, a warning or one that offers something ten; one about a failure stays until dismissed. */
const SHOWN_FOR_IN_MS = 5_000
const SHOWN_WITH_ACTION_IN_MS = 10_000
/** More than three at once are not read. */
const SHOWN_AT_ONCE = 3
/** Kept of this run, to be read again. */
const KEPT = 50

/** Newest first: what was said in this run. */
export const messages = shallowRef<readonly Toast[]>([])
const shownIds = shallowRef<readonly number[]>([])
/** On screen now, oldest first. */
export const toasts = computed(() =>
  shownIds.value.flatMap((id) => messages.value.find((one) => one.id === id) ?? []),
)
/** A confirmation that asks nothing ("Copied") is not worth a number. */
export const unreadCount = computed(
  () =>
    messages.value.filter((one) => !one.read && (one.kind !== 'ok' || (one.action !== null && !one.used)))
      .length,
)

const timers = new Map<number, { timer: ReturnType<typeof setTimeout> | null; readonly lastsInMs: number }>()
let order = 0
let held = false

const alter = (id: number, change: Partial<Toast>): void => {
  messages.value = messages.value.map((one) => (one.id === id ? { ...one, ...change } : one))
}
function leave(id: number): void {
  const waiting = timers.get(id)
  if (waiting?.timer != null) clearTimeout(waiting.timer)
  timers.delete(id)
  shownIds.value = shownIds.value.filter((one) => one !== id)
}
function run(id: number): void {
  const waiting = timers.get(id)
  if (!waiting || held) return
  if (waiting.timer !== null) clearTimeout(waiting.timer)
  waiting.timer = setTimeout(() => leave(id), waiting.lastsInMs)
}

/** Says something once, in passing; it can be read again in the list of messages. Answers its id. */
export function toast({ text, kind = 'ok', action = null }: ToastText): number {
  const said: Toast = { id: ++order, kind, text, action, at: Date.now(), used: false, read: false }
  refreshPresentTime()
  // Said again while it still stands there: one, not two.
  for (const one of toasts.value) if (one.text === text) leave(one.id)
  // "Copied" ten times over is one line, with its last time.
  messages.value = [
    said,
    ...messages.value.filter((one, place) => place > 0 || one.text !== text || one.action !== null),
  ].slice(0, KEPT)
  shownIds.value = [...shownIds.value, said.id]
  for (const id of shownIds.value.slice(0, -SHOWN_AT_ONCE)) leave(id)
  if (kind !== 'bad') {
    timers.set(said.id, {
      timer: null,
      lastsInMs: action || kind === 'warn' ? SHOWN_WITH_ACTION_IN_MS : SHOWN_FOR_IN_MS,
    })
    run(said.id)
  }
  return said.id
}
export const showToast = (text: string, kind: Toast['kind'] = 'ok'): void => void toast({ text, kind })

/** Put away by hand: it was read. */
export function dismissToast(id: number): void {
  leave(id)
  alter(id, { read: true })
}
/** While the pointer or the focus is on them, toasts stay; afterwards each has its whole time again. */
export function holdToasts(on: boolean): void {
  held = on
  for (const [id, waiting] of timers) {
    if (on && waiting.timer !== null) clearTimeout(waiting.timer)
    if (on) waiting.timer = null
    else run(id)
  }
}
/** Takes the action of a message, once. */
export function takeAction(id: number): boolean {
  const message = messages.value.find((one) => one.id === id)
  if (!message?.action || message.used) return false
  alter(id, { used: true, read: true })
  leave(id)
  message.action.run()
  return true
}
/** Takes back the last thing that can be taken back; false: there is none. */
export function takeBackLast(): boolean {
  const last = messages.value.find((one) => one.action?.takesBack === true && !one.used)
  return last ? takeAction(last.id) : false
}
export function markMessagesRead(): void {
  if (messages.value.some((one) => !one.read))
    messages.value = messages.value.map((one) => (one.read ? one : { ...one, read: true }))
}
/** They are read where they are kept: none lies over the list of them. */
export function putToastsAway(): void {
  for (const id of shownIds.value) leave(id)
}
/** Forgets everything said so far. */
export function clearMessages(): void {
  putToastsAway()
  messages.value = []
}
