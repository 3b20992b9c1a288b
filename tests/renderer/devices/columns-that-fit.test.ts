import { expect, test } from 'vitest'
import { columnsFor } from '../../../renderer/devices/device-columns.ts'

test('where nothing was chosen, columns give way before text is cut: the name goes last, the rest by priority', () => {
  expect([100, 310, 684, 824, 1104].map((width) => columnsFor(width))).toEqual([
    ['name'],
    ['name', 'status'],
    ['name', 'serialNumber', 'firmwareVersion', 'status', 'lastSeenAt'],
    ['name', 'serialNumber', 'firmwareVersion', 'status', 'roomName', 'lastSeenAt'],
    ['name', 'productName', 'serialNumber', 'firmwareVersion', 'status', 'roomName', 'lastSeenAt'],
  ])
})
