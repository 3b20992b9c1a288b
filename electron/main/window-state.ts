import type { BrowserWindow, Rectangle } from 'electron'

/** How the technician left the window. `bounds`: as it is when neither maximised nor on the whole screen. */
export interface WindowState {
  readonly bounds: Rectangle
  readonly maximized: boolean
  readonly fullScreen: boolean
}

/** The window of a first start, and the least there is room to work in. Chosen, CSS pixels. */
export const firstSize = { width: 1280, height: 800 }
export const leastSize = { width: 720, height: 480 }
const mostPixels = 100_000

/** Where a window is held to drag it, pixels from its top. Chosen: about the title bar of every system. */
const gripHeight = 32
/** A window that is seen less than this, or whose grip is seen less than half, is brought back. Chosen. */
const seenAtLeast = 0.9

/** What was kept, if it can be used; null: nothing, or an altered file. */
export function readWindowState(kept: unknown): WindowState | null {
  if (!isObject(kept) || !isObject(kept['bounds'])) return null
  const { x, y, width, height } = kept['bounds']
  if (![x, y, width, height].every(isPixels)) return null
  const bounds = { x, y, width, height } as Rectangle
  if (bounds.width < 1 || bounds.height < 1) return null
  return { bounds, maximized: kept['maximized'] === true, fullScreen: kept['fullScreen'] === true }
}

/**
 * Where the window opens: where it was, if it can still be seen and held there; else whole on the display nearest to that place, smaller
 * where that must be. `workAreas`: what of each display is free for windows; none known: the size alone is kept.
 */
export function boundsOn(
  bounds: Rectangle,
  workAreas: readonly Rectangle[],
): Rectangle | Pick<Rectangle, 'width' | 'height'> {
  const width = Math.max(bounds.width, leastSize.width)
  const height = Math.max(bounds.height, leastSize.height)
  const wanted = { ...bounds, width, height }
  const [first, ...others] = workAreas
  if (first === undefined) return { width, height }
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

/** The part of a rectangle that is on a display, 0 to 1; work areas do not overlap. */
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

/** Between the middles, squared. */
const distance = (a: Rectangle, b: Rectangle): number =>
  (a.x + a.width / 2 - b.x - b.width / 2) ** 2 + (a.y + a.height / 2 - b.y - b.height / 2) ** 2

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isPixels = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= mostPixels

/** Written once the window rests, for a drag tells of every pixel; and at its end. Chosen, milliseconds. */
const restsForInMs = 1_000

export type KeptWindow = Pick<
  BrowserWindow,
  'on' | 'getNormalBounds' | 'isMaximized' | 'isFullScreen' | 'isMinimized'
>

/** Keeps the state of a window as it changes. `after` starts a timer and answers what ends it. */
export function keepWindowState(
  window: KeptWindow,
  keep: (state: WindowState) => void,
  after: (inMs: number, fire: () => void) => () => void,
): void {
  let cancel: () => void = () => undefined
  const now = (): void => {
    cancel()
    // A minimised window is opened as it was before.
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
  // One by one: the types know each event by its own overload.
  window.on('resize', soon)
  window.on('move', soon)
  window.on('maximize', soon)
  window.on('unmaximize', soon)
  window.on('enter-full-screen', soon)
  window.on('leave-full-screen', soon)
  window.on('close', now)
  window.on('closed', () => cancel())
}
