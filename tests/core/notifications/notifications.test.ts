import { afterEach, beforeEach, expect, test } from 'vitest'
import { notificationKinds, type Message } from '../../../electron/contract/notification.ts'
import { openConnectedCore, type ConnectedCore } from '../../connected-core.ts'

const wrongKey = '00000000000000000000000000000000'

let it: ConnectedCore
beforeEach(async () => {
  it = await openConnectedCore({ devices: 80, rooms: 6 })
})
afterEach(() => it.close())

/** The first message after everything is selected; the organization was first checked long ago. */
async function firstMessage(id: string): Promise<{ message: Message; opened: () => void; kept: unknown }> {
  const { handlers, shared } = it.core
  await handlers.app.setPreferences({ notifications: notificationKinds })
  await shared.workbook.remember('notified', {
    organizations: { [id]: { since: 0, rooms: {}, facts: {} } },
    held: [],
  })
  return new Promise((resolve, reject) =>
    it.core.startNotifying((message, opened) => {
      shared.workbook.remembered('notified').then((kept) => resolve({ message, opened, kept }), reject)
    }),
  )
}

test('a refused key is reported, stored before it is shown, and a click opens the organizations', async () => {
  const id = await it.add()
  await it.core.handlers.organizations.setKey({ id, slot: 'primary', key: wrongKey })
  await it.core.handlers.sync.run().catch(() => null)
  const { message, opened, kept } = await firstMessage(id)
  const places: unknown[] = []
  it.core.onEvent((event, payload) => {
    if (event === 'app.opened') places.push(payload)
  })
  opened()
  const place = { organizationId: null, page: 'organizations' }
  expect({ message, places, kept }).toEqual({
    message: { kind: 'key-refused', organization: 'Nordlys', place },
    places: [place],
    kept: {
      organizations: { [id]: { since: 0, rooms: {}, facts: { [`key-refused ${id}`]: expect.any(Number) } } },
      held: [],
    },
  })
})

test('revoked firmware on devices is reported by its version, and a click opens those devices', async () => {
  const id = await it.add()
  await it.core.handlers.sync.run()
  const session = await it.core.sessions.current()
  await session.firmware.warm({})
  await session.recomputeCompliance()
  const { rows } = await it.core.handlers.devices.slice({
    where: 'fw:revoked',
    sort: [],
    start: 0,
    count: 500,
  })
  const [device] = rows
  const { message } = await firstMessage(id)
  const { total } = await it.core.handlers.devices.slice({
    where: message.place.where ?? '',
    sort: [],
    start: 0,
    count: 1,
  })
  expect([message, total]).toEqual([
    {
      kind: 'firmware-withdrawn',
      product: device?.productName,
      version: device?.firmwareVersion,
      devices: rows.length,
      place: { organizationId: id, page: 'devices', where: expect.any(String) },
    },
    rows.length,
  ])
})
