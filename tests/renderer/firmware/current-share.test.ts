import { expect, test } from 'vitest'
import { currentShare } from '../../../renderer/firmware/fleet-store.ts'

test.each([
  ['not known before any device could be compared', { current: 0, devices: 149, unknown: 149 }, null],
  ['not known without devices', { current: 0, devices: 0, unknown: 0 }, null],
  ['none is 0 %', { current: 0, devices: 3, unknown: 1 }, 0],
  ['it is never rounded up', { current: 2, devices: 3, unknown: 0 }, 66],
  ['all are 100 %', { current: 3, devices: 3, unknown: 0 }, 100],
])('share of devices that are current: %s', (_, counts, share) => {
  expect(currentShare(counts)).toBe(share)
})
