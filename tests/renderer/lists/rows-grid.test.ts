import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { nextTick, type Component } from 'vue'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import RowsGrid from '../../../renderer/lists/RowsGrid.vue'
import { openCore } from '../core.ts'
import { columns, gridLines, gridTexts, withSize, type Thing } from './a-grid.ts'

beforeEach(() => void withSize(640, 351))
afterEach(() => vi.restoreAllMocks())

const rows: readonly (Thing & { readonly weight: number | null })[] = [
  { id: 'a', name: 'Desk 10', serial: 'S3', weight: 5 },
  { id: 'b', name: 'desk 9', serial: 'S1', weight: null },
  { id: 'c', name: 'Änd', serial: 'S2', weight: 40 },
]
async function openRows(): Promise<{ readonly chosen: readonly unknown[]; readonly names: () => unknown[] }> {
  await openCore()
  const chosen: unknown[] = []
  mount(RowsGrid as Component, {
    attachTo: '#page',
    props: {
      columns,
      rows,
      by: { name: (one: Thing) => one.name, serial: (one: (typeof rows)[number]) => one.weight },
      label: 'Things',
      name: 'releases',
      chosen: rows[1],
      onChoose: (row: unknown) => chosen.push(row),
    },
    global: { plugins: [i18n, createPinia()] },
  })
  await nextTick()
  return { chosen, names: () => gridTexts().map(([name]) => name) }
}
const clickHead = async (column: string): Promise<void> => {
  document.querySelector<HTMLElement>(`[role="columnheader"][data-column="${column}"] button`)!.click()
  await nextTick()
  await nextTick()
}

it('rows are in their given order, and in natural order by a clicked header', async () => {
  const { names } = await openRows()
  const asTheyCome = names()
  await clickHead('name')
  const upwards = names()
  await clickHead('name')
  expect([asTheyCome, upwards, names()]).toEqual([
    ['Desk 10', 'desk 9', 'Änd'],
    ['Änd', 'desk 9', 'Desk 10'],
    ['Desk 10', 'desk 9', 'Änd'],
  ])
})
it('unknown values are last in both directions', async () => {
  const { names } = await openRows()
  await clickHead('serial')
  const upwards = names()
  await clickHead('serial')
  expect([upwards, names()]).toEqual([
    ['Desk 10', 'Änd', 'desk 9'],
    ['Änd', 'Desk 10', 'desk 9'],
  ])
})
it('the selected row stays marked after sorting, and a click selects the row at its new place', async () => {
  const { chosen } = await openRows()
  await clickHead('name')
  const marked = gridLines().map((line) => line.classList.contains('open'))
  gridLines()[2]!.querySelector<HTMLElement>('[role="gridcell"]')!.click()
  expect([marked, chosen]).toEqual([[false, true, false], [rows[0]]])
})

it('exports in its order, with the visible columns that have a value', async () => {
  await openRows()
  await clickHead('name')
  ;[...document.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Export')!.click()
  expect(useExports().offer).toEqual({
    title: 'Export: Things',
    choices: [
      {
        label: 'All 3 rows',
        count: 3,
        subject: {
          of: 'rows',
          name: 'Things',
          columns: [
            { key: 'name', label: 'Name', time: false },
            { key: 'serial', label: 'Serial', time: false },
          ],
          rows: [
            ['Änd', 40],
            ['desk 9', null],
            ['Desk 10', 5],
          ],
        },
      },
    ],
    columns: ['name', 'serial'],
    viewName: null,
  })
})
