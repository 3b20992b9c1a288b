import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick, ref, shallowRef } from 'vue'
import { words } from '../../../renderer/lists/grid-cells.ts'
import { columns, openGrid, things, withSize, type Thing } from './a-grid.ts'

// Height for ten rows of 32 px below the headers.
beforeEach(() => void withSize(640, 351))
afterEach(() => vi.restoreAllMocks())

describe('rows', () => {
  it('exist only in and around the visible area, and scrolling reuses them', async () => {
    const grid = await openGrid()
    const before = new Set(grid.root.querySelectorAll('[role="row"], [role="gridcell"]'))
    expect(grid.rows().slice(0, 2)).toEqual(['Thing 0|S0|—', 'Thing 1|S1|—'])
    await grid.scrollTo(500 * 32)
    const after = new Set(grid.root.querySelectorAll('[role="row"], [role="gridcell"]'))
    expect([
      [...after].filter((one) => !before.has(one)).length + before.size - after.size,
      grid.lines().length,
      grid.rows()[4],
    ]).toEqual([0, 19, 'Thing 500|S500|—'])
  })
  it('with the same objects are not written again on a redraw', async () => {
    const written: string[] = []
    const rowOf = shallowRef(things(1_000))
    const grid = await openGrid({
      rowAt: (index: number) => rowOf.value[index],
      columns: [
        {
          ...columns[0]!,
          cell: () => (row: Thing) => void written.push(row.id),
        },
      ],
    })
    written.length = 0
    const [first, ...rest] = rowOf.value
    rowOf.value = [{ ...first!, name: 'Renamed' }, ...rest]
    await nextTick()
    await grid.scrollTo(1)
    expect(written).toEqual(['t0'])
  })
  it('leave the height of one for a band, and are scrolled to below it', async () => {
    const grid = await openGrid({ band: { at: 2, label: 'The rest' } })
    const topOf = (element: Element): string => (element as HTMLElement).style.transform
    expect([
      grid.lines().slice(1, 3).map(topOf),
      [...grid.root.querySelectorAll('.grid-band')].map((one) => [one.textContent, topOf(one)]),
    ]).toEqual([['translateY(32px)', 'translateY(96px)'], [['The rest', 'translateY(64px)']]])
    grid.root.focus()
    await grid.press('End', { ctrlKey: true })
    expect(grid.box.scrollTop).toBe(1_001 * 32 - 320)
  })
  it('that are missing are bars, and fill when they arrive', async () => {
    const known = shallowRef<readonly Thing[]>([])
    const grid = await openGrid({ rowAt: (index: number) => known.value[index], total: 3 })
    expect([grid.rows(), grid.needed().at(-1)]).toEqual([
      ['…', '…', '…'],
      [0, 2],
    ])
    known.value = things(2)
    await nextTick()
    await nextTick()
    expect(grid.rows()).toEqual(['Thing 0|S0|—', 'Thing 1|S1|—', '…'])
  })
  it('are redrawn when related data changes', async () => {
    const grid = await openGrid({
      total: 1,
      columns: [{ ...columns[0]!, cell: words((row: Thing) => `${row.name} ${mood.value}`) }],
    })
    mood.value = 'glad'
    await grid.page.setProps({ repaintOn: mood.value })
    expect(grid.rows()).toEqual(['Thing 0 glad'])
    mood.value = 'calm'
  })
  const mood = ref('calm')

  it('expose open, selected and faded by class and to a screen reader', async () => {
    const grid = await openGrid({
      total: 3,
      selected: 't1',
      chosenAt: (id: string) => id === 't2',
      head: 'mixed',
      faded: (row: Thing) => row.id === 't0',
      chooseLabel: (row: Thing) => `Choose ${row.name}`,
    })
    expect({
      rows: grid.lines().map((line) => [line.className, line.getAttribute('aria-selected')]),
      boxes: [...grid.root.querySelectorAll('[role="checkbox"]')].map((box) => [
        box.getAttribute('aria-label'),
        box.getAttribute('aria-checked'),
      ]),
    }).toEqual({
      rows: [
        ['grid-row faded', 'false'],
        ['grid-row open', 'false'],
        ['grid-row chosen', 'true'],
      ],
      boxes: [
        ['Select all that match', 'mixed'],
        ['Choose Thing 0', 'false'],
        ['Choose Thing 1', 'false'],
        ['Choose Thing 2', 'true'],
      ],
    })
  })
  it('show an unknown selection, and update when it changes', async () => {
    const answer = ref<boolean | null>(null)
    const grid = await openGrid({ total: 1, chosenAt: () => answer.value, head: 'none' })
    const box = (): readonly (string | null)[] => {
      const found = grid.cell(0, 'box').querySelector('[role="checkbox"]')!
      return [found.getAttribute('aria-checked'), found.getAttribute('title')]
    }
    const previous = box()
    answer.value = true
    await nextTick()
    await nextTick()
    expect([previous, box(), grid.lines()[0]?.className]).toEqual([
      ['mixed', 'Selected earlier, with another filter.'],
      ['true', null],
      'grid-row chosen',
    ])
  })
})

