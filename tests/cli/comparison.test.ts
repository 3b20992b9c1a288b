import { afterAll, beforeAll, expect, it } from 'vitest'
import { comparisonCommands } from '../../electron/cli/commands/comparison.ts'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { UsageError } from '../../electron/cli/grammar.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { aDevice, aRoom } from '../a-device.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'

let service: OddService
beforeAll(async () => {
  service = await anOddService()
  service.devices = {
    MeetingRoom: [
      aDevice(1, { name: 'Desk 1', groupId: 'group-1' }),
      aDevice(2, { name: 'Desk 2', groupId: 'group-2', firmwareVersion: '4.2.0.8' }),
    ],
    Personal: [],
  }
  service.rooms = [aRoom(1, { name: 'Fjord' }), aRoom(2, { name: 'Bay', seatCount: 12 })]
  await headroom('sync')
})
afterAll(() => service.close())

const headroom = (...argv: string[]) => service.run([...comparisonCommands, ...inventoryCommands], ...argv)

it('room diff and device diff print what differs, and what would make the second like the first', async () => {
  const rooms = await headroom('room', 'diff', 'Fjord', 'Bay')
  const devices = await headroom('device', 'diff', 'Desk 1', 'D00000002')
  const head = 'Of                 What      Fjord    Bay      To make them alike'
  const lines = [
    'Jabra PanaCast 50  firmware  4.2.0.9  4.2.0.8  the profile has no address for it',
    'Jabra PanaCast 50  settings  unknown  unknown  read it first',
  ]
  expect([rooms.output.split('\n'), devices.output.split('\n')]).toEqual([
    [
      '2 differences, 1 unknown, 3 the same.',
      head,
      ...lines,
      'room               seats     8        12       stays: about the room',
      '',
    ],
    ['1 difference, 1 unknown, 0 the same.', head, ...lines, ''],
  ])
})

it.each([
  ['the same twice', ['room', 'diff', 'Fjord', 'Fjord'], UsageError],
  ['an unknown one', ['device', 'diff', 'Desk 1', 'Desk 9'], Failed],
])('refuses %s', async (_, argv, kind) => {
  await expect(headroom(...argv)).rejects.toThrow(kind)
})
