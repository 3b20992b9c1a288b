import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { endOnErrors } from '../../electron/main/end-on-errors.ts'

test.each([
  ['uncaughtException', new Error('no disk')],
  ['unhandledRejection', 'no disk'],
])('an error that nothing caught is logged, told and ends the program: %s', (event, error) => {
  const errors = new EventEmitter()
  const seen: unknown[] = []
  endOnErrors(errors, {
    note: (noted) => void seen.push(noted),
    show: (title, sentence) => void seen.push(`${title}: ${sentence}`),
    exit: (code) => void seen.push(code),
  })
  errors.emit(event, error)
  expect(seen).toEqual([
    error,
    'Headroom had to end: An error of its own ended it: no disk. The log has the details. What was being sent is unconfirmed, and jobs are paused.',
    3,
  ])
})
