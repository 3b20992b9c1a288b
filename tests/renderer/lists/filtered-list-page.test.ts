import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { nextTick, type Component } from 'vue'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import FilteredListPage from '../../../renderer/lists/FilteredListPage.vue'
import { openCore } from '../core.ts'
import { columns, gridTexts, things, withSize, type Thing } from './a-grid.ts'

beforeEach(() => void withSize(640, 351))
afterEach(() => vi.restoreAllMocks())

async function openPage(rows: readonly Thing[]): Promise<void> {
  await openCore()
  mount(FilteredListPage as Component, {
    attachTo: '#page',
    props: {
      where: '',
      sort: [],
      place: null,
      name: 'journal',
      note: `${rows.length} things`,
      list: {
        total: rows.length,
        applied: '',
        failure: null,
        startedOver: 0,
        rowAt: (index: number) => rows[index],
        need: () => undefined,
        show: async () => undefined,
      },
      columns,
      idOf: (row: Thing) => row.id,
      selected: null,
      exported: () => [{ label: 'All', count: rows.length, subject: { of: 'jobs', where: '', sort: [] } }],
      exportedOf: { name: ['name', 'id'], serial: ['id', 'serial'] },
    },
    slots: { empty: '<p class="none">No things</p>' },
    global: { plugins: [i18n, createPinia()] },
  })
  await nextTick()
}
const exportButton = (): HTMLButtonElement =>
  [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Export')!

it('shows its rows, and a file has each column once', async () => {
  await openPage(things(2))
  exportButton().click()
  expect(gridTexts().map(([name]) => name)).toEqual(['Thing 0', 'Thing 1'])
  expect(useExports().offer?.columns.slice(0, 3)).toEqual(['name', 'id', 'serial'])
})
it('without rows it shows why, and has nothing to export', async () => {
  await openPage([])
  expect(document.querySelector('.none')?.textContent).toBe('No things')
  expect(exportButton().disabled).toBe(true)
})
