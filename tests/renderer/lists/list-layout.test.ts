import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { useGridLayout, useListSort } from '../../../renderer/lists/list-layout-store.ts'
import { openCore, settle, type TestCore } from '../core.ts'

const columns = [{ key: 'name' }, { key: 'status' }] as const
const keys = columns.map(({ key }) => key)
const byName = [{ column: 'name', descending: false }] as const
const byStatus = [{ column: 'status', descending: true }] as const

let core: TestCore
beforeEach(async () => {
  core = await openCore()
  setActivePinia(createPinia())
})

it('a layout stored by another version is loaded as far as it is known', () => {
  useLayoutStore().preferences = {
    ...useLayoutStore().preferences,
    layouts: {
      devices: {
        columns: [
          { column: 'colour', width: 9, pinned: false },
          ...[1, 2].map(() => ({ column: 'name', width: 300, pinned: false })),
        ],
        sort: [{ column: 'colour', descending: true }, ...byStatus],
      },
    },
  }
  expect([
    useGridLayout('devices', () => columns).layout.value,
    useListSort('devices', keys, byName).value,
    useGridLayout('rooms', () => columns).layout.value,
    useListSort('rooms', keys, byName).value,
  ]).toEqual([[{ column: 'name', width: 300, pinned: false }], byStatus, [], byName])
})
it('an order is stored, and stays the same object while only columns change', async () => {
  const sort = useListSort('changes', keys, byName)
  const { keepLayout } = useGridLayout('changes', () => columns)
  sort.value = byStatus
  const previous = sort.value
  keepLayout([{ column: 'status', width: null, pinned: true }])
  expect(sort.value).toBe(previous)
  await settle()
  const kept = await core.handlers.app.preferences()
  expect(kept.layouts.changes?.sort).toEqual(byStatus)
})
it('the default order of a list is the natural one, also when selected', () => {
  const sort = useListSort('journal', keys, byName)
  sort.value = byStatus
  sort.value = [...byName]
  expect(sort.value).toBe(byName)
})
it('a saved view restores column widths and order', () => {
  const { layout, keepLayout, showView } = useGridLayout('rooms', () => columns)
  keepLayout([{ column: 'status', width: 200, pinned: true }])
  showView({ sort: byStatus, columns: ['name', 'status'] })
  expect([layout.value, useListSort('rooms', keys, byName).value]).toEqual([
    [
      { column: 'status', width: 200, pinned: true },
      { column: 'name', width: null, pinned: false },
    ],
    byStatus,
  ])
})
