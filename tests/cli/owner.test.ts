import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Job } from '../../electron/contract/api/jobs.ts'
import type { JournalLine } from '../../electron/contract/api/journal.ts'
import { startDemonstration, type Demonstration } from '../../electron/demo/demonstration.ts'
import { fromMorning } from '../demo/a-demonstration.ts'
import { aFront, Programs, type Front, type RunningApp } from './programs.ts'

const reboot = /POST .*[Rr]eboot/
let service: Demonstration
let front: Front
let programs: Programs
let rooms: readonly string[]
/** A data folder that knows the fleet: every test has a copy of it. */
let synced = ''

async function begin(home: string): Promise<void> {
  service = await startDemonstration({ now: fromMorning(), devices: 160, rooms: 40 })
  onTestFinished(() => service.stop())
  front = await aFront(new URL(service.managementUrl).origin)
  const at = (url: string): string => url.replace(new URL(url).origin, front.url)
  const { managementUrl, metadataUrl, key } = service
  programs = new Programs(home, { managementUrl: at(managementUrl), metadataUrl: at(metadataUrl), key })
}

beforeEach(async () => {
  const home = mkdtempSync(join(tmpdir(), 'headroom-owner-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  await begin(home)
  if (synced === '') await prepare()
  cpSync(synced, home, { recursive: true })
})
afterAll(() => rmSync(synced, { recursive: true, force: true }))

async function prepare(): Promise<void> {
  expect((await programs.run(['org', 'add', 'Nordlys', '--preset', 'demonstration'])).code).toBe(0)
  expect((await programs.run(['sync', '--json'])).code).toBe(0)
  const listed = JSON.parse((await programs.run(['rooms', '--json'])).output) as {
    rooms: readonly { id: string; devices: readonly { status: string }[] | null }[]
  }
  rooms = listed.rooms
    .filter(({ devices }) => devices?.some(({ status }) => status === 'online'))
    .map(({ id }) => id)
  synced = mkdtempSync(join(tmpdir(), 'headroom-synced-'))
  for (const name of ['workbook', 'store', 'ledger'])
    cpSync(join(programs.home, `${name}.sqlite`), join(synced, `${name}.sqlite`))
}

const anApp = async (options: { key?: string; waits?: object } = {}): Promise<RunningApp> => {
  const app = programs.app(options)
  await app.tells('owns')
  return app
}
const writesTo = (): readonly string[] => front.arrived.filter((request) => reboot.test(request))
const once = (requests: readonly string[]): boolean => new Set(requests).size === requests.length
const rebootAll = (count: number): readonly string[] => [
  ...[
    'reboot',
    ...rooms.slice(0, count),
    '--yes',
    '--unlock',
    '--no-watch',
    '--json',
    '--count',
    String(count),
  ],
]

describe('two and three programs at once', () => {
  it('each command is done, whoever owns the folder', async () => {
    const names = ['One', 'Two', 'Three']
    const ended = await Promise.all(
      names.map((name) => programs.run(['org', 'add', name, '--preset', 'demonstration'])),
    )
    expect(ended.map(({ code, errors }) => [code, errors])).toEqual(names.map(() => [0, '']))
    const list = JSON.parse((await programs.run(['org', 'list', '--json'])).output) as {
      organizations: readonly { name: string }[]
    }
    expect(list.organizations.map(({ name }) => name).sort()).toEqual(['Nordlys', 'One', 'Three', 'Two'])
  })

  it('beside the app a command has its streams, its files and its exit code', async () => {
    const app = await anApp()
    const elsewhere = mkdtempSync(join(tmpdir(), 'headroom-elsewhere-'))
    onTestFinished(() => rmSync(elsewhere, { recursive: true }))
    writeFileSync(join(elsewhere, 'event.json'), '{"x":1}')
    const all = await Promise.all([
      programs.run(['sync', '--json']),
      programs.run(['devices', '--csv']),
      programs.run(['webhook', 'read', 'event.json'], { cwd: elsewhere }),
      programs.run(['webhook', 'read', '-'], { input: '{"x":1}' }),
      programs.run(['device', 'nothing of that name']),
      programs.run(['webhook', 'read', 'event.json'], { cwd: tmpdir() }),
    ])
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 3, 2])
    expect(all[1]?.output.trim().split('\r\n').length).toBe(1 + 160)
    expect(all[2]?.output).toBe(all[3]?.output)
    expect(await app.does('working')).toBe(0)
  })
})

