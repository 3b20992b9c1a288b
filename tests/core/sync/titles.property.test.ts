import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { deviceTitle } from '../../../electron/contract/device-name.ts'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { deviceRows, openDevices } from '../../../electron/core/devices/devices.ts'
import { roomRows } from '../../../electron/core/rooms/rooms.ts'
import { naturalKey } from '../../../electron/core/storage/search-text.ts'
import { openStore } from '../../../electron/core/storage/store.ts'
import { openWorkbook } from '../../../electron/core/storage/workbook.ts'
import {
  markRoomGone,
  writeAlias,
  writeRecord,
  type SyncOrigin,
} from '../../../electron/core/sync/record-writer.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { memoryDatabases } from '../../memory-databases.ts'
import { cases } from '../../setup/cases.ts'

const names = fc.constantFrom('Ada', 'Bar 2', 'Bar 10', ' ', null)
const groups = fc.constantFrom('group-1', 'group-2', 'group-3')
const numbers = fc.nat(3)
const step = fc.oneof(
  fc.record({
    write: fc.constant('device'),
    number: numbers,
    name: names,
    user: names,
    groupId: fc.option(groups),
  }),
  fc.record({ write: fc.constant('room'), number: numbers, name: names, members: fc.subarray([0, 1, 2, 3]) }),
  fc.record({ write: fc.constant('alias'), groupId: groups, number: fc.option(numbers) }),
  fc.record({ write: fc.constant('gone'), number: numbers }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const twoRoomsOfOne: Step[] = [
  { write: 'device', number: 2, name: 'Ada', user: 'Ada', groupId: null },
  { write: 'room', number: 1, name: 'Bar 2', members: [2] },
  { write: 'room', number: 0, name: 'Ada', members: [2] },
  { write: 'room', number: 1, name: 'Bar 2', members: [2] },
]

const device = ({ number, name, user, groupId }: Extract<Step, { write: 'device' }>): JsonObject =>
  aDevice(number, { name, groupId, computer: { userName: user }, ...(number === 3 && { productName: null }) })
const member = (number: number): JsonObject => ({
  id: aDevice(number)['id']!,
  name: null,
  deviceConnectionStatus: null,
  firmwareStatus: null,
})

test('devices are in the order of the titles that lists show, whatever is written in whatever order, and after a rebuild', async () => {
  let [retitled, inRooms] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      const clock = new FakeClock()
      const databases = memoryDatabases()
      const open = () => openStore({ clock, databases }, [roomRows, deviceRows])
      const log = { write: () => undefined }
      const workbook = await openWorkbook({ clock, databases, log })
      let store = await open()
      /** By id, what the rows are sorted by, after comparing it with what is shown. */
      const keys = async () => {
        const query = { where: '', sort: [], start: 0, count: 10 }
        const { rows } = await openDevices({ store, clock }).slice('org', query)
        const stored = await store.database.query('SELECT id, title_key FROM device_row')
        const byId = new Map(stored.map((row) => [row['id'], row['title_key']]))
        const shown = rows.map((row) => naturalKey(deviceTitle(row)))
        expect([rows.map(({ id }) => byId.get(id)), shown.toSorted()]).toEqual([shown, shown])
        inRooms += rows.filter(({ room }) => room !== null).length
        return byId
      }
      const origin: SyncOrigin = { organizationId: 'org', syncId: 1, startedAt: 0, known: true, alone: true }
      let before: ReadonlyMap<unknown, unknown> = new Map()
      for (const one of steps) {
        await store.database.write((transaction) => {
          if (one.write === 'alias') {
            const { groupId, number } = one
            writeAlias(transaction, origin, groupId, number === null ? null : `room-${number}`, 0)
          } else if (one.write === 'gone') markRoomGone(transaction, 'org', `room-${one.number}`, 0)
          else if (one.write === 'room') {
            const devices = one.members.map(member)
            writeRecord(transaction, origin, 'room', aRoom(one.number, { name: one.name, devices }), 0)
          } else writeRecord(transaction, origin, 'device', device(one), 0)
        })
        const now = await keys()
        if (one.write !== 'device' && [...now].some(([id, key]) => before.get(id) !== key)) retitled++
        before = now
      }
      await store.database.write((transaction) => transaction.run(`UPDATE derived_stamp SET stamp = 'old'`))
      await store.close()
      store = await open()
      await keys()
      await store.close()
      await workbook.close()
    }),
    {
      numRuns: cases(1_000),
      // A room takes back a device that another one has listed meanwhile.
      examples: [[twoRoomsOfOne]],
    },
  )
  expect(Math.min(retitled, inRooms)).toBeGreaterThan(0)
})
