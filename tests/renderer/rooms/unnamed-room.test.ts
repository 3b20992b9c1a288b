// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import type { RoomInTrouble } from '../../../electron/contract/api/overview.ts'
import type { RoomRow } from '../../../electron/contract/api/rooms.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import RoomsInTrouble from '../../../renderer/overview/RoomsInTrouble.vue'
import { roomEntry } from '../../../renderer/palette/found-entries.ts'
import { createPages } from '../../../renderer/router.ts'

const id = '7d0c1f8e-2f0b-4e55-9a5d-0a6c3f1f7b11'

it('a room without a name is called so in the palette and on the Overview, never by its id', () => {
  const router = createPages(() => true)
  const room: RoomInTrouble = {
    id,
    name: null,
    location: null,
    health: 'trouble',
    deviceCount: 2,
    onlineCount: 1,
  }
  const health = { ok: 0, trouble: 1, down: 0, unknown: 0 }
  const list = mount(RoomsInTrouble, {
    props: { rooms: [room], health, roomCount: 1 },
    global: { plugins: [i18n, router] },
  })
  const entry = roomEntry({ id, name: null, location: null, status: 'connected' } as RoomRow, router)
  expect([list.find('td').text(), entry.title]).toEqual(['Room without a name', 'Room without a name'])
})