describe('a screen reader', () => {
  it('gets a grid with its size, numbered rows and columns, and the order', async () => {
    const grid = await openGrid({
      sort: [
        { column: 'serial', descending: true },
        { column: 'name', descending: false },
      ],
      chosenAt: () => false,
      head: 'none',
    })
    const of = (element: Element, ...names: readonly string[]): readonly (string | null)[] =>
      names.map((name) => element.getAttribute(name))
    expect({
      grid: of(grid.root, 'role', 'aria-label', 'aria-rowcount', 'aria-colcount', 'aria-multiselectable'),
      heads: [...grid.root.querySelectorAll('[role="columnheader"]')].map((head) =>
        of(head, 'aria-colindex', 'aria-sort'),
      ),
      order: grid.headOf('name').querySelector('.visually-hidden')?.textContent,
      row: of(grid.lines()[2]!, 'aria-rowindex'),
      cell: of(grid.cell(2, 'serial'), 'role', 'aria-colindex'),
      active: grid.active(),
    }).toEqual({
      grid: ['grid', 'Things', '1001', '4', 'true'],
      heads: [
        ['1', null],
        ['2', 'ascending'],
        ['3', 'descending'],
        ['4', null],
      ],
      order: '2 of 2 in the sort order',
      row: ['4'],
      cell: ['gridcell', '3'],
      active: { row: 0, column: 'name' },
    })
  })
  it('hovers no row while it scrolls, and the one below the pointer once it rests', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const grid = await openGrid()
    const hovered = (): readonly string[] =>
      [...grid.root.querySelectorAll('.hovered')].map((row) => row.textContent)
    const point = (row: number): boolean =>
      grid.cell(row, 'name').dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
    vi.advanceTimersByTime(150)
    point(2)
    const atRest = hovered()
    await grid.scrollTo(100 * 32)
    point(102)
    const scrolling = hovered()
    vi.advanceTimersByTime(150)
    expect([atRest, scrolling, hovered()]).toEqual([['Thing 2S2—'], [], ['Thing 102S102—']])
    vi.useRealTimers()
  })
  it('gets the rows in order once scrolling stops', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const grid = await openGrid()
    await grid.scrollTo(100 * 32)
    const order = (): readonly number[] =>
      [...grid.root.querySelectorAll('[role="row"]')].map((row) => Number(row.getAttribute('aria-rowindex')))
    const inOrder = order().toSorted((a, b) => a - b)
    // A moved row loses the click.
    const pressed = vi
      .spyOn(grid.root.querySelector('[role="rowgroup"]')!, 'matches')
      .mockImplementation((selector) => selector === ':active')
    vi.advanceTimersByTime(300)
    expect(order()).not.toEqual(inOrder)
    pressed.mockReturnValue(false)
    vi.advanceTimersByTime(150)
    expect(order()).toEqual(inOrder)
    vi.useRealTimers()
  })
})

