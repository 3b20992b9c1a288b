// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import { cellOf } from '../../../renderer/devices/device-cells.ts'

const HOUR = 3_600_000
it.each([
  ['now', 0, 'mark ok', 'Online'],
  ['six days ago', 144 * HOUR, 'mark unknown', 'Online 6 d ago'],
])('a device that was online %s is drawn so in the table', (_, ageInMs, className, words) => {
  const cell = document.createElement('div')
  const present = { now: () => ageInMs, staleAfterInMs: () => 24 * HOUR }
  cellOf('status', present)(cell)({ status: 'online', gone: false, observedAt: 0 } as DeviceRow)
  const mark = cell.firstElementChild as HTMLElement
  expect([mark.className, mark.textContent, mark.title]).toEqual([className, words, words])
})

it.each<[DeviceRow['firmware']['approved'], string, string]>([
  [{ word: 'yes', version: '2.9.2' }, 'yes', 'Approved: 2.9.2'],
  [{ word: 'no', version: '2.9.2' }, 'no', 'Approved: 2.9.2'],
  [{ word: 'expired', version: null }, 'expired', ''],
  [undefined, '—', ''],
])('a device for which %o is approved says so', (approved, words, title) => {
  const cell = document.createElement('div')
  cellOf('approved', { now: () => 0, staleAfterInMs: () => 24 * HOUR })(cell)({
    firmware: approved === undefined ? {} : { approved },
  } as DeviceRow)
  const mark = cell.firstElementChild as HTMLElement | null
  expect([cell.textContent, mark?.title ?? '']).toEqual([words, title])
})
