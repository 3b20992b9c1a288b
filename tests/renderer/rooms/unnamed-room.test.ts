// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { expect, it } from 'vitest'
import type { RoomListRow, RoomRow } from '../../../electron/contract/api/rooms.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import NeedsAttention from '../../../renderer/overview/NeedsAttention.vue'
import { roomEntry } from '../../../renderer/palette/found-entries.ts'
import { createPages } from '../../../renderer/router.ts'

const id = '7d0c1f8e-2f0b-4e55-9a5d-0a6c3f1f7b11'

it('an unnamed room is labelled as such in the palette and on the Overview, never by its id', () => {
  const router = createPages(() => true)
  const room = { id, name: null, status: 'connected', health: 'trouble', offlineSinceAt: null, members: null }
  const list = mount(NeedsAttention, {
    props: { rooms: [room as RoomListRow], count: 1 },
    global: { plugins: [createPinia(), i18n, router] },
  })
  const entry = roomEntry({ id, name: null, location: null, status: 'connected' } as RoomRow, router)
  expect([list.get('td .label').text(), entry.title]).toEqual(['Room without a name', 'Room without a name'])
})
