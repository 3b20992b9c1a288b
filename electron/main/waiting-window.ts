import { app, BrowserWindow } from 'electron'
import { pagePreferences } from './our-page.ts'
import { bringToFront, builtParts } from './window.ts'

/**
 * A window that says what the start waits for (the owner of the data folder, or rebuilding tables)
 * while no other window is visible. Closing it quits.
 */
export function waitingWindow(
  origin: string,
  show: boolean,
): {
  /**
   * `part`: the text that changes while the window is open; the page receives it by `hashchange`, without
   * reloading.
   */
  readonly tell: (what: Readonly<Record<string, string>>, part?: string) => void
  readonly bringForward: () => void
  /** Call it when the start has ended: nothing more is shown. */
  readonly close: () => void
} {
  let window: BrowserWindow | null = null
  let over = false
  let openedAddress = ''
  let loading = ''
  return {
    tell: (what, part = '') => {
      const page = `${origin}/?${new URLSearchParams(what).toString()}`
      const address = part === '' ? page : `${page}#${part}`
      // A change while the page is loading would restart the loading repeatedly.
      if (over || address === openedAddress || page === loading || window?.isDestroyed() === true) return
      openedAddress = address
      loading = page
      if (window === null) {
        window = new BrowserWindow({
          width: 480,
          height: 180,
          resizable: false,
          show: false,
          title: 'Headroom',
          webPreferences: pagePreferences(builtParts.preload, app.isPackaged),
        })
        window.removeMenu()
        window.on('closed', () => {
          if (!over) app.quit()
        })
        if (show) window.once('ready-to-show', () => window?.show())
      }
      window
        .loadURL(address)
        // Cancelled when the next one is shown, or its window is closed.
        .catch(() => undefined)
        .finally(() => {
          if (loading === page) loading = ''
        })
    },
    bringForward: () => bringToFront(window),
    close: () => {
      over = true
      window?.destroy()
    },
  }
}
