import type { BrowserWindow, Dialog } from 'electron'
import type { MayUnlock } from '../core/writes/writes.ts'

export interface UnlockDialogDeps {
  readonly dialog: Pick<Dialog, 'showMessageBox'>
  /** null: it is closed. */
  readonly window: () => BrowserWindow | null
  /** Monotonic time in ms. */
  readonly now: () => number
}

/** A press starts what it was made for within this time. Raise it if presses on slow computers are asked about. */
const pressCountsForInMs = 2_000
/** Rooms or devices that one press may start an action on: few enough to be meant one by one. Chosen. */
const startedByPressAtMost = 5
/** After a No, requests are refused without a dialog: a script cannot ask until somebody gives in. Chosen. */
const refusesForInMs = 10_000

/** Each press once: its release is no second one. */
const presses: ReadonlySet<string> = new Set(['mouseDown', 'rawKeyDown', 'keyDown', 'touchStart'])

/**
 * Whether an action may be started is not the page's word: a person has just pressed something in the window, or
 * answers this process's own dialog.
 */
export class UnlockDialog {
  readonly #deps: UnlockDialogDeps
  #pressedAt: number | null = null
  #refusesUntil = Number.NEGATIVE_INFINITY
  #isOpen = false

  constructor(deps: UnlockDialogDeps) {
    this.#deps = deps
  }

  /** Input reaches a window from the system alone: events that a script makes are not among it. */
  watch(window: BrowserWindow): void {
    const hear = (_: unknown, { type }: { readonly type: string }): void => {
      if (presses.has(type)) this.#pressedAt = this.#deps.now()
    }
    window.webContents.on('input-event', hear)
    window.webContents.on('before-mouse-event', hear)
  }

  readonly mayUnlock: MayUnlock = async ({ organization, action, count }) => {
    const { now, window } = this.#deps
    const pressedAt = this.#pressedAt
    // One press, one start.
    this.#pressedAt = null
    if (pressedAt !== null && now() - pressedAt <= pressCountsForInMs && count <= startedByPressAtMost)
      return 'once'
    const over = window()
    if (this.#isOpen || now() < this.#refusesUntil || over === null) return 'no'
    this.#isOpen = true
    try {
      const { response } = await this.#deps.dialog.showMessageBox(over, {
        type: 'warning',
        title: 'Headroom',
        message: questionOf(organization, action, count),
        detail:
          'Headroom asks here because the action means more than five rooms or devices, or because no key or button was pressed for it. Actions stay unlocked for at most 15 minutes without an action.',
        buttons: ['No', 'Start'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      })
      if (response === 1) return 'yes'
      this.#refusesUntil = now() + refusesForInMs
      return 'no'
    } finally {
      this.#isOpen = false
    }
  }
}

function questionOf(organization: string, action: string, count: number): string {
  const counted = (one: string): string => (count === 1 ? `one ${one}` : `${count} ${one}s`)
  switch (action) {
    case 'reboot-rooms':
      return `Reboot ${counted('room')} of ${organization}?`
    case 'change-settings':
      return `Change settings of ${counted('device')} of ${organization}?`
    case 'update-firmware':
      return `Update the firmware of ${counted('device')} of ${organization}?`
    default:
      return `Send ${action} to ${organization}?`
  }
}
