import { afterEach, beforeEach, expect, test } from 'vitest'
import { notificationKinds, type Message } from '../../../electron/contract/notification.ts'
import type { Job } from '../../../electron/contract/api/jobs.ts'
import { openNotifications } from '../../../electron/core/notifications/notifications.ts'
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
    message: { kind: 'key-refused', organizationId: id, organization: 'Nordlys', place },
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

test('a job of another organization that waits for a person is told at each start, by its present name', async () => {
  await it.add()
  const { shared, sessions, handlers } = it.core
  await handlers.app.setPreferences({ notifications: notificationKinds })
  const job = {
    id: '7',
    organizationId: 'other',
    kind: 'reboot-rooms',
    state: 'unarmed',
    missed: null,
    target: null,
    asked: 3,
  } as unknown as Job
  const start = (name: string): Promise<Message> =>
    new Promise((resolve) => {
      const running = openNotifications({
        platform: it.platform,
        workbook: shared.workbook,
        rooms: shared.rooms,
        database: shared.store.database,
        current: sessions.currentOrganization,
        session: sessions.of,
        jobsBut: async () => [job],
        nameOf: () => name,
        listen: () => () => undefined,
        show: (message) => {
          void running.close()
          resolve(message)
        },
        opened: () => undefined,
      })
    })
  const message = {
    kind: 'job-news',
    news: 'unarmed',
    work: 'reboot-rooms',
    target: null,
    asked: 3,
    organizationId: 'other',
    organization: 'Sydlys',
    place: { organizationId: 'other', page: 'jobs', id: '7' },
  }
  expect(await start('Sydlys')).toEqual(message)
  expect(await start('Aurora')).toEqual({ ...message, organization: 'Aurora' })
  // Its jobs that ended before it becomes the current one are no news then.
  expect(await shared.workbook.remembered('notified')).toMatchObject({
    organizations: { other: { since: null } },
  })
})
