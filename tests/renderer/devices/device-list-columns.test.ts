// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import { cellOf } from '../../../renderer/devices/device-list-columns.ts'
import { formatMoment } from '../../../renderer/components/format.ts'

const HOUR = 3_600_000
it.each([
  ['now', 0, 'mark ok', 'Online'],
  ['six days ago', 144 * HOUR, 'mark unknown', 'Online 6 d ago'],
])('a device that was online %s is shown so in the table', (_, ageInMs, className, words) => {
  const cell = document.createElement('div')
  const present = {
    now: () => ageInMs,
    matched: () => null,
    vendorId: () => 2830,
  }
  cellOf('status', present)(cell)({ status: 'online', gone: false, observedAt: 0 } as DeviceRow)
  const mark = cell.firstElementChild as HTMLElement
  expect([mark.className, mark.textContent, mark.title]).toEqual([className, words, words])
})

const usual = { now: () => 0, matched: () => null, vendorId: () => 2830 }
it.each<[string, string, DeviceRow['room'], boolean]>([
  ['an offline headset', 'offline', null, true],
  ['an online headset', 'online', null, false],
  ['an offline device of a room', 'offline', { id: 'r', name: 'Aarhus 3', location: null }, false],
])('the status of %s is quiet if that is usual', (_, state, room, isQuiet) => {
  const cell = document.createElement('div')
  cellOf('status', usual)(cell)({ status: state, gone: false, observedAt: 0, room } as DeviceRow)
  expect(cell.classList.contains('text-ink-3')).toBe(isQuiet)
})
it.each([
  ['annjohn@example.com', true],
  ['Anne Johnson', false],
])('%s has the weight of a name: not %s', (userName, isPlain) => {
  const cell = document.createElement('div')
  cellOf('userOrRoom', usual)(cell)({ id: 'd', name: 'd', userName, room: null } as DeviceRow)
  expect(cell.querySelector('.nameless') !== null).toBe(isPlain)
})

it.each<[DeviceRow['firmware']['approved'], string, string]>([
  [{ word: 'yes', version: '2.9.2' }, 'yes', 'Approved: 2.9.2'],
  [{ word: 'no', version: '2.9.2' }, 'no', 'Approved: 2.9.2'],
  [{ word: 'expired', version: null }, 'expired', ''],
  [undefined, '—', ''],
])('shows that %o is approved for a device', (approved, words, title) => {
  const cell = document.createElement('div')
  cellOf('approved', {
    now: () => 0,
    matched: () => null,
    vendorId: () => 2830,
  })(cell)({
    firmware: approved === undefined ? {} : { approved },
  } as DeviceRow)
  const mark = cell.firstElementChild as HTMLElement | null
  expect([cell.textContent, mark?.title ?? '']).toEqual([words, title])
})

const NONE = { by: null, latest: null, why: null } as const
it.each<[string, DeviceRow['firmware'], string, string, string]>([
  [
    'current',
    { ...NONE, word: 'current', latest: '2.9.2' },
    '2.7.0',
    'plain',
    'current. Latest release 2.9.2',
  ],
  [
    'behind',
    { ...NONE, word: 'behind', by: 2, latest: '2.9.2' },
    '2.7.0 → 2.9.2',
    'warn',
    '2 behind. Latest release 2.9.2',
  ],
  [
    'behind the approved version',
    { ...NONE, word: 'behind', by: 1, latest: '2.9.2', comparedWith: '2.8.0' },
    '2.7.0 → 2.8.0',
    'warn',
    '1 behind. Compared with the approved version 2.8.0',
  ],
  ['behind an unknown version', { ...NONE, word: 'behind' }, '2.7.0 behind', 'warn', 'behind'],
  [
    'revoked',
    { ...NONE, word: 'revoked', latest: '2.9.2' },
    '2.7.0 revoked → 2.9.2',
    'bad',
    'revoked. Latest release 2.9.2',
  ],
  [
    'ahead',
    { ...NONE, word: 'ahead', latest: '2.6.0' },
    '2.7.0 ahead',
    'plain',
    'ahead. Latest release 2.6.0',
  ],
  ['unknown', { ...NONE, word: 'unknown' }, '2.7.0', 'plain', 'unknown'],
])('firmware that is %s: shows its version and the expected one', (_, firmware, words, kind, title) => {
  const cell = document.createElement('div')
  cellOf('firmwareVersion', {
    now: () => 0,
    matched: () => null,
    vendorId: () => 2830,
  })(cell)({
    firmwareVersion: '2.7.0',
    firmwareReadAt: null,
    firmware,
  } as DeviceRow)
  expect([cell.textContent, cell.firstElementChild?.className, cell.title]).toEqual([
    words,
    `grid-step ${kind}`,
    title,
  ])
})

it('shows when the device itself reported its version', () => {
  const cell = document.createElement('div')
  const present = { now: () => 0, matched: () => null, vendorId: () => 2830 }
  const firmware = { ...NONE, word: 'current', latest: '2.9.2' }
  const row = { firmwareVersion: '2.9.2', firmwareReadAt: Date.UTC(2026, 10, 22, 9, 30), firmware }
  cellOf('firmwareVersion', present)(cell)(row as DeviceRow)
  expect(cell.title).toBe(
    `current. Latest release 2.9.2. The device reported this version on ${formatMoment(row.firmwareReadAt)}`,
  )
})