const first = { row: 0, column: 'name' }
describe('keys', () => {
  it.each<[readonly (string | [string, KeyboardEventInit])[], { row: number; column: string }]>([
    [['ArrowDown', 'ArrowDown', 'ArrowUp'], { row: 1, column: 'name' }],
    [['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'], { row: 0, column: 'note' }],
    [['ArrowLeft', 'ArrowLeft'], { row: 0, column: 'box' }],
    [['PageDown'], { row: 9, column: 'name' }],
    [['PageDown', 'PageDown', 'PageUp'], { row: 9, column: 'name' }],
    [['End'], { row: 999, column: 'name' }],
    [['End', 'ArrowDown', 'Home'], first],
    [[['End', { ctrlKey: true }]], { row: 999, column: 'note' }],
    [
      [
        ['End', { ctrlKey: true }],
        ['Home', { metaKey: true }],
      ],
      { row: 0, column: 'box' },
    ],
    [['ArrowUp'], { row: -1, column: 'name' }],
    [['ArrowUp', 'ArrowRight'], { row: -1, column: 'serial' }],
    [['ArrowUp', 'End', 'Home'], { row: -1, column: 'box' }],
    [['PageDown', ['ArrowUp', { ctrlKey: true }], 'ArrowRight', 'ArrowDown'], { row: 9, column: 'serial' }],
  ])('%j lead to %j', async (keys, spot) => {
    const grid = await openGrid({ chosenAt: () => false, head: 'none' })
    for (const key of keys) await (typeof key === 'string' ? grid.press(key) : grid.press(...key))
    expect(grid.active()).toEqual(spot)
  })
  const row0 = things(1)[0]
  it.each<[string, KeyboardEventInit, readonly unknown[] | null]>([
    ['Enter', {}, ['open', 't0', true]],
    [' ', {}, ['toggle', row0, 0]],
    [' ', { shiftKey: true }, ['extend', row0, 0]],
    ['a', { ctrlKey: true }, ['all', true]],
    ['A', { metaKey: true }, ['all', true]],
    ['Escape', {}, ['clear']],
    ['a', {}, null],
    ['ArrowDown', { altKey: true }, null],
  ])('%s %j on a row emits %j', async (key, keys, what) => {
    const grid = await openGrid({ chosenAt: () => false, head: 'mixed' })
    await grid.press(key, keys)
    expect(grid.events()).toEqual(what === null ? [] : [what])
  })
  it.each<[string, Record<string, unknown>]>([
    ['nothing is selected', { chosenAt: () => false, head: 'none' }],
    ['a row is open, which Escape closes first', { chosenAt: () => false, head: 'mixed', selected: 't0' }],
    ['rows have no check boxes', {}],
  ])('Escape is left to the page when %s', async (_why, given) => {
    const grid = await openGrid(given)
    const heard: boolean[] = []
    const hear = (event: Event): void => void heard.push(event.defaultPrevented)
    document.addEventListener('keydown', hear)
    await grid.press('Escape')
    document.removeEventListener('keydown', hear)
    expect([grid.events(), heard]).toEqual([[], [false]])
  })
  const layoutOf = (widths: readonly (number | null)[], ...keys: readonly string[]): readonly unknown[] =>
    keys.map((column, at) => ({ column, width: widths[at] ?? null, pinned: false }))
  it.each<[string, KeyboardEventInit, readonly unknown[] | null]>([
    ['Enter', {}, ['sort', [{ column: 'name', descending: true }]]],
    [' ', { shiftKey: true }, ['sort', [{ column: 'name', descending: true }]]],
    ['ArrowDown', { altKey: true }, ['funnel', 'name', expect.any(HTMLElement)]],
    ['ContextMenu', {}, ['funnel', 'name', expect.any(HTMLElement)]],
    ['ArrowRight', { altKey: true }, ['layout', layoutOf([], 'serial', 'name', 'note')]],
    ['ArrowRight', { shiftKey: true }, ['layout', layoutOf([256], 'name', 'serial', 'note')]],
    ['ArrowLeft', { shiftKey: true }, ['layout', layoutOf([224], 'name', 'serial', 'note')]],
    [
      'p',
      { altKey: true },
      [
        'layout',
        [
          { column: 'name', width: null, pinned: true },
          { column: 'serial', width: null, pinned: false },
          { column: 'note', width: null, pinned: false },
        ],
      ],
    ],
    ['Enter', { ctrlKey: true }, null],
  ])('%s %j on a header emits %j', async (key, keys, what) => {
    const grid = await openGrid({ sort: [{ column: 'name', descending: false }] })
    await grid.press('ArrowUp')
    await grid.press(key, keys)
    expect(grid.events()).toEqual(what === null ? [] : [what])
  })
  it('on the header of the boxes select all, and a header without sorting does nothing', async () => {
    const grid = await openGrid({ chosenAt: () => false, head: 'none' })
    for (const key of ['ArrowUp', 'Home', 'Enter', 'End', 'Enter']) await grid.press(key)
    expect(grid.events()).toEqual([['all', false]])
  })
  it('with a row open beside the list open the next one, as soon as it is loaded', async () => {
    const known = shallowRef(things(1))
    const grid = await openGrid({ selected: 't0', rowAt: (index: number) => known.value[index], total: 3 })
    await grid.press('ArrowDown')
    const previous = [...grid.events()]
    known.value = things(3)
    await nextTick()
    await nextTick()
    await grid.press('ArrowRight')
    expect([previous, grid.events()]).toEqual([[], [['open', 't1', false]]])
  })
  it('are reversed sideways in right-to-left layout', async () => {
    document.documentElement.setAttribute('dir', 'rtl')
    const grid = await openGrid()
    grid.root.style.direction = 'rtl'
    await grid.press('ArrowLeft')
    expect(grid.active()).toEqual({ row: 0, column: 'serial' })
  })
})

