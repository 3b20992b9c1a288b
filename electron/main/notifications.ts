import type { NotificationConstructorOptions } from 'electron'
import type { ShowMessage } from '../core/notifications/notifications.ts'
import { notificationText } from './notification-text.ts'

/** The part of Electron's Notification that is used. */
export interface SystemNotification {
  on(event: 'click' | 'close' | 'failed', listener: () => void): unknown
  show(): void
}

/**
 * Asks the system to show messages; the system decides whether and where. A click brings the window to the
 * front. Shown notifications are referenced until then, because Electron drops the listeners of a
 * garbage-collected one.
 */
export function showOver(
  make: (options: NotificationConstructorOptions) => SystemNotification,
  bringToFront: () => void,
): ShowMessage {
  const open = new Set<SystemNotification>()
  return (message, opened) => {
    const one = make(notificationText(message))
    open.add(one)
    for (const event of ['close', 'failed'] as const) one.on(event, () => open.delete(one))
    one.on('click', () => {
      open.delete(one)
      bringToFront()
      opened()
    })
    one.show()
  }
}
