import type { NotificationConstructorOptions } from 'electron'
import type { ShowMessage } from '../core/notifications/notifications.ts'
import { wordsOf } from './notification-words.ts'

/** What of Electron's Notification is used. */
export interface SystemNotification {
  on(event: 'click' | 'close' | 'failed', listener: () => void): unknown
  show(): void
}

/**
 * Asks the system to show messages; whether and where it does is its own matter. One that is clicked brings the window to the front. What is
 * shown is held till then: Electron forgets the listeners of one that nobody holds.
 */
export function showOver(
  make: (options: NotificationConstructorOptions) => SystemNotification,
  bringToFront: () => void,
): ShowMessage {
  const shown = new Set<SystemNotification>()
  return (message, opened) => {
    const one = make(wordsOf(message))
    shown.add(one)
    for (const event of ['close', 'failed'] as const) one.on(event, () => shown.delete(one))
    one.on('click', () => {
      shown.delete(one)
      bringToFront()
      opened()
    })
    one.show()
  }
}
