import { expect, it } from 'vitest'
import { useRoomStore } from '../../../renderer/rooms/room-store.ts'
import { openCore, settle } from '../core.ts'
import { roomsWhere } from './rooms-at-hand.ts'

it('a room that is refreshed while the next one loads is not shown as the next one', async () => {
  const core = await openCore()
  const [first, next] = await roomsWhere(core, '')
  const open = useRoomStore()
  await open.open(first!.id)
  const release = core.hold('rooms.get')
  void open.open(next!.id)
  const before = [open.id, open.room?.id]
  const refreshed = open.refresh()
  await settle()
  release()
  await core.finish(refreshed)
  expect([before, [open.id, open.room?.id]]).toEqual([
    [next!.id, first!.id],
    [next!.id, next!.id],
  ])
})
