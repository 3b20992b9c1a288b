import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Job } from '../../../electron/contract/api/jobs.ts'
import type { Room, RoomDevice } from '../../../electron/contract/api/rooms.ts'
import { setTimeZone } from '../../../renderer/components/format.ts'
import { messages } from '../../../renderer/components/toasts.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import PrintSheets from '../../../renderer/rooms/PrintSheets.vue'
import RoomSheet from '../../../renderer/rooms/RoomSheet.vue'
import { useRoomSelection } from '../../../renderer/rooms/room-selection-store.ts'
import { useRoomsStore } from '../../../renderer/rooms/rooms-store.ts'
import { settle } from '../core.ts'
import { openPage, textIn } from '../page.ts'

const printedAt = Date.UTC(2026, 10, 28, 14, 5)
const device = (serialNumber: string, given: Partial<RoomDevice> = {}): RoomDevice => ({
  id: serialNumber,
  name: null,
  status: 'online',
  productName: 'Jabra PanaCast 50',
  serialNumber,
  firmwareVersion: '6.5.0',
  firmwareStatus: null,
  firmware: 'current',
  lastSeenAt: Date.UTC(2026, 10, 28, 12, 4),
  observedAt: printedAt,
  ...given,
})
const room: Room = {
  id: 'room-1',
  name: 'Aarhus 3',
  status: 'connected',
  location: null,
  site: 'Aarhus',
  type: null,
  seatCount: 14,
  groupIds: [],
  deviceCount: null,
  onlineCount: null,
  health: 'ok',
  offlineSinceAt: null,
  unknownCount: null,
  worstFirmware: null,
  behindCount: null,
  lastSeenAt: null,
  observedAt: Date.UTC(2026, 10, 28, 14, 2),
  gone: false,
  goneAt: null,
  timeZone: 'Europe/Copenhagen',
  createdAt: null,
  devices: null,
  raw: {},
}

function sheetOf(
  given: Partial<Room>,
  { targets = [], planned = [] }: { targets?: [string, string][]; planned?: Job[] } = {},
): Element {
  mount(RoomSheet, {
    props: {
      sheet: { room: { ...room, ...given }, targets: new Map(targets), lines: [], planned },
      organization: 'Nordlys',
      printedAt,
    },
    global: { plugins: [i18n] },
  })
  return document.querySelector('.paper-sheet')!
}
const state = (devices: readonly RoomDevice[] | null, given: Partial<Room> = {}): string =>
  textIn(sheetOf({ devices, ...given }).querySelector('.say')!)
const rowsOf = (sheet: Element): string[] => [...sheet.querySelectorAll('.devices tbody tr')].map(textIn)
const off = { status: 'offline' }

