import { expect, it } from 'vitest'
import { deviceTable } from '../../electron/cli/commands/rooms.ts'

const device = {
  id: 'D1',
  name: 'Bar',
  status: 'online',
  productName: 'PanaCast 50',
  serialNumber: '00A1',
  firmwareVersion: '9.3.6',
  firmwareStatus: null,
  firmware: null,
  lastSeenAt: null,
  observedAt: 1,
}

it.each([
  ['of a room', {}, 'online'],
  ['that is listed now', { listedNow: true }, 'online'],
  ['that only the last sync knew', { listedNow: false }, 'online, not listed now'],
])('a device %s is reported as %s', (_, listed, status) => {
  const [, row] = deviceTable({ name: 'Oslo', devices: [{ ...device, ...listed }] })
  expect(row?.cells).toEqual(['Bar · PanaCast 50 · 00A1', '9.3.6', status, 'D1'])
})
