import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import { createCore, type Core } from '../../../electron/core/app.ts'
import { DatabaseError, type DatabaseFile, type Databases } from '../../../electron/core/platform.ts'
import type { Demonstration } from '../../../electron/demo/demonstration.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { rebootRoom } from '../../reboot-room.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { aService, everyWrite, syncedWith } from './every-write.ts'

// A write without its journal line on disk is never sent: it would not be recorded, and the next program
// could send another one too early.

let home: TemporaryHome
let service: Demonstration
let core: Core
let room: string
let device: string

const open = async (databases: Databases = home.databases): Promise<void> => {
  core = await createCore(fakePlatform(home, { databases, keyFromEnvironment: service.key }))
}

beforeAll(async () => {
  home = new TemporaryHome()
  service = await aService()
  await open()
  const synced = await syncedWith(core, service)
  room = synced.room
  device = synced.devices[0]!
  await core.close()
})
afterEach(() => core.close())
afterAll(async () => {
  await service.stop()
  await home.remove()
})

const failureOf = (work: Promise<unknown>): Promise<Failure | string> =>
  work.then(
    (value) => `nothing failed: ${JSON.stringify(value)}`,
    (error: unknown) => (error instanceof Failed ? error.failure : String(error)),
  )
/** The result of every write, by its name, and the changes that were requested from the service. */
const tried = async (): Promise<{ readonly ended: unknown; readonly arrived: readonly string[] }> => {
  const ended: Record<string, unknown> = {}
  for (const { name, run } of everyWrite) {
    const failure = await failureOf(run(core, room, device))
    ended[name] =
      typeof failure === 'string' || failure.kind !== 'cache-unusable'
        ? failure
        : `${failure.file} ${failure.reason}`
  }
  const changing = ['RebootRoom', 'UpdateDeviceSettings', 'UpdateDeviceFirmware']
  return {
    ended,
    arrived: Object.keys(service.counts().arrivals).filter((operation) => changing.includes(operation)),
  }
}
const refused = (reported: string): unknown => ({
  ended: Object.fromEntries(everyWrite.map(({ name }) => [name, reported])),
  arrived: [],
})

/** The files of this home, with one that cannot be opened. */
const without = (file: DatabaseFile, reason: DatabaseError['reason']): Databases => ({
  ...home.databases,
  open: (name) =>
    name === file
      ? Promise.reject(new DatabaseError(name, reason, `told: ${reason}`))
      : home.databases.open(name),
})

describe('when a file cannot be stored, every write is rejected and nothing is sent', () => {
  it.each<[DatabaseFile, DatabaseError['reason']]>([
    ['workbook', 'read-only'],
    ['workbook', 'disk-full'],
  ])('%s: %s', async (file, reason) => {
    await open(without(file, reason))
    expect(await tried()).toEqual(refused(`${file}.sqlite ${reason}`))
    expect((await core.handlers.app.status()).problems).toMatchObject([
      { id: file, failure: { kind: 'cache-unusable', reason } },
    ])
  })

  it.skipIf(process.platform === 'win32')('the workbook is moved away while the program runs', async () => {
    await open()
    const [path, elsewhere] = [join(home.folder, 'workbook.sqlite'), join(home.folder, 'elsewhere.sqlite')]
    renameSync(path, elsewhere)
    expect(await tried()).toEqual(refused('workbook.sqlite unknown'))
    renameSync(elsewhere, path)
  })
})

it('the failure says that nothing was sent, which file, and why', async () => {
  await open(without('workbook', 'disk-full'))
  expect(await failureOf(rebootRoom(core.handlers.jobs, room))).toEqual({
    kind: 'cache-unusable',
    file: 'workbook.sqlite',
    reason: 'disk-full',
    message: 'told: disk-full',
    refusesWrite: true,
  })
})

it('a paused job is not resumed without the workbook', async () => {
  await open()
  // With several rooms, because a plan for them reads none; a read would wait for five minutes after a lost
  // history.
  const plan = await core.handlers.jobs.plan({
    work: {
      kind: 'reboot-rooms',
      of: 'rooms',
      selection: { kind: 'matching', where: 'health:ok,trouble', except: [] },
    },
    startAt: Date.now() + 3_600_000,
    window: null,
    keepTrying: false,
    canary: false,
  })
  const { id } = await core.handlers.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })
  await core.close()
  await open(without('workbook', 'disk-full'))
  expect(await failureOf(core.handlers.jobs.resume({ id, unlock: true }))).toMatchObject({
    kind: 'cache-unusable',
    reason: 'disk-full',
  })
  expect((await core.handlers.jobs.get({ id })).state).toBe('unarmed')
})
