import { app, BrowserWindow } from 'electron'
import type { DatabaseFile } from '../core/platform.ts'
import { pagePreferences } from './our-page.ts'
import { builtParts } from './window.ts'

/** A window that tells which file the start waits for, as long as there is no other. Whoever closes it quits: it is the only one. */
export function waitingWindow(
  origin: string,
  show: boolean,
): {
  readonly tell: (file: DatabaseFile) => void
  /** The start is over: nothing is told any more. */
  readonly close: () => void
} {
  let window: BrowserWindow | null = null
  let over = false
  return {
    tell: (file) => {
      if (over || window?.isDestroyed() === true) return
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
        if (show) window.once('ready-to-show', () => window?.show())
      }
      void window.loadURL(`${origin}/?waitsFor=${file}.sqlite`)
    },
    close: () => {
      over = true
      window?.destroy()
    },
  }
}