describe('a click', () => {
  const row1 = things(2)[1]
  it.each<[string, 'name' | 'box', MouseEventInit, readonly unknown[]]>([
    ['on a row', 'name', {}, ['open', 't1', false]],
    ['on a box', 'box', {}, ['toggle', row1, 1]],
    ['with Ctrl', 'name', { ctrlKey: true }, ['toggle', row1, 1]],
    ['with Cmd', 'name', { metaKey: true }, ['toggle', row1, 1]],
    ['with Shift', 'name', { shiftKey: true }, ['extend', row1, 1]],
    ['on a check box with Shift', 'box', { shiftKey: true }, ['extend', row1, 1]],
  ])('%s has its effect', async (_how, column, keys, what) => {
    const grid = await openGrid({ chosenAt: () => false, head: 'none' })
    await grid.click(grid.cell(1, column), keys)
    expect([grid.events(), grid.active()]).toEqual([[what], { row: 1, column }])
  })
  it.each<[string, object]>([
    ['the band moves', { band: { at: 3, label: 'Two rows are OK' } }],
    ['the band disappears', { band: null }],
    ['the rows become lower', { compact: true }],
    ['there are fewer rows', { total: 8 }],
  ])('is not lost if %s while the button is down: its row stays in the document', async (_what, change) => {
    const grid = await openGrid({ total: 9, band: { at: 2, label: 'The rest' } })
    const removed: unknown[] = []
    for (const line of grid.lines().slice(0, 8))
      vi.spyOn(line, 'remove').mockImplementation(() => removed.push(line))
    await grid.page.setProps(change)
    expect([removed, grid.lines().length >= 8]).toEqual([[], true])
  })
  it('in a list without boxes opens, with any modifier', async () => {
    const grid = await openGrid()
    await grid.click(grid.cell(1, 'name'), { ctrlKey: true })
    expect(grid.events()).toEqual([['open', 't1', false]])
  })
  it('on headers sorts, with Shift after the others; on the box selects all; on a funnel filters', async () => {
    const grid = await openGrid({
      chosenAt: () => false,
      head: 'none',
      sort: [{ column: 'serial', descending: false }],
    })
    const sortOf = (key: string): HTMLElement => grid.headOf(key).querySelector('.grid-sort')!
    await grid.click(sortOf('name'))
    await grid.click(sortOf('name'), { shiftKey: true })
    await grid.click(sortOf('note'))
    await grid.click(grid.headOf('box'))
    const funnel = grid.headOf('name').querySelector<HTMLElement>('.grid-funnel')!
    await grid.click(funnel)
    expect(grid.events()).toEqual([
      ['sort', [{ column: 'name', descending: false }]],
      [
        'sort',
        [
          { column: 'serial', descending: false },
          { column: 'name', descending: false },
        ],
      ],
      ['all', false],
      ['funnel', 'name', funnel],
    ])
  })
  it('on a link in a cell follows the link', async () => {
    const grid = await openGrid({
      columns: [
        {
          ...columns[0]!,
          cell: (cell: HTMLElement) => {
            const link = cell.appendChild(document.createElement('a'))
            return (row: Thing) => (link.textContent = row.name)
          },
        },
      ],
    })
    await grid.click(grid.cell(0, 'name').querySelector('a')!)
    expect(grid.events()).toEqual([])
  })
})

