import { describe, expect, it } from 'vitest'
import { useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { toContract } from '../../../renderer/filter/selection.ts'
import { useRoomSelection } from '../../../renderer/rooms/room-selection-store.ts'
import { useRoomsStore } from '../../../renderer/rooms/rooms-store.ts'
import { firmwareAddresses } from '../../reboot-room.ts'
import { changeProfile, settle, type TestCore } from '../core.ts'
import { addFjordbank } from '../organizations/bring-organizations.ts'
import { nextPage, openPage } from '../page.ts'

/** The list of all 20 rooms, or of those that match. */
async function aPage(where = '', prepare: (core: TestCore) => unknown = () => undefined) {
  const opened = await openPage(
    where === '' ? '/rooms' : `/rooms?where=${where}`,
    { devices: 1_000 },
    prepare,
  )
  return { ...opened, rooms: useRoomsStore(), selection: useRoomSelection(), plan: useJobPlan() }
}

/** As many rooms as `count` are on this site. */
async function onSite({ rooms }: TestCore['handlers'], site: string, count: number): Promise<void> {
  const { rows } = await rooms.list({ where: '', sort: [], start: 0, count })
  for (const { id } of rows) await rooms.setSite({ id, site })
}
const withAddresses = (core: TestCore): Promise<void> =>
  changeProfile(core, ({ templates }) => ({ templates: { ...templates, ...firmwareAddresses } }))

describe('selecting rooms', () => {
  it('selects all matches by their filter, with exceptions, and updates the count', async () => {
    const { rooms, selection } = await aPage()
    rooms.where = 'health:trouble'
    await settle()
    selection.chooseAll()
    await selection.toggle(rooms.rowAt(1)!)
    await settle()
    expect([toContract(selection.chosen), selection.count, selection.head]).toEqual([
      { kind: 'matching', where: 'health:trouble', except: [rooms.rowAt(1)!.id] },
      rooms.total! - 1,
      'mixed',
    ])
  })
  it('subtracts only those of the exceptions that still match', async () => {
    const { core, rooms, selection } = await aPage('', ({ handlers }) => onSite(handlers, 'Workshop', 4))
    rooms.where = 'site:Workshop'
    await settle()
    selection.chooseAll()
    const [first, second] = [rooms.rowAt(0)!, rooms.rowAt(1)!]
    await selection.toggle(first)
    await selection.toggle(second)
    await settle()
    const before = selection.count
    await core.handlers.rooms.setSite({ id: first.id, site: 'Elsewhere' })
    await core.advance(1_000)
    await settle()
    expect([before, rooms.total, selection.count]).toEqual([2, 3, 2])
  })
  it('counts without exceptions that are too many for one filter', async () => {
    const { core, rooms, selection } = await aPage()
    selection.chooseAll()
    const ids = Array.from({ length: 600 }, (_, at) => ({ id: `no longer a room ${at}` }))
    for (const row of [...ids.slice(0, 300), rooms.rowAt(0)!, ...ids.slice(300), rooms.rowAt(1)!])
      await selection.toggle({ id: row.id })
    await core.finish(settle())
    expect(selection.count).toBe(rooms.total! - 2)
  })
  it('reads a range from the visible list', async () => {
    const { rooms, selection } = await aPage()
    await selection.toggle(rooms.rowAt(2)!)
    await selection.extendTo(rooms.rowAt(6)!, 6)
    expect(toContract(selection.chosen)).toEqual({
      kind: 'picked',
      ids: [2, 3, 4, 5, 6].map((index) => rooms.rowAt(index)!.id),
    })
  })
  it('reads a range to the last touched room in the list as it is sorted now', async () => {
    const { rooms, selection } = await aPage()
    await selection.toggle(rooms.rowAt(2)!)
    const { id } = rooms.rowAt(2)!
    rooms.sort = [{ column: 'name', descending: true }]
    await settle()
    const at = rooms.indexOf(id)!
    const end = at > 3 ? at - 2 : at + 2
    await selection.extendTo(rooms.rowAt(end)!, end)
    const chosen = toContract(selection.chosen)
    expect(chosen.kind === 'picked' && chosen.ids.toSorted()).toEqual(
      [0, 1, 2].map((step) => rooms.rowAt(Math.min(at, end) + step)!.id).toSorted(),
    )
  })
  it('keeps the first of all matches when the list shows others', async () => {
    const { rooms, selection } = await aPage()
    rooms.where = 'health:ok'
    await settle()
    const ok = [0, 1, 2].map((index) => rooms.rowAt(index)!)
    selection.chooseAll()
    rooms.where = ''
    await settle()
    await selection.toggle(ok[0]!)
    await settle()
    await selection.keepFirst(2)
    expect(toContract(selection.chosen)).toEqual({ kind: 'picked', ids: [ok[1]!.id, ok[2]!.id] })
  })
  it('cannot deselect an unselected room under another filter, and reports that', async () => {
    const { rooms, selection, words } = await aPage()
    rooms.where = 'health:ok'
    await settle()
    selection.chooseAll()
    rooms.where = 'health:trouble'
    await settle()
    await selection.toggle(rooms.rowAt(0)!)
    await settle()
    expect(words()).toContain('That room is not in the selection.')
  })
  it('does not reboot rooms selected in another list until that list is shown again, and explains why', async () => {
    const { rooms, selection, button, words } = await aPage()
    rooms.where = 'health:ok'
    await settle()
    selection.chooseAll()
    rooms.where = 'health:trouble'
    await settle()
    const elsewhere = [
      selection.actionable,
      button('Reboot…').attributes('disabled') !== undefined,
      words().includes('all that match health:ok, not this list'),
    ]
    rooms.where = 'health:ok'
    await settle()
    expect([elsewhere, selection.actionable, button('Reboot…').attributes('disabled')]).toEqual([
      [null, true, true],
      toContract(selection.chosen),
      undefined,
    ])
  })
  it('says of rooms selected one by one that they are not in this list', async () => {
    const { rooms, selection, words } = await aPage()
    await selection.toggle(rooms.rowAt(0)!)
    rooms.where = 'health:trouble'
    await settle()
    expect(words()).toContain('1 room selected not in this list')
  })
  it('is cleared when another organization is selected, also on another page', async () => {
    const { core, rooms, router, selection } = await aPage()
    await selection.toggle(rooms.rowAt(0)!)
    const left = nextPage(router)
    await router.push('/journal')
    await left
    await core.handlers.organizations.use({ id: await addFjordbank(core) })
    await settle()
    expect(selection.some).toBe(false)
  })
  it('is cleared by a job started from it', async () => {
    const { selection, plan } = await aPage()
    selection.chooseAll()
    await plan.ask({ kind: 'reboot-rooms', of: 'rooms', selection: selection.actionable! })
    await plan.start(true, plan.plan!.typeNumber)
    await settle()
    expect({ started: plan.started !== null, selected: selection.some }).toEqual({
      started: true,
      selected: false,
    })
  })
  it('opens the plan of an update of their devices, if the profile has the addresses', async () => {
    const { rooms, selection, plan, button } = await aPage('', withAddresses)
    await selection.toggle(rooms.rowAt(0)!)
    await settle()
    await button('Update firmware…').trigger('click')
    await settle()
    expect(plan.plan?.draft.work).toMatchObject({
      kind: 'update-firmware',
      of: 'rooms',
      version: 'advised',
      selection: { kind: 'picked', ids: [rooms.rowAt(0)!.id] },
    })
  })
  it.each([1, 2])('opens the same plan for the reboot of %i of them', async (count) => {
    const { rooms, selection, plan, button } = await aPage('health:ok')
    for (let place = 0; place < count; place += 1) await selection.toggle(rooms.rowAt(place)!)
    await settle()
    await button('Reboot…').trigger('click')
    await settle()
    expect([plan.plan?.draft.work, plan.plan?.items]).toEqual([
      {
        kind: 'reboot-rooms',
        of: 'rooms',
        selection: {
          kind: 'picked',
          ids: Array.from({ length: count }, (_, place) => rooms.rowAt(place)!.id),
        },
      },
      count,
    ])
  })
})
