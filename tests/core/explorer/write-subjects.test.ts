import { expect, it } from 'vitest'
import { roomTarget } from '../../../electron/core/explorer/write-subjects.ts'
import type { RoomNow } from '../../../electron/core/rooms/rooms.ts'
import { failureOf } from '../../failure-of.ts'

it('a reboot of a group that answers as another room is refused, then and at its turn', async () => {
  const message = 'Group G1 now belongs to another room, Board room. Sync first.'
  const devices = [{ id: 'D1', status: 'online' }]
  let other: string | null = message
  const now = async () => ({ id: 'R1', name: 'Room', devices, other }) as unknown as RoomNow
  const refused = { kind: 'invalid', field: 'groupId', message }
  expect(await failureOf(roomTarget(now, 'G1'))).toEqual(refused)
  other = null
  const { deviceIds, deviceIdsAgain } = await roomTarget(now, 'G1')
  other = message
  expect([deviceIds, await failureOf(deviceIdsAgain!())]).toEqual([['D1'], refused])
})
