import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import type { Rectangle } from 'electron'
import { describe, expect, it, test } from 'vitest'
import {
  boundsOn,
  keepWindowState,
  leastSize,
  parseWindowState,
  type SavedWindow,
  type WindowState,
} from '../../electron/main/window-state.ts'
import { FakeClock } from '../fake-clock.ts'

const at = (x: number, y: number, width: number, height: number): Rectangle => ({ x, y, width, height })
const laptop = at(0, 25, 1440, 875)
const right = at(1440, 0, 2560, 1400)
const left = at(-1920, 0, 1920, 1040)

describe('the position of a new window', () => {
  it.each([
    ['where it was', at(100, 100, 1280, 720), [laptop], at(100, 100, 1280, 720)],
    [
      'where it was on a display to the left',
      at(-1800, 20, 1280, 720),
      [laptop, left],
      at(-1800, 20, 1280, 720),
    ],
    ['where it was across two displays', at(1000, 100, 1280, 720), [laptop, right], at(1000, 100, 1280, 720)],
    ['where it was, with a shadow beyond the edge', at(-8, 17, 1456, 880), [laptop], at(-8, 17, 1456, 880)],
    [
      'on the remaining display, if its own was removed',
      at(2000, 100, 1280, 720),
      [laptop],
      at(160, 100, 1280, 720),
    ],
    ['on the nearest remaining display', at(-1800, 20, 1280, 720), [right, laptop], at(0, 25, 1280, 720)],
    ['with its title bar below the top edge', at(100, -700, 1280, 720), [laptop], at(100, 25, 1280, 720)],
    ['no larger than its display', at(1500, 10, 2500, 1300), [laptop], at(0, 25, 1440, 875)],
    ['no smaller than the minimum size', at(100, 100, 10, 10), [laptop], at(100, 100, 720, 480)],
    [
      'as large as before if its position is not known',
      at(0, 0, 1280, 720),
      [right],
      { width: 1280, height: 720 },
    ],
    ['as large as before if no display is known', at(2000, 100, 1280, 720), [], { width: 1280, height: 720 }],
  ])('%s', (_, bounds, areas, expected) => {
    expect(boundsOn(bounds, areas)).toEqual(expected)
  })

  it('is visible and reachable, for any previous position and any displays', () => {
    const number = fc.integer({ min: -10_000, max: 10_000 })
    const size = fc.integer({ min: 1, max: 5_000 })
    const display = fc.record({
      width: fc.integer({ min: 800, max: 4_000 }),
      height: fc.integer({ min: 600, max: 3_000 }),
      y: fc.integer({ min: -500, max: 500 }),
    })
    fc.assert(
      fc.property(
        number,
        number,
        size,
        size,
        fc.array(display, { minLength: 1, maxLength: 3 }),
        (x, y, width, height, displays) => {
          fc.pre(x !== 0 || y !== 0)
          let edge = -2_000
          const areas = displays.map((one) => {
            const area = at(edge, one.y, one.width, one.height)
            edge += one.width
            return area
          })
          const opened = boundsOn(at(x, y, width, height), areas)
          if (!('x' in opened)) throw new Error('no place')
          // The title bar overlaps one of the displays, with its left or right end inside.
          const gripSeen = areas.reduce((sum, area) => {
            const wide = Math.min(opened.x + opened.width, area.x + area.width) - Math.max(opened.x, area.x)
            const high = Math.min(opened.y + 32, area.y + area.height) - Math.max(opened.y, area.y)
            return sum + (wide > 0 && high > 0 ? wide * high : 0)
          }, 0)
          expect(gripSeen).toBeGreaterThanOrEqual((opened.width * 32) / 2)
          expect(opened.width).toBeGreaterThanOrEqual(leastSize.width)
        },
      ),
    )
  })
})

describe('the stored window state', () => {
  const state: WindowState = { bounds: at(1, 2, 800, 600), maximized: true, fullScreen: false }
  it('is parsed unchanged', () => {
    expect(parseWindowState(JSON.parse(JSON.stringify(state)))).toEqual(state)
  })
  it.each([
    null,
    undefined,
    7,
    'x',
    [],
    {},
    { bounds: null },
    { bounds: {} },
    { bounds: at(1.5, 2, 800, 600) },
    { bounds: at(1, 2, 0, 600) },
    { bounds: at(1, 2, 800, -1) },
    { bounds: at(1e9, 2, 800, 600) },
    { bounds: { x: '1', y: 2, width: 3, height: 4 } },
  ])('that contains %j is a first start', (kept) => {
    expect(parseWindowState(kept)).toBeNull()
  })
  it('without maximised or full screen is neither', () => {
    expect(parseWindowState({ bounds: at(1, 2, 800, 600), maximized: 'yes' })).toEqual({
      bounds: at(1, 2, 800, 600),
      maximized: false,
      fullScreen: false,
    })
  })
})

describe('storing the state of a window', () => {
  const watched = () => {
    const clock = new FakeClock()
    const events = new EventEmitter()
    const kept: WindowState[] = []
    const now = { bounds: at(1, 2, 800, 600), maximized: false, fullScreen: false, minimized: false }
    const window = Object.assign(events, {
      getNormalBounds: () => now.bounds,
      isMaximized: () => now.maximized,
      isFullScreen: () => now.fullScreen,
      isMinimized: () => now.minimized,
    })
    keepWindowState(
      window as unknown as SavedWindow,
      (state) => kept.push(state),
      (inMs, fire) => clock.after(inMs, fire),
    )
    return { clock, events, kept, now }
  }

  test('happens once when a drag is over', async () => {
    const { clock, events, kept, now } = watched()
    for (let x = 1; x <= 50; x++) {
      now.bounds = at(x, 2, 800, 600)
      events.emit('move')
      await clock.advance(16)
    }
    await clock.advance(1_000)
    expect(kept).toEqual([{ bounds: at(50, 2, 800, 600), maximized: false, fullScreen: false }])
  })

  test.each(['resize', 'move', 'maximize', 'unmaximize', 'enter-full-screen', 'leave-full-screen'])(
    'happens after %s',
    async (event) => {
      const { clock, events, kept } = watched()
      events.emit(event)
      await clock.advance(1_000)
      expect(kept).toHaveLength(1)
    },
  )

  test('happens at once when it closes, and not again', async () => {
    const { clock, events, kept, now } = watched()
    now.maximized = true
    events.emit('maximize')
    events.emit('close')
    events.emit('closed')
    await clock.advance(5_000)
    expect(kept).toEqual([{ bounds: at(1, 2, 800, 600), maximized: true, fullScreen: false }])
  })

  test('does not read a closed window', async () => {
    const { clock, events, kept } = watched()
    events.emit('resize')
    events.emit('closed')
    await clock.advance(5_000)
    expect(kept).toEqual([])
  })

  test('keeps the state from before minimising', async () => {
    const { clock, events, kept, now } = watched()
    now.minimized = true
    events.emit('resize')
    await clock.advance(1_000)
    expect(kept).toEqual([])
  })
})
