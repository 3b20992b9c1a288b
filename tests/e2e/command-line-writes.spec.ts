import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { JournalPage } from '../../electron/contract/api/journal.ts'
import { addOrganization, document, headroom, startHeadroom, type Said } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'
import { control as switched, countsOf, type Counts } from './service-switches.ts'

let home: Home
let service: Service

const devicesPath = '/devices/api/devices'

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '60', '--rooms', '12')
  const firmwareUpdate = `POST ${devicesPath}/{deviceId}/firmware/{firmwareVersion}`
  expect((await addOrganization(home, service, { templates: { firmwareUpdate } })).code).toBe(0)
})
test.afterEach(async () => {
  await service.end()
  home.remove()
})

const control = (method: string, path: string, body?: unknown): Promise<unknown> =>
  switched(service, method, path, body)
const arrivals = async (): Promise<Counts['arrivals']> => (await countsOf(service)).arrivals

interface RoomOfService {
  readonly deviceGroupId: string
  readonly devices: readonly { readonly id: string; readonly deviceConnectionStatus: string }[] | null
}

/** Rooms with a device online, directly from the service. */
const liveRooms = async (): Promise<readonly RoomOfService[]> => {
  const answer = await fetch(`${service.managementUrl}/meetingrooms/api/meetingrooms`, {
    method: 'POST',
    headers: {
      'Ocp-Apim-Subscription-Key': service.key,
      'api-version': '2',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ pageSize: 20 }),
  })
  const { items } = (await answer.json()) as { items: readonly RoomOfService[] }
  return items.filter((room) => room.devices?.some((device) => device.deviceConnectionStatus === 'Online'))
}
const aRoom = async (): Promise<string> => (await liveRooms())[0]!.deviceGroupId

const run = (...words: readonly string[]): Promise<Said> => headroom(home, words, { key: service.key })
const reboot = (room: string, ...more: readonly string[]): Promise<Said> =>
  run('reboot', room, '--yes', '--unlock', '--json', ...more)
const journal = async (): Promise<JournalPage> => document<JournalPage>(home, ['journal'], service.key)

test('a reboot prints its room and outcome in one document, and is in the journal', async () => {
  const room = await aRoom()
  const said = await reboot(room)
  expect([said.code, JSON.parse(said.output)]).toEqual([
    0,
    { room: expect.any(String), outcome: 'accepted', reason: null, earliestAt: null, id: expect.any(String) },
  ])
  const { lines, total } = await journal()
  expect([total, lines.map(({ operation, outcome, status }) => [operation, outcome, status])]).toEqual([
    1,
    [['RebootRoom', 'accepted', 200]],
  ])
  expect((await arrivals())['RebootRoom']).toEqual({ 200: 1 })
})

// Every other fault: tests/cli/reboot-one.test.ts.
test('a reboot whose response is lost is reported as unconfirmed, ends with 3 and is not repeated', async () => {
  const room = await aRoom()
  await control('POST', '/faults', { name: 'cut-before-answer', times: 1, operation: 'RebootRoom' })
  const said = await reboot(room)
  expect([said.code, JSON.parse(said.output)]).toEqual([
    3,
    {
      room: expect.any(String),
      outcome: 'unconfirmed',
      reason: 'unconfirmed',
      earliestAt: null,
      id: expect.any(String),
    },
  ])
  expect((await arrivals())['RebootRoom']).toEqual({ dropped: 1 })
  expect((await journal()).lines.map(({ outcome }) => outcome)).toEqual(['unconfirmed'])
})

test('a program killed during a write ends unconfirmed, and no other writes to the room within the minute', async () => {
  const room = await aRoom()
  await control('POST', '/faults', { name: 'slow', times: 1, operation: 'RebootRoom' })
  const { child, said } = startHeadroom(home, ['reboot', room, '--yes', '--unlock'], { key: service.key })
  // Waits until it owns the data folder: if another command did, HEADROOM_KEY would not be used.
  const about = join(home.folder, 'home', 'run', 'owner.json')
  await expect
    .poll(() => existsSync(about) && readFileSync(about, 'utf8'))
    .toContain(`"processId":${child.pid!}`)
  await expect.poll(async () => (await journal()).total).toBe(1)
  child.kill('SIGKILL')
  await said

  const again = await reboot(room, '--no-wait')
  const { outcome, earliestAt } = JSON.parse(again.output) as { outcome: string; earliestAt: number }
  const { lines } = await journal()
  expect([again.code, outcome, earliestAt >= lines[0]!.startedAt + 60_000]).toEqual([4, 'waiting', true])
  expect(lines.map((line) => [line.operation, line.outcome, line.endedAt])).toEqual([
    ['RebootRoom', 'unconfirmed', expect.any(Number)],
  ])
})
