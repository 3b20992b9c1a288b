import { afterAll, beforeAll, expect, it } from 'vitest'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { roomCommands } from '../../electron/cli/commands/rooms.ts'
import type { Json } from '../../electron/contract/json.ts'
import { aDevice, aRoom } from '../a-device.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'

let service: OddService
beforeAll(async () => {
  service = await anOddService()
  service.devices = { MeetingRoom: [aDevice(1)], Personal: [] }
  service.rooms = [aRoom(1, { name: 'Fjord', locationName: 'Aarhus' })]
  await headroom('sync')
})
afterAll(() => service.close())

const headroom = (...argv: string[]) => service.run([...inventoryCommands, ...roomCommands], ...argv)
const read = async (...argv: string[]): Promise<Record<string, Json>> =>
  JSON.parse((await headroom(...argv, '--json')).output) as Record<string, Json>

it('adds a note to a room and a device and a site to a room, and finds both by them', async () => {
  await headroom('room', 'note', 'Fjord', 'The projector hums')
  await headroom('room', 'site', 'Fjord', 'Harbour')
  await headroom('device', 'note', 'D00000001', 'Loan')
  const rooms = await read('rooms', '--where', 'note:hums')
  const devices = await read('devices', '--where', 'note:loan')
  expect([rooms, devices]).toMatchObject([
    { total: 1, rooms: [{ name: 'Fjord', site: 'Harbour', note: 'The projector hums' }] },
    { total: 1, devices: [{ id: 'D00000001', note: 'Loan' }] },
  ])
})

it('uses the value of the record again after removal', async () => {
  await headroom('room', 'note', 'Fjord', '--remove')
  const { site, siteFrom, note } = await read('room', 'site', 'Fjord', '--remove')
  expect([site, siteFrom, note]).toEqual(['Aarhus', undefined, undefined])
})

it('parses sites from room names with the chosen separator when records have no location', async () => {
  service.rooms = [
    aRoom(1, { name: 'Fjord', locationName: 'Aarhus' }),
    aRoom(2, { name: 'OSL-4', locationName: null }),
  ]
  await headroom('sync')
  const { separator, offers } = await read('room', 'sites', '--before', '-')
  const chosen = await read('rooms', '--where', 'site:OSL')
  const { separator: none } = await read('room', 'sites', '--none')
  expect([separator, offers, chosen['total'], none]).toEqual([
    '-',
    [
      {
        separator: '-',
        rooms: 1,
        sites: 1,
        examples: ['OSL'],
        largest: [{ word: 'OSL', count: 1 }],
      },
    ],
    1,
    null,
  ])
  await expect(headroom('room', 'sites', '--before', 'x')).rejects.toThrow('--before takes one of')
})

it.each([[[]], [['text', '--remove']]])(
  'rejects neither or both of text and removal as wrong usage: %j',
  async (words) => {
    await expect(headroom('room', 'note', 'Fjord', ...words)).rejects.toThrow(
      'room note: use either TEXT or --remove.',
    )
  },
)