describe('the sheet of a room', () => {
  beforeEach(() => setTimeZone('UTC'))

  it('says which room it is, where, and when it was printed of data of what age', () => {
    const sheet = sheetOf({})
    expect(['.top', 'h1', '.where', '.foot'].map((part) => textIn(sheet.querySelector(part)!))).toEqual([
      'Nordlys Room sheet',
      'Aarhus 3',
      'Site Aarhus · 14 seats · time zone Europe/Copenhagen',
      'Headroom Printed 28 Nov 2026 15:05, times in Europe/Copenhagen Data of 15:02, 3 min before printing',
    ])
  })
  it.each([null, 'Mars/Olympus'])(
    'shows times in the zone of the preferences if the room’s is %s',
    (timeZone) => {
      expect(textIn(sheetOf({ timeZone }).querySelector('.foot')!)).toBe(
        'Headroom Printed 28 Nov 2026 14:05, times in UTC Data of 14:02, 3 min before printing',
      )
    },
  )
  it('does not repeat the site of its location', () => {
    const where = sheetOf({ location: 'Aarhus, Åboulevarden 21' }).querySelector('.where')!
    expect(textIn(where)).toMatch(/^Aarhus, Åboulevarden 21 · 14 seats/)
  })
  it('counts minutes between the times as printed', () => {
    const seen = [0, 50_000].map((more, at) =>
      device(String(at), { lastSeenAt: Date.UTC(2026, 10, 28, 14, 1) + more }),
    )
    expect(rowsOf(sheetOf({ devices: seen })).map((row) => row.includes('15:01, 4 min before'))).toEqual([
      true,
      true,
    ])
  })
  it('says what was offline and since when, and that the others were online', () => {
    expect(state([device('1', off), device('2'), device('3')])).toBe(
      'Offline when this was printed: Jabra PanaCast 50 since 13:04. The other 2 devices were online.',
    )
  })
  it.each<[string, readonly RoomDevice[], string]>([
    [
      'all its devices are online',
      [device('1'), device('2')],
      'The service reports the room as disconnected. All 2 devices were online when this was printed.',
    ],
    [
      'the status of a device is unknown',
      [device('1', { status: 'unknown' })],
      'The service reports the room as disconnected. Status unknown: Video bar.',
    ],
    [
      'a device is offline, which says more',
      [device('1', off), device('2')],
      'Offline when this was printed: Jabra PanaCast 50 since 13:04. The other device was online.',
    ],
  ])('says of a room that is reported as disconnected, if %s', (_, devices, words) => {
    expect(state(devices, { status: 'disconnected' })).toBe(words)
  })
  it('says of several since when each was offline', () => {
    const earlier = { ...off, productName: 'Jabra Scheduler', lastSeenAt: Date.UTC(2026, 10, 28, 11, 0) }
    expect(state([device('1', off), device('2', earlier)])).toBe(
      'Offline when this was printed: Video bar since 13:04, Door panel since 12:00.',
    )
  })
  it('gives no time if one is not known', () => {
    expect(state([device('1', { ...off, lastSeenAt: null })])).toBe(
      'Offline when this was printed: Video bar.',
    )
  })
  it('does not call an unknown status offline, nor one that was read long ago', () => {
    const old = { ...off, productName: 'Jabra Scheduler', observedAt: printedAt - 30 * 86_400_000 }
    expect(state([device('1', { status: 'unknown' }), device('2', old)])).toBe(
      'Status unknown: Video bar, Door panel.',
    )
  })
  it('shows a status that it does not know as received', () => {
    expect(state([device('1', { status: 'Hibernating' }), device('2')])).toBe(
      'Hibernating: Jabra PanaCast 50. The other device was online.',
    )
  })
  it('has no plan and no table if nothing is known about the devices, and says so', () => {
    const sheet = sheetOf({ devices: null })
    expect([textIn(sheet.querySelector('.say')!), sheet.querySelectorAll('.plan, .devices').length]).toEqual([
      'No data about this room’s devices. They may well be online.',
      0,
    ])
  })
  it('says that the service no longer lists the room', () => {
    expect(state([device('1', off)], { gone: true, goneAt: printedAt })).toBe(
      'Gone since 28 Nov 2026 15:05. The service no longer lists this room. Headroom shows the last known data.',
    )
  })
  it('numbers the devices by their places, in the plan and in the table', () => {
    const sheet = sheetOf({
      devices: [
        device('S-speaker', { productName: 'Jabra Speak2 75' }),
        device('S-panel', { productName: 'Jabra Scheduler' }),
        device('S-bar', off),
      ],
    })
    expect([
      [...sheet.querySelectorAll('.plan ul')].map((place) => [place.className, textIn(place)]),
      rowsOf(sheet).map((row) => row.replace(/ S-.*/, '')),
    ]).toEqual([
      [
        ['wall', '1 Video bar S-bar Offline'],
        ['door', '2 Door panel S-panel'],
        ['table', '3 Speakerphone S-speaker'],
        ['elsewhere', ''],
      ],
      ['1 Video bar Jabra PanaCast 50', '2 Door panel Jabra Scheduler', '3 Speakerphone Jabra Speak2 75'],
    ])
  })
  it.each([
    ['that begins with the room’s', 'Aarhus 3 video bar', 'Video bar Jabra PanaCast 50'],
    ['that the product begins with', 'Jabra PanaCast', 'Video bar Jabra PanaCast 50'],
    ['that says more', 'Left', 'Video bar Jabra PanaCast 50 · Left'],
  ])('shows the name of a device, except one %s', (_, name, shown) => {
    expect(rowsOf(sheetOf({ devices: [device('S-1', { name })] }))[0]).toMatch(`1 ${shown} S-1`)
  })
  it('shows all of twelve devices', () => {
    const sheet = sheetOf({ devices: Array.from({ length: 12 }, (_, at) => device(`S-${at}`)) })
    expect([rowsOf(sheet).length, sheet.querySelectorAll('.plan li').length]).toEqual([12, 12])
  })
  it('shows the version that a device needs, and a need without a known version as a word', () => {
    const sheet = sheetOf(
      {
        devices: [
          device('1', { firmware: 'behind', firmwareVersion: '6.4.0' }),
          device('2', { firmware: 'revoked', firmwareVersion: '6.3.0' }),
          device('3', { firmware: 'behind', firmwareVersion: '6.2.0', firmwareService: 'decides' }),
          device('4'),
        ],
      },
      {
        targets: [
          ['1', '6.5.0'],
          ['2', '6.5.0'],
        ],
      },
    )
    expect([...sheet.querySelectorAll('.devices tbody tr')].map((row) => textIn(row.children[3]!))).toEqual([
      '6.4.0 update to 6.5.0',
      '6.3.0 revoked update to 6.5.0',
      '6.2.0 behind (service)',
      '6.5.0',
    ])
  })
  it('shows every status as a shape and a word', () => {
    const statuses = ['online', 'offline', 'unknown', 'rebooting', 'SelfTestFailed']
    const sheet = sheetOf({ devices: statuses.map((status) => device(status, { status })) })
    const marks = [...sheet.querySelectorAll('.devices .mark')]
    expect([
      marks.map(textIn),
      new Set(marks.map((mark) => mark.querySelector('path')!.outerHTML)).size,
    ]).toEqual([['Online', 'Offline', 'Unknown', 'Rebooting', 'Self test failed'], 5])
  })
  it('lists a planned job by the clock that its start time counts in', () => {
    const job = { kind: 'reboot-rooms', startAt: printedAt, timeZone: 'Europe/Copenhagen', ticket: 'INC-7' }
    expect(textIn(sheetOf({}, { planned: [job as Job] }).querySelector('dl')!)).toContain(
      'Planned 28 Nov 2026 15:05, reboot, INC-7',
    )
  })
  it('leaves the number to call and four lines for visits to be filled in', () => {
    const sheet = sheetOf({})
    expect([textIn(sheet.querySelector('.call')!), textIn(sheet.querySelector('.lines')!)]).toEqual([
      'Call',
      'Date Checked by Found or done Ticket',
    ])
  })
  it('shows markup in names as text', () => {
    const hostile = '<img src=x onerror=planted()>'
    const sheet = sheetOf({
      name: hostile,
      site: hostile,
      note: hostile,
      timeZone: hostile,
      devices: [device('1', { name: hostile, productName: hostile, status: hostile, serialNumber: hostile })],
    })
    expect([sheet.querySelectorAll('img').length, textIn(sheet.querySelector('h1')!)]).toEqual([0, hostile])
  })
})

