import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviceFields } from '../../../electron/contract/fields/device.ts'
import { keysWith } from '../../../electron/contract/fields/field.ts'
import type { DeviceColumn } from '../../../electron/contract/api/devices.ts'
import { columnFacts, factOf } from '../../../renderer/devices/device-columns.ts'
import {
  fittingKeys,
  withMoved,
  withPinned,
  withVisible,
  type GridLayout,
} from '../../../renderer/lists/grid-columns.ts'

const inSight: readonly DeviceColumn[] = ['name', 'status', 'lastSeenAt']
const columnsFor = (width: number): readonly DeviceColumn[] =>
  fittingKeys(
    columnFacts.map(({ column, ...fact }) => ({ key: column, ...fact })),
    width,
  )
const names = (layout: GridLayout): string =>
  layout.map((one) => (one.pinned ? `${one.column}*` : one.column)).join(' ')

describe('columns of the device list', () => {
  it('every column of the contract can be shown', () => {
    expect(columnFacts.map((one) => one.column).toSorted()).toEqual(keysWith(deviceFields, 'cell').toSorted())
  })
  it('are hidden by priority, never the first, and keep their order', () => {
    expect([columnsFor(100), columnsFor(682), columnsFor(1022)]).toEqual([
      ['userOrRoom'],
      ['userOrRoom', 'productName', 'firmwareVersion', 'status'],
      ['userOrRoom', 'productName', 'serialNumber', 'firmwareVersion', 'status', 'lastSeenAt'],
    ])
  })
  it('are more in a wide window, once all have space for long texts', () => {
    const usual = columnsFor(1_022)
    expect(
      [1_173, 1_174, 1_688].map((width) => columnsFor(width).filter((one) => !usual.includes(one))),
    ).toEqual([[], ['computerName'], ['computerName', 'location', 'ipAddress', 'tags']])
  })
  it('never need more space than available, apart from the first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 192, max: 3_000 }), (width) => {
        expect(columnsFor(width).reduce((sum, column) => sum + factOf(column).least, 0)).toBeLessThanOrEqual(
          width,
        )
      }),
    )
  })
  it('keep the visible ones on the first change', () => {
    expect(names(withVisible([], inSight, 'tags', true))).toBe('name status lastSeenAt tags')
    expect(names(withMoved([], inSight, 'lastSeenAt', -1))).toBe('name lastSeenAt status')
  })
  it('include at least one', () => {
    const one: GridLayout<DeviceColumn> = [{ column: 'name', width: null, pinned: false }]
    expect(withVisible(one, ['name'], 'name', false)).toEqual(one)
  })
  it('keep pinned ones before the others after any move', () => {
    const pinned = withPinned([], inSight, 'lastSeenAt', true)
    expect([
      names(pinned),
      names(withMoved(pinned, inSight, 'lastSeenAt', 2)),
      names(withPinned(pinned, inSight, 'lastSeenAt', false)),
    ]).toEqual(['lastSeenAt* name status', 'lastSeenAt* name status', 'lastSeenAt name status'])
  })
})
