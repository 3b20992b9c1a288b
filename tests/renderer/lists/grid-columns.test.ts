import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  knownLayout,
  positionedColumns,
  withMoved,
  withPinned,
  withVisible,
  withWidth,
  type GridColumn,
  type GridLayout,
} from '../../../renderer/lists/grid-columns.ts'
import { openGrid, withSize } from './a-grid.ts'

type Key = 'name' | 'product' | 'serial' | 'seen' | 'tags'
const column = (
  key: Key,
  least: number,
  priority: number | null,
  more: Partial<GridColumn<never, Key>> = {},
): GridColumn<never, Key> => ({ key, label: key, least, priority, cell: () => () => undefined, ...more })
const columns = [
  column('name', 160, 1, { grow: 3 }),
  column('product', 101, 4, { extra: true, grow: 1 }),
  column('serial', 100, 2, { full: 140 }),
  column('seen', 80, 3),
  column('tags', 150, null, { grow: 1 }),
]
const placed = (layout: GridLayout<Key>, width: number): readonly string[] =>
  positionedColumns(columns, layout, width).map(
    (one) => `${one.column.key} ${one.width}${one.pinned ? ' pinned' : ''}`,
  )
const columnLayout = (key: Key, width: number | null = null, pinned = false): GridLayout<Key>[number] => ({
  column: key,
  width,
  pinned,
})

describe('the width of columns', () => {
  it.each<[string, GridLayout<Key>, number, readonly string[]]>([
    ['no remaining space', [], 340, ['name 160', 'serial 100', 'seen 80']],
    ['remaining space goes first to texts that need it', [], 360, ['name 160', 'serial 120', 'seen 80']],
    ['then to columns that grow', [], 480, ['name 260', 'serial 140', 'seen 80']],
    [
      'less than they need: they keep their width, and the list scrolls',
      [columnLayout('name'), columnLayout('serial'), columnLayout('seen')],
      100,
      ['name 160', 'serial 100', 'seen 80'],
    ],
    [
      'a layout: its order and widths; columns without a width share the remaining space',
      [columnLayout('serial', 60), columnLayout('name'), columnLayout('product')],
      721,
      ['serial 60', 'name 460', 'product 201'],
    ],
    [
      'a pinned one does not grow',
      [columnLayout('name', null, true), columnLayout('product')],
      600,
      ['name 160 pinned', 'product 440'],
    ],
    [
      'all widths set by the user: the remaining space stays empty',
      [columnLayout('name', 90), columnLayout('seen', 90)],
      500,
      ['name 90', 'seen 90'],
    ],
  ])('%s', (_what, layout, width, expected) => {
    expect(placed(layout, width)).toEqual(expected)
  })
  it('is all of the space for a column beside which no other fits', () => {
    expect([placed([], 90), placed([], 20)]).toEqual([['name 90'], ['name 48']])
  })
})

describe('a layout', () => {
  const inSight: readonly Key[] = ['name', 'serial']
  it.each<[string, GridLayout<Key>, GridLayout<Key>]>([
    [
      'the first change keeps the visible columns',
      withWidth<Key>([], inSight, 'serial', 133.4),
      [columnLayout('name'), columnLayout('serial', 133)],
    ],
    ['no width below the narrowest', withWidth<Key>([], ['name'], 'name', 3), [columnLayout('name', 48)]],
    [
      'one more',
      withVisible<Key>([], inSight, 'tags', true),
      [columnLayout('name'), columnLayout('serial'), columnLayout('tags')],
    ],
    [
      'the last one stays',
      withVisible<Key>([columnLayout('name')], inSight, 'name', false),
      [columnLayout('name')],
    ],
    [
      'moved beyond the end',
      withMoved<Key>([], inSight, 'name', 9),
      [columnLayout('serial'), columnLayout('name')],
    ],
    [
      'pinned ones come first',
      withPinned<Key>([], inSight, 'serial', true),
      [columnLayout('serial', null, true), columnLayout('name')],
    ],
    [
      'a column that is not pinned cannot be moved before pinned ones',
      withMoved<Key>([columnLayout('serial', null, true), columnLayout('name')], inSight, 'name', -1),
      [columnLayout('serial', null, true), columnLayout('name')],
    ],
    [
      'stored by another version: unknown or repeated columns are omitted',
      knownLayout<Key>(
        [
          columnLayout('name'),
          { column: 'gone', width: 9, pinned: true },
          columnLayout('name', 7),
          columnLayout('serial', 8, true),
        ],
        (name): name is Key => columns.some((one) => one.key === name),
      ),
      [columnLayout('serial', 8, true), columnLayout('name')],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected)
  })
})

