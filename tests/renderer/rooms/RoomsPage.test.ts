// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { DoubleOptions } from '../double-link.ts'
import { openPage, settle } from '../open-page.ts'
import { useFrameStore } from '../../../renderer/frame/frame-store.ts'
import { useRoomsStore } from '../../../renderer/rooms/rooms-store.ts'

async function opened(options: Partial<DoubleOptions> = {}) {
  const page = await openPage('/rooms', options)
  await useFrameStore().start()
  await settle()
  return page
}

describe('the Rooms page', () => {
  it('says how many rooms there are and how old the picture is', async () => {
    const { words } = await opened({ devices: 1_000 })
    expect(words()).toMatch(/20 rooms · as of \d\d:\d\d, 3 minutes ago/)
  })
  it.each<[string, Partial<DoubleOptions>, string]>([
    ['nothing was read yet', { empty: true }, 'Nothing read yet'],
    ['the first sync runs', { empty: true, syncing: true }, 'The first sync is running'],
    ['the key was refused', { empty: true, refused: true }, 'The key was refused'],
    [
      'the rooms cannot be read',
      { failures: { 'rooms.list': { kind: 'cache-unusable', file: 'store.sqlite', reason: 'damaged', message: '' } } },
      'The file store.sqlite is damaged.',
    ],
  ])('tells when %s', async (_what, options, title) => {
    const { words } = await opened(options)
    expect(words()).toContain(title)
  })
  it('offers to clear a filter that hides everything', async () => {
    const { words, button } = await opened()
    const rooms = useRoomsStore()
    rooms.text = 'nowhere'
    await settle()
    expect(words()).toContain('None of 6 rooms matches this filter.')
    await button('Clear filter').trigger('click')
    await settle()
    expect([rooms.text, rooms.total]).toEqual(['', 6])
  })
  it('opens a room by its address and lists its devices', async () => {
    const { words } = await openPage('/rooms/room-2')
    const { room } = useRoomsStore()
    expect(room?.id).toBe('room-2')
    expect(words()).toContain(room?.devices?.[0]?.name)
  })
})

describe('the windows of rooms', () => {
  it('asks for a missing window once and keeps at most six', async () => {
    const { core } = await opened({ devices: 100_000 })
    const rooms = useRoomsStore()
    const before = core.asked.filter((one) => one.channel === 'rooms.list').length
    rooms.need(190, 210)
    rooms.need(190, 210)
    await settle()
    expect(core.asked.filter((one) => one.channel === 'rooms.list').length).toBe(before + 1)
    for (let first = 0; first < 2_000; first += 200) {
      rooms.need(first, first + 20)
      await settle()
    }
    expect(rooms.blocks.size).toBe(6)
    expect(rooms.rowAt(1_990)?.id).toBeDefined()
  })
})
