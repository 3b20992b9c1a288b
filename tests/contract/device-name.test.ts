import { expect, test } from 'vitest'
import {
  deviceDetail,
  deviceLabel,
  devicesIn,
  deviceTitle,
  subjectOf,
  type DeviceIdentity,
} from '../../electron/contract/device-name.ts'

const product = { productName: 'Evolve2 65', serialNumber: '00A1' }
const rows: readonly (readonly [Omit<DeviceIdentity, 'id'>, title: string, detail: string | null])[] = [
  [{ name: 'Desk', userName: 'Skype', room: { name: 'Fjord' }, ...product }, 'Fjord', 'Evolve2 65 · 00A1'],
  [{ name: 'Desk', userName: 'Anne', room: { name: ' ' }, ...product }, 'Anne', 'Evolve2 65 · 00A1'],
  [{ name: 'Desk', userName: null, room: null, ...product }, 'Desk', 'Evolve2 65 · 00A1'],
  [{ name: 'Desk', room: { name: null } }, 'Desk', null],
  [{ name: 'Evolve2 65', ...product }, 'Evolve2 65', '00A1'],
  [{ name: ' ', ...product }, 'Evolve2 65', '00A1'],
  [{ name: null, productName: null, serialNumber: '00A1' }, '00A1', null],
  [{ name: 'PanaCast 50', room: { name: 'Fjord' } }, 'Fjord', 'PanaCast 50'],
  [{ name: null, userName: 'Anne' }, 'Anne', 'D1'],
  [{ name: 'D1' }, 'D1', null],
  [{ name: null }, 'D1', null],
]

test.each(rows)('%o has the title %s and the detail %s', (device, title, detail) => {
  const named = { id: 'D1', ...device }
  expect([deviceTitle(named), deviceDetail(named), deviceLabel(named)]).toEqual([
    title,
    detail,
    [title, detail].filter(Boolean).join(' · '),
  ])
})

test('names a device by its product if its name is that of its room', () => {
  const named = { id: 'D1', name: 'Fjord' }
  const devices = [{ ...named, ...product }, { ...named, ...product, name: 'Desk' }, named]
  expect(devicesIn({ name: ' Fjord', devices }).map(deviceLabel)).toEqual([
    'Evolve2 65 · 00A1',
    'Desk · Evolve2 65 · 00A1',
    'Fjord',
  ])
})

test('names the room of a change as it was then, and the device as it is known now', () => {
  const change = {
    ...({ id: 1, kind: 'gone', before: null, after: null, observedAt: 0 } as const),
    subjectId: 'D1',
    subjectName: 'Evolve2 65',
    room: { id: 'R1', name: 'Fjord' },
    userName: null,
    ...product,
  }
  const forgotten = { room: null, productName: null, serialNumber: null }
  expect(
    [
      { ...change, of: 'device' as const },
      { ...change, ...forgotten, of: 'device' as const },
      { ...change, of: 'room' as const },
    ].map((row) => deviceLabel(subjectOf(row))),
  ).toEqual(['Fjord · Evolve2 65 · 00A1', 'Evolve2 65', 'Evolve2 65'])
})