describe('printing sheets', () => {
  const print = vi.fn()
  beforeEach(() => {
    print.mockReset()
    vi.stubGlobal('print', print)
  })
  const sheets = (): Element[] => [...document.querySelectorAll('.paper-sheet')]
  const titles = (): (string | null)[] => sheets().map((sheet) => sheet.querySelector('h1')!.textContent)

  it('prints the open room with its note, once, and leaves no sheet behind', async () => {
    const { core, router, button } = await openPage('/room/none')
    const { rows } = await core.handlers.rooms.list({ where: '', sort: [], start: 0, count: 1 })
    const { id, name } = rows[0]!
    await core.handlers.rooms.setNote({ id, note: 'Ask at the desk.\nMind the step.' })
    await router.push({ name: 'room', params: { id } })
    await settle()
    await button('Print…').trigger('click')
    await settle()
    expect([print.mock.calls.length, titles(), sheets()[0]!.querySelector('.note')!.textContent]).toEqual([
      1,
      [name],
      'Note: Ask at the desk.\nMind the step.',
    ])
    window.dispatchEvent(new Event('afterprint'))
    await settle()
    expect(sheets()).toEqual([])
  })
  it('shows the version of the comparison for devices that are behind', async () => {
    const { core, router, button } = await openPage('/room/none')
    const { rows } = await core.handlers.rooms.list({ where: 'fw:behind', sort: [], start: 0, count: 1 })
    const { devices } = await core.handlers.rooms.get({ id: rows[0]!.id })
    const behind = devices!.filter(({ firmware }) => firmware === 'behind')
    const { firmware } = await core.handlers.devices.get({ id: behind[0]!.id })
    await router.push({ name: 'room', params: { id: rows[0]!.id } })
    await settle()
    await button('Print…').trigger('click')
    await settle()
    expect(textIn(sheets()[0]!)).toContain(`${behind[0]!.firmwareVersion} update to ${firmware.latest}`)
  })
  it('prints the selected rooms in the order of the list, not of the selection', async () => {
    const { button } = await openPage('/rooms')
    const [rooms, selection] = [useRoomsStore(), useRoomSelection()]
    for (const at of [3, 0, 2]) await selection.toggle(rooms.rowAt(at)!)
    await settle()
    await button('Print sheets…').trigger('click')
    await settle()
    expect([print.mock.calls.length, titles()]).toEqual([
      1,
      [0, 2, 3].map((at) => rooms.rowAt(at)!.name ?? 'Room without a name'),
    ])
  })
  it('prints all matches without the exceptions', async () => {
    const { button } = await openPage('/rooms?where=health:trouble')
    const [rooms, selection] = [useRoomsStore(), useRoomSelection()]
    selection.chooseAll()
    await selection.toggle(rooms.rowAt(1)!)
    await settle()
    const expected = Array.from({ length: rooms.total! }, (_, at) => rooms.rowAt(at)!.name)
    await button('Print sheets…').trigger('click')
    await settle()
    expect(titles()).toEqual(expected.toSpliced(1, 1))
  })
  it('prints nothing for more than 40 rooms, and says how many can be printed', async () => {
    const button = mount(PrintSheets, {
      props: { label: 'Print', rooms: { kind: 'matching', where: '', except: [] }, count: 41 },
      global: { plugins: [createPinia(), i18n] },
    })
    await button.get('button').trigger('click')
    await settle()
    expect([print.mock.calls.length, messages.value.map(({ text }) => text)]).toEqual([
      0,
      ['At most 40 sheets can be printed at once, and 41 rooms are selected.'],
    ])
  })
  it('says why a room could not be read, and prints nothing', async () => {
    const { core, button } = await openPage('/rooms')
    const [rooms, selection] = [useRoomsStore(), useRoomSelection()]
    await selection.toggle(rooms.rowAt(0)!)
    await settle()
    vi.spyOn(core.handlers.rooms, 'get').mockRejectedValue(new Error('unreadable'))
    await button('Print sheets…').trigger('click')
    await settle()
    expect([print.mock.calls.length, messages.value.map(({ kind }) => kind)]).toEqual([0, ['bad']])
  })
})