describe('the owner is killed', () => {
  it.each([/devices/i, /rooms/i])('while a client syncs (%s): the client goes on by itself', async (step) => {
    const app = await anApp()
    const held = front.holds(step)
    const { ended } = programs.start(['sync', '--json'])
    await held
    await app.kill()
    front.letGo()
    const { code, output } = await ended
    expect([code, (JSON.parse(output) as { complete?: boolean }).complete]).toEqual([0, true])
  })

  it('before a write of a client was sent: it is tried again; after: it is unconfirmed, and never sent twice', async () => {
    const app = await anApp()
    const held = front.holds(reboot)
    const { ended } = programs.start(['reboot', rooms[0] ?? '', '--yes', '--unlock', '--json'])
    await held
    await app.kill()
    front.letGo()
    const { code, errors } = await ended
    expect([code, errors.includes('may have happened')]).toEqual([4, true])
    const journal = await programs.run(['journal', '--json'])
    const { lines } = JSON.parse(journal.output) as { lines: readonly JournalLine[] }
    expect([writesTo().length, lines.map(({ outcome }) => outcome)]).toEqual([1, ['unconfirmed']])
  })

  it('in the middle of a client’s job: the job is paused, goes on when it is resumed, and no room is restarted twice', async () => {
    const app = await anApp()
    const held = front.holds(reboot)
    const { ended } = programs.start(rebootAll(24))
    await held
    await app.kill()
    front.letGo()
    const { code, errors } = await ended
    const id = /jobs resume (\S+)/.exec(errors)?.[1] ?? ''
    expect([code, id.length > 0]).toEqual([4, true])
    const jobs = JSON.parse((await programs.run(['jobs', '--json'])).output) as { jobs: readonly Job[] }
    expect(jobs.jobs.map((job) => [job.id, job.state])).toEqual([[id, 'paused']])
    expect(once(writesTo())).toBe(true)
  })
})

describe('the owner is stopped', () => {
  it('a client says so and ends with 3, and is served again when it goes on', async () => {
    const app = await anApp()
    app.child.kill('SIGSTOP')
    const { code, errors, output } = await programs.run(['org', 'list'])
    expect([code, output, errors.includes('the app, which does not answer')]).toEqual([3, '', true])
    app.child.kill('SIGCONT')
    expect((await programs.run(['org', 'list'])).code).toBe(0)
  })
  it('while a client syncs: the client ends with 3 and nothing is read past the owner', async () => {
    const app = await anApp()
    const held = front.holds(/devices/i)
    const { ended } = programs.start(['sync', '--json'])
    await held
    app.child.kill('SIGSTOP')
    front.letGo()
    const { code, errors } = await ended
    expect([code, errors.includes('"silent"')]).toEqual([3, true])
  })
  it('while a client writes: the client ends with 4', async () => {
    const app = await anApp()
    const held = front.holds(reboot)
    const { ended } = programs.start(['reboot', rooms[0] ?? '', '--yes', '--unlock'])
    await held
    app.child.kill('SIGSTOP')
    const { code, errors } = await ended
    expect([code, errors.includes('may have happened')]).toEqual([4, true])
  })
})

describe('hand-over', () => {
  it('an app that starts beside a job of the command line takes the folder; the command goes on as its client', async () => {
    const held = front.holds(reboot)
    const { ended } = programs.start(rebootAll(4))
    await held
    const app = programs.app()
    await app.tells('waits')
    front.letGo()
    expect(await app.tells('owns')).toBe('owned')
    const { code, output } = await ended
    const { job } = JSON.parse(output) as { job: Job }
    expect([code, job.counts.done, writesTo().length, once(writesTo())]).toEqual([0, 4, 4, true])
  })
  it('on HEADROOM_KEY a job stops there: what was not sent is paused, and the command ends with 4', async () => {
    const custom = service
    await programs.run([
      ...[
        'org',
        'add',
        'Own',
        '--preset',
        'custom',
        '--management-url',
        front.url + new URL(custom.managementUrl).pathname,
      ],
      ...['--metadata-url', front.url + new URL(custom.metadataUrl).pathname],
    ])
    await programs.run(['org', 'use', 'Own'])
    const { key } = service
    expect((await programs.run(['sync', '--json'], { key })).code).toBe(0)
    const held = front.holds(reboot)
    const { ended } = programs.start(rebootAll(4), { key })
    await held
    const app = programs.app()
    await app.tells('waits')
    front.letGo()
    await app.tells('owns')
    const { code, errors } = await ended
    expect([code, errors.includes('HEADROOM_KEY is not used beside it')]).toEqual([4, true])
    expect(once(writesTo())).toBe(true)
  })
  it('a sync of the command line goes on in the app', async () => {
    const held = front.holds(/devices/i)
    const { ended } = programs.start(['sync', '--json'])
    await held
    const app = programs.app()
    expect(await app.tells('owns')).toBe('owned')
    front.letGo()
    expect((await ended).code).toBe(0)
  })
  it('a stopped command line keeps the folder: the app says who has it, and takes it when that goes on', async () => {
    const held = front.holds(/devices/i)
    const { ended, child } = programs.start(['sync', '--json'])
    await held
    child.kill('SIGSTOP')
    const app = programs.app()
    await expect.poll(() => app.told.some((line) => line['isLong'] === true), { timeout: 20_000 }).toBe(true)
    expect(app.told.at(-1)?.['waits']).toBe(`headroom at a prompt, process ${child.pid ?? 0}`)
    expect(app.told.some((line) => 'owns' in line)).toBe(false)
    front.letGo()
    child.kill('SIGCONT')
    expect([await app.tells('owns'), (await ended).code]).toEqual(['owned', 0])
  })
  it('a command line killed in the middle of it leaves the folder to the app', async () => {
    const held = front.holds(reboot)
    const { child } = programs.start(rebootAll(24))
    await held
    const app = programs.app()
    await app.tells('waits')
    child.kill('SIGKILL')
    expect(await app.tells('owns')).toBe('owned')
    const jobs = (await app.does('jobs')) as readonly Job[]
    expect([jobs.map(({ state }) => state), once(writesTo())]).toEqual([['paused'], true])
  })
  it('an app that quits hands the work of its clients to themselves', async () => {
    const app = await anApp()
    const held = front.holds(reboot)
    const { ended } = programs.start(rebootAll(3))
    await held
    expect(await app.does('working')).toBe(1)
    const gone = app.does('quit')
    front.letGo()
    expect(await gone).toBe('gone')
    const { code, output } = await ended
    const { job } = JSON.parse(output) as { job: Job }
    expect([code, job.counts.done, once(writesTo())]).toEqual([0, 3, true])
  })
})

