import { expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { otherThanAsked } from '../../../electron/core/management/firmware-json.ts'

const asked = { deviceId: 'a1', productId: 9416 }

it.each<[string, Json, string | null]>([
  ['no object', null, null],
  ['a list', [], null],
  ['nothing about itself', { firmwareVersion: '1.0' }, null],
  ['the device in another case', { deviceId: ' A1 ', productId: 9416 }, null],
  ['the device with an invisible character', { deviceId: 'a\u200b1' }, null],
  ['another device', { deviceId: 'b2' }, 'The service answered for another device: b2.'],
  [
    'another device one level deeper',
    { device: { id: 'b2' } },
    'The service answered for another device: b2.',
  ],
])('a report that is %s: %j is of another device: %j', (_, report, other) => {
  expect(otherThanAsked(report, asked)).toBe(other)
})
