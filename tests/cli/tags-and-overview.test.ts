import { afterAll, beforeAll, expect, it } from 'vitest'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { overviewCommands } from '../../electron/cli/commands/overview.ts'
import { serviceCommands } from '../../electron/cli/commands/service.ts'
import { tagCommands } from '../../electron/cli/commands/tags.ts'
import { UsageError } from '../../electron/cli/grammar.ts'
import { Failed } from '../../electron/contract/failure.ts'
import type { Json } from '../../electron/contract/json.ts'
import { aDevice, aRoom } from '../a-device.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'

let service: OddService
beforeAll(async () => {
  service = await anOddService()
  service.devices = { MeetingRoom: [1, 2, 3].map((n) => aDevice(n, { name: `Desk ${n}` })), Personal: [] }
  service.rooms = [aRoom(1, { name: 'Fjord' })]
})
afterAll(() => service.close())

const headroom = (...argv: string[]) =>
  service.run([...inventoryCommands, ...overviewCommands, ...serviceCommands, ...tagCommands], ...argv)
const read = async (...argv: string[]): Promise<Record<string, Json>> =>
  JSON.parse((await headroom(...argv, '--json')).output) as Record<string, Json>

it('overview says that nothing was read, then what there is to do', async () => {
  const before = await headroom('overview')
  await headroom('sync')
  const after = await headroom('overview')
  const document = await read('overview')
  expect([before.output, after.output.split('\n')[0], document]).toEqual([
    'Nothing has been read yet: headroom sync\n',
    expect.stringMatching(/^3 devices and 1 room, as of /),
    expect.objectContaining({ deviceCount: 3, roomCount: 1, silent: expect.any(Number) }),
  ])
})

it('tags are added to named and to matching devices, renamed, taken away and deleted', async () => {
  const steps = [
    await read('tags', 'add', 'loan', 'Desk 1', 'D00000002'),
    await read('tags', 'add', 'loan', '--where', 'gone:no'),
    await read('tags', 'remove', 'loan', 'Desk 3'),
    await read('tags', 'rename', 'loan', 'spare'),
    await read('tags'),
    await read('tags', 'delete', 'spare'),
    await read('tags'),
  ]
  expect(steps).toEqual([
    { changed: 2 },
    { changed: 1 },
    { changed: 1 },
    { changed: 2 },
    { total: 1, tags: [{ name: 'spare', count: 2 }] },
    { changed: 2 },
    { total: 0, tags: [] },
  ])
})

it.each([
  [['tags', 'add', 'loan'], 'usage'],
  [['tags', 'add', 'loan', '--where', ' '], 'usage'],
  [['tags', 'add', 'loan', 'Desk 1', '--where', 'gone:no'], 'usage'],
  [['tags', 'add', 'loan', 'Desk'], 'invalid'],
  [['tags', 'add', 'loan', 'nobody'], 'not-found'],
  [['tags', 'rename', 'absent', 'loan'], 'not-found'],
])('%j changes nothing: %s', async (argv, why) => {
  const ended = await headroom(...argv).then(
    () => null,
    (error: unknown) =>
      error instanceof UsageError ? 'usage' : error instanceof Failed ? error.failure.kind : error,
  )
  expect([ended, await read('tags')]).toEqual([why, { total: 0, tags: [] }])
})

it('views lists what is saved, connections the hosts that may be contacted or were', async () => {
  await service.core.handlers.views.save({
    list: 'devices',
    name: 'Behind',
    where: 'fw:behind',
    sort: [{ column: 'name', descending: true }],
    columns: null,
  })
  const views = await headroom('views')
  const { hosts } = await read('connections')
  expect([views.output.split('\n')[1], hosts]).toEqual([
    expect.stringMatching(/^Behind {2}.* -name {2,}fw:behind$/),
    expect.arrayContaining([
      {
        host: expect.any(String),
        port: expect.any(Number),
        why: 'management',
        organizationId: expect.any(String),
      },
    ]),
  ])
})
