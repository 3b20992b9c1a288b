import type { BrowserWindow, Rectangle } from 'electron'

/**
 * The window as the technician left it. `bounds`: its bounds when it is neither maximized nor full screen.
 */
export interface WindowState {
  readonly bounds: Rectangle
  readonly maximized: boolean
  readonly fullScreen: boolean
}

/**
 * Size of the window at the first start, and its minimum size, in CSS pixels. Change them if the layout needs
 * more space.
 */
export const firstSize = { width: 1280, height: 800 }
export const leastSize = { width: 720, height: 480 }
const mostPixels = 100_000

/** Height of the area for dragging a window, from its top, in pixels: about the title bar of every system. */
const gripHeight = 32
/**
 * A window with less visible area than this, or less than half of its drag area, is moved back onto a
 * display. Raise it if windows are lost at an edge.
 */
const seenAtLeast = 0.9

/** The stored state, if usable; null: nothing, or an altered file. */
export function parseWindowState(saved: unknown): WindowState | null {
  if (!isObject(saved) || !isObject(saved['bounds'])) return null
  const { x, y, width, height } = saved['bounds']
  if (![x, y, width, height].every(isPixels)) return null
  const bounds = { x, y, width, height } as Rectangle
  if (bounds.width < 1 || bounds.height < 1) return null
  return { bounds, maximized: saved['maximized'] === true, fullScreen: saved['fullScreen'] === true }
}

/**
 * The position for opening the window: the previous one, if it can still be seen and dragged there; else
 * completely on the nearest display, smaller if necessary. `workAreas`: the area of each display that is free
 * for windows; if none is known, only the size is restored. So it is for a window at 0, 0: Wayland tells no other position.
 */
export function boundsOn(
  bounds: Rectangle,
  workAreas: readonly Rectangle[],
): Rectangle | Pick<Rectangle, 'width' | 'height'> {
  const width = Math.max(bounds.width, leastSize.width)
  const height = Math.max(bounds.height, leastSize.height)
  const wanted = { ...bounds, width, height }
  const [first, ...others] = workAreas
  if (first === undefined || (bounds.x === 0 && bounds.y === 0)) return { width, height }
  if (seen(wanted, workAreas) >= seenAtLeast && seen({ ...wanted, height: gripHeight }, workAreas) >= 0.5)
    return wanted
  const area = others.reduce((best, other) => (isNearer(wanted, other, best) ? other : best), first)
  const fitted = { width: Math.min(width, area.width), height: Math.min(height, area.height) }
  return {
    ...fitted,
    x: within(wanted.x, area.x, area.x + area.width - fitted.width),
    y: within(wanted.y, area.y, area.y + area.height - fitted.height),
  }
}

/** The share of a rectangle that is on a display, 0 to 1; work areas do not overlap. */
function seen(one: Rectangle, areas: readonly Rectangle[]): number {
  return areas.reduce((sum, area) => sum + overlap(one, area), 0) / (one.width * one.height)
}

function overlap(a: Rectangle, b: Rectangle): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return wide > 0 && high > 0 ? wide * high : 0
}

function isNearer(to: Rectangle, one: Rectangle, other: Rectangle): boolean {
  const [a, b] = [overlap(to, one), overlap(to, other)]
  return a === b ? distance(to, one) < distance(to, other) : a > b
}

/** Squared distance of the centers. */
const distance = (a: Rectangle, b: Rectangle): number =>
  (a.x + a.width / 2 - b.x - b.width / 2) ** 2 + (a.y + a.height / 2 - b.y - b.height / 2) ** 2

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isPixels = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= mostPixels

/**
 * Delay in milliseconds before writing, because a drag reports every pixel; it is also written at the end.
 * Raise it if the writes cost time.
 */
const restsForInMs = 1_000

export type SavedWindow = Pick<
  BrowserWindow,
  'on' | 'getNormalBounds' | 'isMaximized' | 'isFullScreen' | 'isMinimized'
>

/**
 * Stores the state of a window as it changes. `after` starts a timer and returns the function that cancels
 * it.
 */
export function keepWindowState(
  window: SavedWindow,
  keep: (state: WindowState) => void,
  after: (inMs: number, fire: () => void) => () => void,
): void {
  let cancel: () => void = () => undefined
  const now = (): void => {
    cancel()
    // A minimized window is opened in its previous state.
    if (window.isMinimized()) return
    keep({
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
      fullScreen: window.isFullScreen(),
    })
  }
  const soon = (): void => {
    cancel()
    cancel = after(restsForInMs, now)
  }
  // Listed individually: the types have a separate overload for each event.
  window.on('resize', soon)
  window.on('move', soon)
  window.on('maximize', soon)
  window.on('unmaximize', soon)
  window.on('enter-full-screen', soon)
  window.on('leave-full-screen', soon)
  window.on('close', now)
  window.on('closed', () => cancel())
}
