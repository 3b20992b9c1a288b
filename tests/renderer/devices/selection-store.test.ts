import { describe, expect, it, onTestFinished } from 'vitest'
import { namedAtMost } from '../../../electron/contract/device.ts'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import { useDevicesStore } from '../../../renderer/devices/devices-store.ts'
import { useSelection } from '../../../renderer/devices/selection-store.ts'
import { toContract } from '../../../renderer/filter/selection.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { addFjordbank, addSecondaryKey } from '../organizations/bring-organizations.ts'
import { changeProfile, openCore, settle } from '../core.ts'

type Devices = ReturnType<typeof useDevicesStore>

/** The rows of a slice of the list on screen. */
async function rowsFrom(devices: Devices, start: number): Promise<readonly DeviceRow[]> {
  devices.need(start, start + 18)
  await settle()
  return Array.from({ length: 50 }, (_, within) => devices.rowAt(start + within)).filter(
    (row) => row !== undefined,
  )
}
async function aList(where = '', options: Parameters<typeof openCore>[0] = {}) {
  const core = await openCore(options)
  const devices = useDevicesStore()
  devices.where = where
  await settle()
  return { core, devices, selection: useSelection(), rows: await rowsFrom(devices, 0) }
}
const contractOf = (selection: ReturnType<typeof useSelection>) => toContract(selection.chosen)