describe('a list that is left and shown again', () => {
  it('keeps its position and its active row', async () => {
    const kept: unknown[] = []
    const grid = await openGrid({ 'onUpdate:place': (place: unknown) => kept.push(place) })
    await grid.scrollTo(300 * 32)
    await grid.click(grid.cell(303, 'serial'))
    grid.page.unmount()
    const again = await openGrid({ place: kept[0] })
    expect([kept, again.box.scrollTop, again.active()?.row]).toEqual([
      [{ top: 9_600, active: 303, id: 't300' }],
      9_600,
      303,
    ])
  })
  it('waits for its rows before it scrolls there', async () => {
    const grid = await openGrid({ total: 0, place: { top: 3_200, active: 101 } })
    await grid.page.setProps({ total: 1_000 })
    expect([grid.box.scrollTop, grid.active()?.row]).toEqual([3_200, 101])
  })
  it('keeps the top row in place when rows are added above, also while hidden', async () => {
    const positionOf = (id: string): Promise<number> => Promise.resolve(Number(id.slice(1)) + 20)
    const grid = await openGrid({ positionOf, changed: 0, place: { top: 3_200, active: 101, id: 't90' } })
    await nextTick()
    const came = grid.box.scrollTop
    await grid.page.setProps({ changed: 1 })
    await nextTick()
    expect([came, grid.box.scrollTop]).toEqual([110 * 32, 130 * 32])
  })
  it('returns to the top for another filter', async () => {
    const grid = await openGrid()
    await grid.scrollTo(3_200)
    await grid.press('End')
    await grid.page.setProps({ startedOver: 1 })
    expect([grid.box.scrollTop, grid.active()]).toEqual([0, first])
  })
  it('scrolls the selected row into view when its position changes', async () => {
    const grid = await openGrid({ selected: 't0', selectedIndex: 0 })
    await grid.page.setProps({ selected: 't500', selectedIndex: 500 })
    expect([grid.active()?.row, grid.box.scrollTop]).toEqual([500, 501 * 32 - 320])
  })
  it('keeps its top row when the row height shrinks', async () => {
    const grid = await openGrid()
    await grid.scrollTo(100 * 32)
    await grid.page.setProps({ compact: true })
    expect([grid.box.scrollTop, grid.rows()[4]]).toEqual([2_600, 'Thing 100|S100|—'])
  })
})

describe('dragging the scroll bar', () => {
  it('shows bars, and requests nothing until it stops', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const here = things(100)
    const grid = await openGrid({ rowAt: (index: number) => here[index] })
    const previous = grid.needed().length
    for (const row of [200, 400, 600]) await grid.scrollTo(row * 32)
    // The first step may count as a single jump, whose target is loaded.
    const during = grid.needed().slice(previous)
    const bars = new Set(grid.rows())
    await vi.advanceTimersByTimeAsync(80)
    const rest = grid.needed().at(-1)
    vi.useRealTimers()
    expect([during, [...bars], rest]).toEqual([[[196, 214]], ['…'], [596, 614]])
  })
})
