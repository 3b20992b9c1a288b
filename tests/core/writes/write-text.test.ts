import { expect, test } from 'vitest'
import { bodyText } from '../../../electron/core/writes/write-text.ts'

test('every value next to a confidential name is hidden', () => {
  const hidden = JSON.parse(
    bodyText({ settings: [{ name: 'password', selected: 'x', new: 'y', value: 'z' }] }, (text) => text),
  )
  expect(hidden).toEqual({ settings: [{ name: 'password', selected: '•••', new: '•••', value: '•••' }] })
})
