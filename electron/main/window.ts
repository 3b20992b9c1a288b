import { join } from 'node:path'
import { app, BrowserWindow, screen } from 'electron'
import { pagePreferences } from './our-page.ts'
import { boundsOn, firstSize, leastSize, type WindowState } from './window-state.ts'

/** One window, sandboxed, that shows our page and can go nowhere else; where and as it was left. `state` null: a first start. */
export function openWindow(
  origin: string,
  preload: string,
  show: boolean,
  state: WindowState | null,
): BrowserWindow {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
  const window = new BrowserWindow({
    ...(state === null ? firstSize : boundsOn(state.bounds, areas)),
    minWidth: leastSize.width,
    minHeight: leastSize.height,
    show: false,
    title: 'Headroom',
    backgroundColor: '#f6f7f9',
    webPreferences: pagePreferences(preload, app.isPackaged),
  })
  window.removeMenu()
  if (show)
    window.once('ready-to-show', () => {
      // Maximising shows a window at once, so not before it is ready.
      if (state?.maximized === true) window.maximize()
      if (state?.fullScreen === true) window.setFullScreen(true)
      window.show()
    })
  void window.loadURL(`${origin}/`)
  return window
}

/** Where the built parts lie, seen from out/main. */
export const builtParts = {
  preload: join(import.meta.dirname, '../preload/preload.cjs'),
  renderer: join(import.meta.dirname, '../renderer'),
  worker: new URL('./database-worker.js', import.meta.url),
  demo: join(import.meta.dirname, 'demo.js'),
  commandLine: new URL('./cli.js', import.meta.url),
}