describe('columns in the grid', () => {
  let size: ReturnType<typeof withSize>
  beforeEach(() => void (size = withSize(640, 351)))
  afterEach(() => vi.restoreAllMocks())
  const widths = (root: HTMLElement): readonly string[] =>
    [0, 1, 2].map((at) => root.style.getPropertyValue(`--grid-w${at}`))
  const visible = (root: HTMLElement): readonly (string | undefined)[] =>
    [...root.querySelectorAll<HTMLElement>('[role="columnheader"]')].map((head) => head.dataset['column'])

  it('are hidden by priority when it gets narrow, return when it gets wide, and are reported', async () => {
    const events: unknown[] = []
    const { root } = await openGrid({ onVisibleColumns: (keys: unknown) => events.push(keys) })
    size.resize(500, 351)
    const narrow = visible(root)
    size.resize(640, 351)
    expect([narrow, visible(root), events]).toEqual([
      ['name', 'serial'],
      ['name', 'serial', 'note'],
      [
        ['name', 'serial', 'note'],
        ['name', 'serial'],
        ['name', 'serial', 'note'],
      ],
    ])
  })
  it('that are pinned stay in one pane while the others scroll, and belong to the same rows', async () => {
    const grid = await openGrid({
      chosenAt: () => false,
      head: 'none',
      layout: [
        { column: 'serial', width: 100, pinned: true },
        { column: 'name', width: 400, pinned: false },
        { column: 'note', width: 300, pinned: false },
      ],
    })
    const pane = grid.box.querySelector('.grid-pins')!
    expect({
      wide: grid.box.classList.contains('wide'),
      pane: grid.box.style.getPropertyValue('--grid-pins'),
      inPane: [...pane.children[0]!.children].map((cell) => (cell as HTMLElement).dataset['column']),
      heads: [...grid.root.querySelector('.grid-head-pins')!.children].map(
        (head) => (head as HTMLElement).dataset['column'],
      ),
      row: grid.rows()[0],
    }).toEqual({
      wide: true,
      pane: '140px',
      inPane: ['box', 'serial'],
      heads: ['box', 'serial'],
      row: '|S0|Thing 0|—',
    })
    await grid.click(grid.cell(2, 'serial'))
    expect(grid.events()).toEqual([['open', 't2', false]])
  })
  it('that all fit need no pane', async () => {
    const grid = await openGrid({ layout: [{ column: 'serial', width: 100, pinned: true }] })
    expect([grid.box.classList.contains('wide'), grid.lines()[0]?.hasAttribute('aria-owns')]).toEqual([
      false,
      false,
    ])
  })
  it('scroll into view when a key moves to them', async () => {
    const grid = await openGrid({
      layout: ['serial', 'name', 'note'].map((key, at) => ({ column: key, width: 400, pinned: at === 0 })),
    })
    await grid.press('End', { ctrlKey: true })
    const right = grid.box.scrollLeft
    await grid.press('ArrowLeft')
    expect([right, grid.box.scrollLeft]).toEqual([400, 0])
  })
  const pointer = (target: Element, kind: string, clientX: number): void =>
    void target.dispatchEvent(
      new PointerEvent(kind, {
        clientX,
        button: 0,
        buttons: kind === 'pointerup' ? 0 : 1,
        pointerId: 1,
        bubbles: true,
      }),
    )
  /** happy-dom has no positions: each header is positioned according to its width. */
  function placeHeads(grid: Awaited<ReturnType<typeof openGrid>>): void {
    let left = 0
    for (const [at, key] of (['name', 'serial', 'note'] as const).entries()) {
      const width = Number.parseInt(widths(grid.box)[at]!)
      const place = new DOMRect(left, 0, width, 31)
      grid.headOf(key).getBoundingClientRect = () => place
      left += width
    }
    for (const part of grid.root.querySelectorAll<HTMLElement>('.grid-edge, .grid-sort'))
      part.setPointerCapture = () => undefined
  }
  it('get wider while their edge is dragged, and emit it once, at the end', async () => {
    const grid = await openGrid()
    placeHeads(grid)
    const edge = grid.headOf('serial').querySelector('.grid-edge')!
    pointer(edge, 'pointerdown', 340)
    pointer(edge, 'pointermove', 380)
    const during = [widths(grid.box), grid.box.classList.contains('resizing'), grid.events().length]
    pointer(edge, 'pointerup', 390)
    pointer(edge, 'pointermove', 500)
    expect([during, grid.events()]).toEqual([
      [['200px', '140px', '300px'], true, 0],
      [
        [
          'layout',
          [
            { column: 'name', width: null, pinned: false },
            { column: 'serial', width: 150, pinned: false },
            { column: 'note', width: null, pinned: false },
          ],
        ],
      ],
    ])
  })
  it('are restored when the drag is cancelled, and a press alone changes nothing', async () => {
    const grid = await openGrid()
    placeHeads(grid)
    const previous = widths(grid.box)
    const edge = grid.headOf('serial').querySelector('.grid-edge')!
    pointer(edge, 'pointerdown', 340)
    pointer(edge, 'pointermove', 380)
    pointer(edge, 'pointercancel', 380)
    pointer(edge, 'pointerdown', 340)
    pointer(edge, 'pointerup', 340)
    expect([widths(grid.box), grid.events()]).toEqual([previous, []])
  })
  it('move where their header is dropped, with a line at the target, and are not sorted by it', async () => {
    const grid = await openGrid()
    placeHeads(grid)
    const button = grid.headOf('name').querySelector<HTMLElement>('.grid-sort')!
    const drop = grid.root.querySelector<HTMLElement>('.grid-drop')!
    pointer(button, 'pointerdown', 20)
    pointer(button, 'pointermove', 22)
    const still = drop.hidden
    pointer(button, 'pointermove', 330)
    const during = [drop.hidden, drop.style.insetInlineStart]
    pointer(button, 'pointerup', 330)
    await grid.click(button)
    expect([still, during, drop.hidden, grid.events()]).toEqual([
      true,
      [false, '340px'],
      true,
      [['layout', ['serial', 'name', 'note'].map((key) => ({ column: key, width: null, pinned: false }))]],
    ])
  })
  it('fit their visible texts after a double click on their edge', async () => {
    const grid = await openGrid()
    vi.spyOn(Range.prototype, 'getBoundingClientRect').mockImplementation(function (this: Range) {
      return new DOMRect(0, 0, (this.toString().length || 1) * 7, 16)
    })
    grid.headOf('serial').querySelector('.grid-edge')!.dispatchEvent(new MouseEvent('dblclick'))
    // "Serial" is longer than "S0" to "S18".
    expect(grid.events()).toEqual([
      [
        'layout',
        [
          { column: 'name', width: null, pinned: false },
          { column: 'serial', width: 6 * 7 + 18, pinned: false },
          { column: 'note', width: null, pinned: false },
        ],
      ],
    ])
  })
  it('keep their header element for an open filter, and the active cell, when their order changes', async () => {
    const grid = await openGrid()
    const head = grid.headOf('name')
    await grid.press('ArrowRight')
    await grid.page.setProps({
      layout: ['note', 'serial', 'name'].map((key) => ({ column: key, width: null, pinned: false })),
    })
    expect([grid.headOf('name') === head, visible(grid.root), grid.active()]).toEqual([
      true,
      ['note', 'serial', 'name'],
      { row: 0, column: 'serial' },
    ])
  })
})
