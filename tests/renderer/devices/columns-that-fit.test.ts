import { expect, test } from 'vitest'
import { columnsFor } from '../../../renderer/devices/device-columns.ts'

test('columns are hidden before text is cut: the user column last, the rest by priority', () => {
  expect([100, 310, 684, 824, 1104].map((width) => columnsFor(width))).toEqual([
    ['userOrRoom'],
    ['userOrRoom', 'status'],
    ['userOrRoom', 'productName', 'firmwareVersion', 'status'],
    ['userOrRoom', 'productName', 'serialNumber', 'firmwareVersion', 'status'],
    ['userOrRoom', 'productName', 'serialNumber', 'firmwareVersion', 'status', 'lastSeenAt'],
  ])
})
