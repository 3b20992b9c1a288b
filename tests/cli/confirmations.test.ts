import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnectedCore, type ConnectedCore } from '../connected-core.ts'
import { runOn } from './run-on.ts'

let connected: ConnectedCore
let room: string
let device: string
beforeAll(async () => {
  connected = await openConnectedCore({ devices: 60, rooms: 6 })
  await connected.add()
  const { handlers } = connected.core
  await handlers.sync.run()
  const list = { where: '', sort: [], start: 0, count: 1 }
  room = (await handlers.rooms.list({ ...list, where: 'health:ok' })).rows[0]!.id
  device = (await handlers.devices.slice(list)).rows[0]!.id
})
afterAll(() => connected.close())

const typed = (words: string): readonly string[] =>
  words.split(' ').map((word) => word.replace('ROOM', room).replace('DEVICE', device))

test.each([
  'reboot ROOM',
  'reboot --where health:ok',
  'settings set DEVICE sidetoneEnabled=true',
  'settings set sidetoneEnabled=true --where status:online',
  'firmware update --where status:online latest',
  'call RebootRoom groupId=ROOM',
  'org remove Nordlys',
])('%s asks for --yes, and names the organization', async (words) => {
  const said = await runOn(connected.core, typed(words))
  expect([said.code, said.errors]).toEqual([2, expect.stringMatching(/Nordlys[^]*--yes/)])
})

test.each([
  'reboot ROOM --dry-run',
  'reboot --where health:ok --dry-run',
  'reboot --where nowhere-at-all --dry-run',
  'settings set sidetoneEnabled=true --where status:online --dry-run',
  'offline prepare --dry-run',
])('%s names the organization', async (words) => {
  const said = await runOn(connected.core, typed(words))
  expect(`${said.output}${said.errors}`).toContain('Nordlys')
})

test('the document of a dry run has the id and the name', async () => {
  const { id, name } = await connected.core.sessions.currentOrganization()
  const documents = ['reboot ROOM --dry-run --json', 'reboot --where health:ok --dry-run --json']
  for (const words of documents)
    expect(JSON.parse((await runOn(connected.core, typed(words))).output)).toMatchObject({
      organization: { id, name },
    })
})
