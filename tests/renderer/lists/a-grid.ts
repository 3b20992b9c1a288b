import { mount, type VueWrapper } from '@vue/test-utils'
import { vi } from 'vitest'
import { nextTick, type Component } from 'vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import DataGrid from '../../../renderer/lists/DataGrid.vue'
import { words } from '../../../renderer/lists/grid-cells.ts'
import type { GridColumn } from '../../../renderer/lists/grid-columns.ts'

export interface Thing {
  readonly id: string
  readonly name: string
  readonly serial: string
}
export const things = (count: number, from = 0): readonly Thing[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `t${at + from}`,
    name: `Thing ${at + from}`,
    serial: `S${at + from}`,
  }))

export type ThingColumn = 'name' | 'serial' | 'note'
export const columns: readonly GridColumn<Thing, ThingColumn>[] = [
  {
    key: 'name',
    label: 'Name',
    least: 200,
    grow: 1,
    priority: 1,
    funnel: 'off',
    cell: words((one) => one.name),
  },
  {
    key: 'serial',
    label: 'Serial',
    least: 100,
    priority: 2,
    look: 'tabular',
    cell: words((one) => one.serial),
  },
  {
    key: 'note',
    label: 'Note',
    least: 300,
    priority: 3,
    fixed: true,
    look: 'end dim',
    cell: words(() => null),
  },
]

/** happy-dom has no layout: the grid is given this size. `resize` changes it. */
export function withSize(width: number, height: number): { resize: (width: number, height: number) => void } {
  let size = { width, height }
  const events: (() => void)[] = []
  for (const [name, side, scrollBar] of [
    ['offsetWidth', 'width', 10],
    ['clientHeight', 'height', 0],
  ] as const)
    vi.spyOn(HTMLElement.prototype, name, 'get').mockImplementation(function (this: HTMLElement) {
      return this.classList.contains('data-grid') ? size[side] + scrollBar : 0
    })
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        events.push(tell)
      }
      observe(): void {}
      disconnect(): void {}
    },
  )
  return {
    resize: (wide, high) => {
      size = { width: wide, height: high }
      for (const tell of events) tell()
    },
  }
}

export interface OpenedGrid {
  readonly page: VueWrapper
  /** The scrolling element, and its content. */
  readonly box: HTMLElement
  readonly root: HTMLElement
  /** The visible rows in screen order, each as the texts of its cells; a bar if it is not loaded. */
  readonly rows: () => readonly string[]
  readonly lines: () => readonly HTMLElement[]
  readonly cell: (row: number, column: string) => HTMLElement
  readonly headOf: (column: string) => HTMLElement
  readonly press: (key: string, keys?: KeyboardEventInit) => Promise<void>
  readonly click: (element: HTMLElement, keys?: MouseEventInit) => Promise<void>
  readonly scrollTo: (top: number) => Promise<void>
  /** Row and column of the active cell; row -1: the headers. */
  readonly active: () => { readonly row: number; readonly column: string } | null
  /** The emitted events, in order, except the needed rows and the visible columns. */
  readonly events: () => readonly (readonly unknown[])[]
  readonly needed: () => readonly (readonly [number, number])[]
}

export async function openGrid(given: Record<string, unknown> = {}): Promise<OpenedGrid> {
  const rows = things(1_000)
  const events: (readonly unknown[])[] = []
  const needed: (readonly [number, number])[] = []
  const hears = Object.fromEntries(
    ['open', 'sort', 'visibleColumns', 'toggle', 'extend', 'all', 'clear', 'layout', 'funnel'].map((name) => [
      `on${name[0]!.toUpperCase()}${name.slice(1)}`,
      (...heard: unknown[]) => events.push([name, ...heard]),
    ]),
  )
  const page = mount(DataGrid as Component, {
    attachTo: '#page',
    props: {
      columns,
      total: 1_000,
      rowAt: (index: number) => rows[index],
      idOf: (row: Thing) => row.id,
      sort: [],
      selected: null,
      label: 'Things',
      startedOver: 0,
      ...hears,
      onNeed: (first: number, last: number) => needed.push([first, last]),
      ...given,
    },
    global: { plugins: [i18n] },
  }) as VueWrapper
  await nextTick()
  const box = (page.element as HTMLElement).querySelector<HTMLElement>('.data-grid')!
  const root = box.querySelector<HTMLElement>('[role="grid"]')!
  const lines = (): readonly HTMLElement[] =>
    [...root.querySelectorAll<HTMLElement>('[role="row"]:not(.grid-head)')].toSorted(
      (a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')),
    )
  const cellsOf = (line: HTMLElement): readonly HTMLElement[] => {
    const owned = line.getAttribute('aria-owns')
    return owned === null
      ? [...line.querySelectorAll<HTMLElement>('[role="gridcell"]')]
      : owned.split(' ').map((id) => document.getElementById(id)!)
  }
  return {
    page,
    box,
    root,
    lines,
    rows: () =>
      lines().map((line) =>
        line.getAttribute('aria-busy') === 'true'
          ? '…'
          : cellsOf(line)
              .map((cell) => cell.textContent)
              .join('|'),
      ),
    cell: (row, column) =>
      cellsOf(lines().find((line) => line.getAttribute('aria-rowindex') === String(row + 2))!).find(
        (cell) => cell.dataset['column'] === column,
      )!,
    headOf: (column) => root.querySelector<HTMLElement>(`[role="columnheader"][data-column="${column}"]`)!,
    press: async (key, keys = {}) => {
      root.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...keys }))
      await nextTick()
    },
    click: async (element, keys = {}) => {
      element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...keys }))
      await nextTick()
    },
    scrollTo: async (top) => {
      box.scrollTop = top
      box.dispatchEvent(new Event('scroll'))
      await nextTick()
    },
    active: () => {
      const cell = document.getElementById(root.getAttribute('aria-activedescendant') ?? '')
      if (!cell) return null
      const line = lines().find((one) => cellsOf(one).includes(cell))
      return {
        row: line ? Number(line.getAttribute('aria-rowindex')) - 2 : -1,
        column: cell.dataset['column'] ?? '',
      }
    },
    events: () => events.filter(([name]) => name !== 'visibleColumns'),
    needed: () => needed,
  }
}

/** The rows of the only grid on a page in screen order, each as the texts of its cells. */
export const gridTexts = (): readonly (readonly string[])[] =>
  gridLines().map((line) => [...line.querySelectorAll('[role="gridcell"]')].map((cell) => cell.textContent))
export const gridLines = (): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('.data-grid [role="row"]:not(.grid-head)')]
    .filter((line) => !line.hidden)
    .toSorted((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
