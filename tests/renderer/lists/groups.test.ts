import { describe, expect, it } from 'vitest'
import { useDevicesStore } from '../../../renderer/devices/devices-store.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { useRoomsStore } from '../../../renderer/rooms/rooms-store.ts'
import { openCore, settle } from '../core.ts'
import { openPage } from '../page.ts'

/** The lines of the list of groups. */
const lines = (): readonly string[] =>
  [...document.querySelectorAll('.groups .grid-row')].map((row) => row.textContent)

describe('a list in groups', () => {
  it('counts the items of each, and how many need attention', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    devices.groups.by = 'productName'
    await settle()
    const [first] = devices.groups.groups!
    const countOf = async (where: string): Promise<number> =>
      (await core.handlers.devices.slice({ where, sort: [], start: 0, count: 1 })).total
    expect([first!.count, first!.needing]).toEqual([
      await countOf(first!.where!),
      await countOf(`${first!.where!} fw:behind,revoked`),
    ])
  })
  it('is counted without its own group filter, beside any other filter', async () => {
    await openCore()
    const devices = useDevicesStore()
    devices.groups.by = 'firmwareVersion'
    devices.where = 'fw:behind status:offline'
    await settle()
    const previous = devices.groups.groups
    devices.where = previous![0]!.where!
    await settle()
    expect([devices.groups.base, devices.groups.groups]).toEqual(['fw:behind status:offline', previous])
  })
  it('remembers its grouping', async () => {
    const core = await openCore()
    useRoomsStore().groups.by = 'health'
    await settle()
    const { layouts } = await core.handlers.app.preferences()
    expect(layouts.rooms).toEqual({ columns: [], sort: [], group: 'health' })
  })
  it('requests none without a group', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    devices.groups.by = 'status'
    await settle()
    devices.groups.by = null
    await settle()
    const asked = core.argumentsOf('devices.groups').length
    devices.where = 'lund'
    await settle()
    expect([core.argumentsOf('devices.groups').length - asked, devices.groups.groups]).toEqual([0, null])
  })
})

describe('the list of groups', () => {
  it('shows one group beside the others, and the whole again', async () => {
    const { page } = await openPage('/rooms')
    const rooms = useRoomsStore()
    await page.get('select[aria-label="Group by"]').setValue('health')
    await settle()
    const previous = lines()
    const all = rooms.total
    const click = async (at: number): Promise<void> => {
      document.querySelectorAll<HTMLElement>('.groups .grid-row .grid-cell')[at]!.click()
      await settle()
    }
    const cells = document.querySelectorAll('.groups .grid-row')[0]!.children.length
    await click(cells)
    const { where } = rooms.groups.groups![0]!
    expect([rooms.where, rooms.total, lines()]).toEqual([where, rooms.groups.groups![0]!.count, previous])
    await click(0)
    expect([rooms.where, rooms.total]).toEqual(['', all])
  })
  it('is restored from the last run', async () => {
    await openPage('/devices', {}, (core) =>
      core.handlers.app.setPreferences({ layouts: { devices: { columns: [], sort: [], group: 'status' } } }),
    )
    expect([useLayoutStore().preferences.layouts.devices?.group, lines()[0]]).toEqual([
      'status',
      expect.stringMatching(/^All/),
    ])
  })
  it('shows why it cannot be loaded', async () => {
    const { words } = await openPage('/devices', {}, async (core) => {
      await core.handlers.app.setPreferences({
        layouts: { devices: { columns: [], sort: [], group: 'status' } },
      })
      core.fail('devices.groups', {
        kind: 'cache-unusable',
        file: 'store.sqlite',
        reason: 'damaged',
        message: '',
      })
    })
    expect(words()).toContain('The file store.sqlite is damaged.')
  })
})