describe('a client', () => {
  it('unlocks for itself alone: the window stays locked, and the journal names the client', async () => {
    const app = await anApp()
    const held = front.holds(reboot)
    const { ended, child } = programs.start(['reboot', rooms[0] ?? '', '--yes', '--unlock', '--json'])
    await held
    const unlocked = await app.does('lock')
    front.letGo()
    expect([unlocked, (await ended).code]).toEqual([false, 0])
    const [line] = (await app.does('journal')) as readonly JournalLine[]
    expect(line?.who).toContain(`headroom at a prompt, process ${child.pid ?? 0}`)
    expect((await programs.run(['reboot', rooms[1] ?? '', '--yes', '--json'])).errors).toContain(
      'writes-locked',
    )
  })
  it('that goes away cancels what was not sent, and its job pauses', async () => {
    const app = await anApp()
    const held = front.holds(reboot)
    const { child, ended } = programs.start(rebootAll(24))
    await held
    child.kill('SIGKILL')
    await ended
    await expect
      .poll(async () => ((await app.does('jobs')) as readonly Job[]).map(({ state }) => state), {
        timeout: 10_000,
      })
      .toEqual(['paused'])
    front.letGo()
    expect(once(writesTo())).toBe(true)
  })
  it('with HEADROOM_KEY makes no call with it, and says so', async () => {
    await anApp()
    const before = front.arrived.length
    const [stored, asking] = [
      await programs.run(['devices', '--json'], { key: 'f'.repeat(32) }),
      await programs.run(['sync', '--json'], { key: 'f'.repeat(32) }),
    ]
    expect([stored.code, stored.errors.includes('HEADROOM_KEY is not used')]).toEqual([0, true])
    expect([asking.code, asking.output, asking.errors.includes('"key-beside"')]).toEqual([3, '', true])
    expect(front.arrived.length).toBe(before)
  })
})

describe('the lock', () => {
  const path = (): string => join(programs.home, 'owner.sqlite')
  it.each([
    ['deleted', () => rmSync(path())],
    ['renamed', () => renameSync(path(), `${path()}.old`)],
  ] as const)('%s while the app owns it: no new call, and the client ends with 3', async (_, change) => {
    await anApp()
    change()
    const before = front.arrived.length
    // Found through the socket: a command that finds the lock free would own it.
    mkdirSync(path())
    const { code } = await programs.run(['sync', '--json'])
    rmSync(path(), { recursive: true })
    expect([code, front.arrived.length]).toEqual([3, before])
  })
  it('that cannot be had lets the last state be seen, and sends nothing', async () => {
    mkdirSync(path())
    const before = front.arrived.length
    const [list, sync, write] = [
      await programs.run(['devices', '--json']),
      await programs.run(['sync', '--json']),
      await programs.run(['reboot', rooms[0] ?? '', '--yes', '--unlock', '--json']),
    ]
    expect([list.code, sync.code, write.code, front.arrived.length]).toEqual([0, 3, 3, before])
    expect((JSON.parse(list.output) as { total: number }).total).toBe(160)
  })
})