describe('selecting devices in the list', () => {
  it('selects all matches by their filter, not by their ids', async () => {
    const { core, devices, selection, rows } = await aList('status:offline')
    selection.chooseAll()
    await selection.toggle(rows[2]!)
    await settle()
    expect([contractOf(selection), selection.count, selection.head]).toEqual([
      { kind: 'matching', where: 'status:offline', except: [rows[2]!.id] },
      (devices.total ?? 0) - 1,
      'mixed',
    ])
    expect(
      core.requested
        .filter((one) => one.channel === 'devices.slice')
        .every((one) => (one.argument as { count: number }).count <= 500),
    ).toBe(true)
  })
  it.each([
    ['all that match', (selection: ReturnType<typeof useSelection>) => selection.chooseAll()],
    [
      'rows picked one by one',
      (selection: ReturnType<typeof useSelection>, row: DeviceRow) => selection.toggle(row),
    ],
  ])('disables actions on %s in another list, and enables them again in the first', async (_, choose) => {
    const { devices, selection, rows } = await aList('status:offline')
    await choose(selection, rows[0]!)
    const made = selection.actionable
    devices.where = 'status:online'
    await settle()
    const elsewhere = selection.actionable
    devices.where = 'status:offline'
    await settle()
    expect([made, elsewhere, selection.actionable]).toEqual([
      contractOf(selection),
      null,
      contractOf(selection),
    ])
  })
  it('keeps the first of all matches, in the order of the list and without exceptions', async () => {
    const { devices, selection, rows } = await aList('status:offline')
    selection.chooseAll()
    await selection.toggle(rows[1]!)
    await selection.keepFirst(3)
    expect([contractOf(selection), selection.count, devices.applied]).toEqual([
      { kind: 'picked', ids: [rows[0]!.id, rows[2]!.id, rows[3]!.id] },
      3,
      'status:offline',
    ])
  })
  it('keeps the first of all matches when the list shows others, and none of those', async () => {
    const { devices, selection, rows } = await aList('status:offline')
    selection.chooseAll()
    devices.where = ''
    await settle()
    await selection.toggle(rows[1]!)
    await settle()
    await selection.keepFirst(3)
    expect(contractOf(selection)).toEqual({ kind: 'picked', ids: [rows[0]!.id, rows[2]!.id, rows[3]!.id] })
  })
  it('selects nothing for a late range after the selection was cleared', async () => {
    const { core, selection, rows } = await aList()
    await selection.toggle(rows[0]!)
    const release = core.hold('devices.slice')
    const range = selection.extendTo(rows[5]!, 5)
    selection.clear()
    release()
    await range
    await settle()
    expect([selection.chosen === null || selection.count === 0, selection.head]).toEqual([true, 'none'])
  })
  it('allows actions on a pasted list where it is shown, and on picked rows when one is added to them', async () => {
    const { devices, selection, rows } = await aList()
    const taken = { kind: 'picked' as const, ids: [rows[3]!.id] }
    selection.take(taken, 'list:="Lorry 7"')
    const previous = selection.actionable
    devices.where = 'list:="Lorry 7" '
    await settle()
    const visible = selection.actionable
    devices.where = 'status:online'
    await settle()
    const others = await rowsFrom(devices, 0)
    await selection.toggle(others[0]!)
    expect([previous, visible, selection.actionable]).toEqual([
      null,
      taken,
      { kind: 'picked', ids: [rows[3]!.id, others[0]!.id] },
    ])
  })
  it('keeps the filter of the selection when the list shows another', async () => {
    const { devices, selection } = await aList('status:offline')
    selection.chooseAll()
    await settle()
    const count = selection.count
    devices.where = 'status:online'
    await settle()
    expect([contractOf(selection), selection.count, selection.within]).toEqual([
      { kind: 'matching', where: 'status:offline', except: [] },
      count,
      false,
    ])
  })
  it('cannot deselect an unselected row under another filter, and reports that', async () => {
    const { devices, selection } = await aList('status:offline')
    selection.chooseAll()
    devices.where = 'status:online'
    await settle()
    const rows = await rowsFrom(devices, 0)
    await selection.toggle(rows[0]!)
    expect([selection.refusal, contractOf(selection)]).toEqual([
      'not-among',
      { kind: 'matching', where: 'status:offline', except: [] },
    ])
  })
  it('selects a range from the last touched row to this one, beyond the loaded slices', async () => {
    const { devices, selection, rows } = await aList()
    await selection.toggle(rows[5]!)
    const later = await rowsFrom(devices, 200)
    await selection.extendTo(later[40]!, 240)
    await settle()
    expect([
      selection.count,
      selection.chosenAt(rows[5]!.id),
      selection.chosenAt(later[40]!.id),
      selection.chosenAt(rows[4]!.id),
    ]).toEqual([236, true, true, false])
  })
  it.each([
    ['sorted', (devices: Devices) => (devices.sort = [{ column: 'userOrRoom', descending: true }])],
    ['filtered', (devices: Devices) => (devices.where = 'speak2')],
  ])('selects a range from the last touched row in the list as it is %s now', async (_, change) => {
    const { devices, selection, rows } = await aList()
    const first = rows.findIndex(({ productName }) => productName?.includes('Speak2'))
    await selection.toggle(rows[first]!)
    change(devices)
    await settle()
    const begun = (await devices.positionOf(rows[first]!.id))!
    const now = await rowsFrom(devices, begun - (begun % 50))
    const at = begun % 50
    const end = at > 3 ? at - 3 : at + 3
    await selection.extendTo(now[end]!, begun + end - at)
    expect(contractOf(selection)).toEqual({
      kind: 'picked',
      ids: [
        rows[first]!.id,
        ...now
          .slice(Math.min(at, end), Math.max(at, end) + 1)
          .map(({ id }) => id)
          .filter((id) => id !== rows[first]!.id),
      ],
    })
  })
  it('selects one row where the list no longer has the last touched row', async () => {
    const { devices, selection, rows } = await aList('status:offline')
    await selection.toggle(rows[4]!)
    devices.where = 'status:online'
    await settle()
    const others = await rowsFrom(devices, 0)
    await selection.extendTo(others[1]!, 1)
    expect(contractOf(selection)).toEqual({ kind: 'picked', ids: [rows[4]!.id, others[1]!.id] })
  })
  it('selects a range up to the limit, and rejects a longer one without reading it', async () => {
    const { core, selection, rows } = await aList()
    const [first, last] = [rows[0]!, rows.at(-1)!]
    await selection.toggle(first)
    await selection.extendTo(last, namedAtMost - 1)
    await settle()
    const most = [selection.count, selection.refusal]
    selection.clear()
    await selection.toggle(first)
    const previous = core.requested.length
    await selection.extendTo(last, namedAtMost)
    const asked = core.requested.slice(previous).map(({ channel }) => channel)
    expect([most, selection.count, selection.refusal, asked]).toEqual([
      [300, null],
      1,
      'too-many',
      ['devices.position'],
    ])
  })
  it('selects nothing more with a filter that cannot be parsed', async () => {
    const { devices, selection } = await aList()
    devices.typed = [{ start: 0, end: 3, kind: 'unknown-key', word: 'zzz', expected: [] }]
    selection.chooseAll()
    expect(selection.some).toBe(false)
  })
  it('copies the serials of picked rows and of matching rows, without exceptions', async () => {
    const { selection, rows } = await aList('status:offline speak2')
    const serials = rows.flatMap((row) => row.serialNumber ?? [])
    selection.chooseAll()
    expect(await selection.serials()).toEqual(serials)
    await selection.toggle(rows[0]!)
    expect(await selection.serials()).toEqual(serials.filter((serial) => serial !== rows[0]!.serialNumber))
    selection.clear()
    await selection.toggle(rows[0]!)
    expect(await selection.serials()).toEqual([rows[0]!.serialNumber].filter((serial) => serial !== null))
  })
  it('copies the serials of 1,000 selected rows, whatever is excluded before them', async () => {
    const { core, devices, selection, rows } = await aList('', { devices: 1_003 })
    selection.chooseAll()
    for (const row of rows.slice(0, 3)) await selection.toggle(row)
    const all: DeviceRow[] = []
    for (const start of [0, 500, 1_000]) {
      const query = { where: '', sort: devices.sort, start, count: 500 }
      all.push(...(await core.handlers.devices.slice(query)).rows)
    }
    expect([all.length, await selection.serials()]).toEqual([
      1_003,
      all.slice(3).flatMap(({ serialNumber }) => serialNumber ?? []),
    ])
  })
  it('keeps the latest data of picked rows, and of no others', async () => {
    const { core, devices, selection, rows } = await aList()
    const [first, second] = [rows[0]!, rows[1]!]
    await selection.toggle(first)
    await core.handlers.tags.change({
      selection: { kind: 'picked', ids: [first.id, second.id] },
      add: ['spare'],
      remove: [],
    })
    await devices.startOver()
    selection.remember(await rowsFrom(devices, 0))
    expect(selection.chosen).toEqual({
      kind: 'picked',
      rows: new Map([[first.id, { id: first.id, serialNumber: first.serialNumber, tags: ['spare'] }]]),
    })
  })
  it('shows only the picked rows, as a list', async () => {
    const { devices, selection, rows } = await aList()
    await selection.toggle(rows[1]!)
    await selection.toggle(rows[7]!)
    await selection.showOnly('Selected devices')
    await settle()
    expect([devices.applied, devices.total]).toEqual(['list:="Selected devices"', 2])
  })
  it('is cleared when another organization is selected, because ids belong to one', async () => {
    const { core, selection, rows } = await aList()
    await useLayoutStore().start()
    await selection.toggle(rows[1]!)
    await core.handlers.organizations.use({ id: await addFjordbank(core) })
    await settle()
    expect(selection.some).toBe(false)
  })
  it('remains in its list, at its place, when the organization is renamed or gets another key', async () => {
    const { core, devices, selection, rows } = await aList()
    await useLayoutStore().start()
    onTestFinished(devices.follow())
    await selection.toggle(rows[1]!)
    await changeProfile(core, () => ({ name: 'Nordlys' }))
    await addSecondaryKey(core)
    await settle()
    expect([useLayoutStore().current?.name, contractOf(selection), devices.startedOver]).toEqual([
      'Nordlys',
      { kind: 'picked', ids: [rows[1]!.id] },
      0,
    ])
  })
})
