// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { statusCell } from '../../../renderer/devices/status-cell.ts'

const HOUR = 3_600_000
it.each([
  ['now', 0, 'mark ok', 'Online'],
  ['six days ago', 144 * HOUR, 'mark unknown', 'Online 6 d ago'],
])('a device that was online %s is drawn so in the table', (_, ageInMs, className, words) => {
  const cell = statusCell({ status: 'online', gone: false, observedAt: 0 }, ageInMs, 24 * HOUR)
  expect([cell.className, cell.textContent, cell.title]).toEqual([className, words, words])
})
