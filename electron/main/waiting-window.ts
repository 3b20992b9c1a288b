import { app, BrowserWindow } from 'electron'
import { pagePreferences } from './our-page.ts'
import { builtParts } from './window.ts'

/** A window that tells what the start waits for, a file, the owner of the data folder or what is made anew, as long as no other is seen. Whoever closes it quits. */
export function waitingWindow(
  origin: string,
  show: boolean,
): {
  /** `part`: what changes of it while it is shown; its page hears of that by `hashchange`, and is not loaded again. */
  readonly tell: (what: Readonly<Record<string, string>>, part?: string) => void
  /** The start is over: nothing is told any more. */
  readonly close: () => void
} {
  let window: BrowserWindow | null = null
  let over = false
  let told = ''
  let loading = ''
  return {
    tell: (what, part = '') => {
      const page = `${origin}/?${new URLSearchParams(what).toString()}`
      const address = part === '' ? page : `${page}#${part}`
      // A part that changes while its page is loading would begin the loading anew, again and again.
      if (over || address === told || page === loading || window?.isDestroyed() === true) return
      told = address
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
        // Ended by the next one, or by its window.
        .catch(() => undefined)
        .finally(() => {
          if (loading === page) loading = ''
        })
    },
    close: () => {
      over = true
      window?.destroy()
    },
  }
}
