import { join } from 'node:path'
import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import { pagePreferences } from './our-page.ts'
import { boundsOn, firstSize, leastSize, type WindowState } from './window-state.ts'

/**
 * One sandboxed window that shows our page and cannot navigate elsewhere. The page is loaded hidden;
 * `showAsLeft` shows it.
 */
export function openWindow(
  address: string,
  preload: string,
): { readonly window: BrowserWindow; readonly ready: Promise<void> } {
  const window = new BrowserWindow({
    ...firstSize,
    minWidth: leastSize.width,
    minHeight: leastSize.height,
    show: false,
    title: 'Headroom',
    // As the page (renderer/styles/tokens.css), which is drawn later.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#10141b' : '#f6f7f9',
    webPreferences: pagePreferences(preload, app.isPackaged),
  })
  const ready = new Promise<void>((resolve) => void window.once('ready-to-show', () => resolve()))
  window.removeMenu()
  void window.loadURL(address)
  return { window, ready }
}

/**
 * Moves the window to its previous position and, with `show`, shows it in its previous state; `state` null: a
 * first start.
 */
export function showAsLeft(
  window: BrowserWindow,
  ready: Promise<void>,
  show: boolean,
  state: WindowState | null,
): void {
  if (state !== null) {
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
    window.setBounds(boundsOn(state.bounds, areas))
  }
  if (show) void ready.then(() => showReady(window, state))
}

function showReady(window: BrowserWindow, state: WindowState | null): void {
  if (window.isDestroyed()) return
  // Maximizing shows a window at once, so it is done only when the window is ready.
  if (state?.maximized === true) window.maximize()
  if (state?.fullScreen === true) window.setFullScreen(true)
  window.show()
}

/** Shows one that is minimized or was never shown, too. */
export function bringToFront(window: BrowserWindow | null): void {
  if (window === null || window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** Location of the built parts, relative to out/main. */
export const builtParts = {
  preload: join(import.meta.dirname, '../preload/preload.cjs'),
  renderer: join(import.meta.dirname, '../renderer'),
  worker: new URL('./database-worker.js', import.meta.url),
  demo: join(import.meta.dirname, 'demo.js'),
}
