import { app, BrowserWindow } from 'electron'
import { pagePreferences } from './our-page.ts'
import { builtParts } from './window.ts'

/** A window that tells what the start waits for, a file or the owner of the data folder, as long as no other is seen. Whoever closes it quits. */
export function waitingWindow(
  origin: string,
  show: boolean,
): {
  readonly tell: (what: Readonly<Record<string, string>>) => void
  /** The start is over: nothing is told any more. */
  readonly close: () => void
} {
  let window: BrowserWindow | null = null
  let over = false
  let told = ''
  return {
    tell: (what) => {
      const query = new URLSearchParams(what).toString()
      if (over || query === told || window?.isDestroyed() === true) return
      told = query
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
      void window.loadURL(`${origin}/?${query}`)
    },
    close: () => {
      over = true
      window?.destroy()
    },
  }
}
