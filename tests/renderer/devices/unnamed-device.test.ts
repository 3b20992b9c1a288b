// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { RoomDevice } from '../../../electron/contract/api/rooms.ts'
import { cellOf } from '../../../renderer/devices/device-list-columns.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { deviceEntry } from '../../../renderer/palette/found-entries.ts'
import { deviceNames } from '../../../renderer/rooms/room-summary.ts'
import RoomDeviceList from '../../../renderer/rooms/RoomDeviceList.vue'
import { createPages } from '../../../renderer/router.ts'

const id = '7d0c1f8e-2f0b-4e55-9a5d-0a6c3f1f7b11'

it('an unnamed device is shown by its id in lists, rooms and the palette', () => {
  const device = { id, name: id, productName: null, serialNumber: null, status: 'online', room: null }
  const pages = createPages(() => true)
  const { title, detail, aside } = deviceEntry(device as DeviceRow, [], 2830, pages)
  const inRoom = {
    ...device,
    name: null,
    firmware: null,
    firmwareStatus: null,
    firmwareVersion: null,
    lastSeenAt: null,
    observedAt: 0,
  } as unknown as RoomDevice
  const list = mount(RoomDeviceList, {
    props: { room: { name: 'Oslo Fjord 2', devices: [inRoom] } },
    global: { plugins: [i18n, pages] },
  })
  const cell = document.createElement('div')
  cellOf('userOrRoom', { now: () => 0, matched: () => null, vendorId: () => 2830 })(cell)(device as DeviceRow)
  expect({
    palette: [title, detail, aside],
    room: list.find('.what').text(),
    summary: deviceNames([inRoom]),
    cell: cell.textContent,
  }).toEqual({
    palette: [id, null, 'Online'],
    room: id,
    summary: id,
    cell: id,
  })
})
