import { expect, it } from 'vitest'
import { drawingOf } from '../../../renderer/lists/room-cell.ts'

it.each([
  ['online', false, null],
  ['online', true, 'bad'],
  ['offline', false, 'off'],
  ['offline', true, 'off'],
  ['rebooting', false, null],
  ['unknown', false, null],
  ['Hibernating', false, 'warn'],
  ['CameraError', false, 'bad'],
])('the drawing of a device that is %s, revoked firmware %s, has the sign %s', (status, isRevoked, sign) => {
  expect(drawingOf({ productName: 'Jabra Speak2 75', status, isRevoked })).toEqual({
    form: 'speakerphone',
    sign,
  })
})
