import { expect, test } from 'vitest'
import { bodyText, isConfidential } from '../../../electron/core/writes/write-ending.ts'

test('every value next to a confidential name is hidden', () => {
  const hidden = JSON.parse(
    bodyText({ settings: [{ name: 'password', selected: 'x', new: 'y', value: 'z' }] }, (text) => text),
  )
  expect(hidden).toEqual({ settings: [{ name: 'password', selected: '•••', new: '•••', value: '•••' }] })
})

test.each([
  ['wifiPsk', true],
  ['snmp_community', true],
  ['SIPAuthUser', true],
  ['adminPwd', true],
  ['network-passwd', true],
  ['guestPass', true],
  ['loginOTP', true],
  ['passThrough', true],
  ['bypass', false],
  ['author', false],
  ['compassHeading', false],
])('%s may be a password or a code: %s', (name, hidden) => {
  expect(isConfidential(name)).toBe(hidden)
})
