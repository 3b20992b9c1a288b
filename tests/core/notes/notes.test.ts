import { expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { writtenText } from '../../../electron/core/notes/notes.ts'

test('a text of exactly the greatest length is taken, a longer one is not', () => {
  expect(writtenText(` ${'x'.repeat(60)} `, 'ticket', 60)).toBe('x'.repeat(60))
  expect(() => writtenText('x'.repeat(61), 'ticket', 60)).toThrow(
    Failed.invalid('ticket', 'At most 60 characters are allowed. This text has 61.'),
  )
})
