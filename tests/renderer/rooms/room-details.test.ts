import { describe, expect, it } from 'vitest'
import type { WriteReport } from '../../../electron/contract/api/writes.ts'
import type { Room } from '../../../electron/contract/api/rooms.ts'
import { useRoomStore } from '../../../renderer/rooms/room-store.ts'
import { useReboot } from '../../../renderer/rooms/reboot-store.ts'
import { nextPage, openPage, settle } from '../open-page.ts'

async function after(outcome: WriteReport['outcome'] | null): Promise<string> {
  const { words } = await openPage('/rooms/room-2', {
    unwritten: true,
    ...(outcome === null ? {} : { reboot: outcome }),
  })
  if (outcome !== null) {
    const reboot = useReboot()
    await reboot.open('room-2')
    await reboot.confirm(true)
    await settle()
  }
  return words()
}

describe('a room in the drawer', () => {
  it.each<[WriteReport['outcome'], string]>([
    ['accepted', 'Watched until it is back online.'],
    ['unconfirmed', 'A reboot may have happened'],
  ])('tells of a reboot that is %s until the room was read again', async (outcome, told) => {
    expect(await after(outcome)).toContain(told)
  })
  it.each<WriteReport['outcome'] | null>(['refused', null])('tells of none after %s', async (outcome) => {
    const words = await after(outcome)
    expect(words).not.toContain('Rebooting')
    expect(words).not.toContain('may have happened')
  })
  it('asks for the plan when "Reboot room" is pressed', async () => {
    const { button, core } = await openPage('/rooms/room-2')
    await button('Reboot room').trigger('click')
    await settle()
    expect(core.asked.filter((one) => one.channel === 'rooms.rebootPlan').map((one) => one.argument)).toEqual(
      [{ id: 'room-2' }],
    )
  })
  it('lists what was written to it and leads to the journal', async () => {
    const { page, words, button, router } = await openPage('/rooms/room-2')
    const tab = page.findAll('[role=tab]').find((one) => one.text().startsWith('Journal'))
    await tab?.trigger('click')
    expect(words()).toContain('Reboot room · Accepted')
    expect(
      router.resolve(button('Show in journal').attributes('href')?.replace('#', '') ?? '').query['subject'],
    ).toBe('room-2')
  })
  it('reads the room anew on request and keeps what was known beside a failure', async () => {
    const { button, core, words } = await openPage('/rooms/room-2')
    core.fail('rooms.refresh', {
      kind: 'offline',
      call: { operation: 'GetRoom', host: 'api.cloud.jabra.com' },
      message: 'ENOTFOUND',
    })
    await button('Read this room now').trigger('click')
    await settle()
    expect(words()).toContain('The last reading failed; this is what was read 3 minutes ago.')
    core.fail('rooms.refresh', null)
    await button('Read this room now').trigger('click')
    await settle()
    expect(words()).not.toContain('The last reading failed')
    expect(core.asked.filter((one) => one.channel === 'rooms.refresh').map((one) => one.argument)).toEqual([
      { id: 'room-2' },
      { id: 'room-2' },
    ])
  })
  it('names what a reboot takes down', async () => {
    const { words } = await openPage('/rooms/room-2')
    expect(words()).toMatch(/Restarts \d+ devices: .+\./)
  })
  it('says that two group ids are one room', async () => {
    const { words } = await openPage('/rooms/room-2')
    expect(words()).not.toContain('one room')
    useRoomStore().room = { ...(useRoomStore().room as Room), groupIds: ['group-2', 'group-2-control'] }
    await settle()
    expect(words()).toContain('Two group ids, one room')
  })
})

describe('steps from room to room', () => {
  it('keep the tab and go on by J and Alt+ArrowUp', async () => {
    const { page, router } = await openPage('/rooms/room-2')
    await page
      .findAll('aside [role=tab]')
      .find((one) => one.text().startsWith('History'))
      ?.trigger('click')
    await page.get('aside').trigger('keydown', { key: 'j' })
    await settle()
    const after = router.currentRoute.value.params['id']
    await page.get('aside').trigger('keydown', { key: 'ArrowUp', altKey: true })
    await settle()
    expect([
      after === 'room-2',
      router.currentRoute.value.params['id'],
      page.get('aside [role=tab][aria-selected=true]').text(),
    ]).toEqual([false, 'room-2', expect.stringMatching(/^History/)])
  })
})

describe('the page of a room', () => {
  it('has its name for a title and its devices beside the facts', async () => {
    const { page } = await openPage('/room/room-2')
    const { room } = useRoomStore()
    expect(document.title).toBe(`${room?.name} · Headroom`)
    expect(page.findAll('.beside .devices li')).toHaveLength(room?.devices?.length ?? 0)
  })
  it('leads back to the list with the room open', async () => {
    const { button, router } = await openPage('/room/room-2')
    await button('Rooms').trigger('click')
    await nextPage(router)
    expect(router.currentRoute.value.fullPath).toBe('/rooms/room-2')
  })
  it('says when no such room is known', async () => {
    const { words } = await openPage('/room/nowhere')
    expect(words()).toContain('Room not known')
  })
  it('tells why it cannot be read', async () => {
    const { words } = await openPage('/room/room-2', {
      failures: {
        'rooms.get': { kind: 'cache-unusable', file: 'store.sqlite', reason: 'damaged', message: '' },
      },
    })
    expect(words()).toContain('The file store.sqlite is damaged.')
  })
})
