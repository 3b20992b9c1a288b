import { expect, test } from 'vitest'
import { currentShare } from '../../../renderer/firmware/fleet-store.ts'

test.each([
  ['nothing is claimed before any could be compared', { current: 0, devices: 149, unknown: 149 }, null],
  ['nor of no devices', { current: 0, devices: 0, unknown: 0 }, null],
  ['none is none', { current: 0, devices: 3, unknown: 1 }, 0],
  ['it is never rounded up', { current: 2, devices: 3, unknown: 0 }, 66],
  ['all are all', { current: 3, devices: 3, unknown: 0 }, 100],
])('share of devices that are current: %s', (_, counts, share) => {
  expect(currentShare(counts)).toBe(share)
})
