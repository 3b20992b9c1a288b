import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { once as onceOf } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { takeDataFolder } from '../../electron/adapters/owner/data-folder.ts'
import { ownerWaits } from '../../electron/adapters/owner/limits.ts'
import { serveClients } from '../../electron/adapters/owner/owner-server.ts'
import { contractVersion } from '../../electron/adapters/owner/wire.ts'
import type { Job } from '../../electron/contract/api/jobs.ts'
import type { JournalLine } from '../../electron/contract/api/journal.ts'
import { startDemonstration, type Demonstration } from '../../electron/demo/demonstration.ts'
import { fromMorning } from '../demo/a-demonstration.ts'
import {
  aFront,
  Programs,
  shortWaits,
  type Front,
  type Running,
  type RunningApp,
  type Said,
} from './programs.ts'

const reboot = /POST .*[Rr]eboot/
let service: Demonstration
let front: Front
let programs: Programs
let rooms: readonly string[]
/** A data folder with the fleet: every test gets a copy of it. */
let synced = ''

async function begin(home: string): Promise<void> {
  service = await startDemonstration({ now: fromMorning(), devices: 160, rooms: 40 })
  onTestFinished(() => service.stop())
  front = await aFront(new URL(service.managementUrl).origin)
  const at = (url: string): string => url.replace(new URL(url).origin, front.url)
  const { managementUrl, metadataUrl, key } = service
  programs = new Programs(home, { managementUrl: at(managementUrl), metadataUrl: at(metadataUrl), key })
}

const aHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'headroom-owner-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}
/** The first test prepares it with three processes one after the other: more than 30 s were observed beside other runs on two cores. */
const preparedWithinMs = 120_000

beforeEach(async () => {
  if (synced === '') {
    // In a separate folder, so that no test's folder contains other files of the preparation.
    await begin(aHome())
    await prepare()
  }
  const home = aHome()
  await begin(home)
  cpSync(synced, home, { recursive: true })
}, preparedWithinMs)
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
const testWaits = { ...ownerWaits, ...shortWaits }
const completed = ({ output }: Said): boolean | undefined =>
  (JSON.parse(output) as { complete?: boolean }).complete
const once = (requests: readonly string[]): boolean => new Set(requests).size === requests.length
const rebootAll = (count: number): readonly string[] => [
  'reboot',
  ...rooms.slice(0, count),
  '--yes',
  '--unlock',
  '--no-watch',
  '--json',
  '--count',
  String(count),
]

describe('two or three programs at once', () => {
  it('complete each command, whichever program owns the folder', async () => {
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

  it('give a command its streams, files and exit code while the app runs', async () => {
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

describe('a killed owner', () => {
  it.each([/devices/i, /rooms/i])('while a client syncs (%s): the client continues alone', async (step) => {
    const app = await anApp()
    const holding = front.holds(step)
    const { ended } = programs.start(['sync', '--json'])
    await holding
    await app.kill()
    front.letGo()
    const { code, output } = await ended
    expect([code, (JSON.parse(output) as { complete?: boolean }).complete]).toEqual([0, true])
  })

  it("before a client's write was sent: it is tried again; after: it is unconfirmed and never sent twice", async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const { ended } = programs.start(['reboot', rooms[0] ?? '', '--yes', '--unlock', '--json'])
    await holding
    await app.kill()
    front.letGo()
    const { code, errors } = await ended
    expect([code, errors.includes('may have happened')]).toEqual([4, true])
    const journal = await programs.run(['journal', '--json'])
    const { lines } = JSON.parse(journal.output) as { lines: readonly JournalLine[] }
    expect([writesTo().length, lines.map(({ outcome }) => outcome)]).toEqual([1, ['unconfirmed']])
  })

  it("during a client's job: the job pauses, continues when resumed, and restarts no room twice", async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const { ended } = programs.start(rebootAll(24))
    await holding
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

describe('a stopped owner', () => {
  it('makes a client report it and end with 3; the client is served again afterwards', async () => {
    const app = await anApp()
    app.child.kill('SIGSTOP')
    const { code, errors, output } = await programs.run(['org', 'list'])
    expect([code, output, errors.includes('the app, which does not answer')]).toEqual([3, '', true])
    app.child.kill('SIGCONT')
    expect((await programs.run(['org', 'list'])).code).toBe(0)
  })
  it('during a sync of a client ends it with 3, and the client reads nothing without the owner', async () => {
    const app = await anApp()
    const holding = front.holds(/devices/i)
    const { ended } = programs.start(['sync', '--json'])
    await holding
    app.child.kill('SIGSTOP')
    front.letGo()
    const { code, errors } = await ended
    expect([code, errors.includes('"silent"')]).toEqual([3, true])
  })
  it('while a client writes: the client ends with 4', async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const { ended } = programs.start(['reboot', rooms[0] ?? '', '--yes', '--unlock'])
    await holding
    app.child.kill('SIGSTOP')
    const { code, errors } = await ended
    expect([code, errors.includes('may have happened')]).toEqual([4, true])
  })
})

describe('hand-over', () => {
  it('an app that starts during a command-line job takes over the folder; the command continues as its client', async () => {
    const holding = front.holds(reboot)
    const { ended } = programs.start(rebootAll(4))
    await holding
    const app = programs.app()
    await app.tells('waits')
    front.letGo()
    expect(await app.tells('owns')).toBe('owned')
    const { code, output } = await ended
    const { job } = JSON.parse(output) as { job: Job }
    expect([code, job.counts.done, writesTo().length, once(writesTo())]).toEqual([0, 4, 4, true])
  })
  it.each([
    ['the same document', []],
    ['of an organization that is not the current one', ['--organization=Nordlys']],
  ])('the reboot of one room is reported as if no hand-over had happened (%s)', async (_, more) => {
    if (more.length > 0) {
      await programs.run(['org', 'add', 'Other', '--preset', 'demonstration'])
      await programs.run(['org', 'use', 'Other'])
    }
    const holding = front.holds(reboot)
    const room = rooms[0] ?? ''
    const { ended } = programs.start(['reboot', room, '--yes', '--unlock', '--json', ...more])
    await holding
    const app = programs.app()
    await app.tells('waits')
    front.letGo()
    await app.tells('owns')
    const { code, output } = await ended
    expect([code, JSON.parse(output), writesTo().length]).toEqual([
      0,
      { room, outcome: 'accepted', reason: null, earliestAt: null, id: expect.any(String) as string },
      1,
    ])
  })
  it('pauses a job on HEADROOM_KEY with what was not sent, and the command ends with 4', async () => {
    const custom = service
    await programs.run([
      'org',
      'add',
      'Own',
      '--preset',
      'custom',
      '--management-url',
      front.url + new URL(custom.managementUrl).pathname,
      '--metadata-url',
      front.url + new URL(custom.metadataUrl).pathname,
    ])
    await programs.run(['org', 'use', 'Own'])
    const { key } = service
    expect((await programs.run(['sync', '--json'], { key })).code).toBe(0)
    const holding = front.holds(reboot)
    const { ended } = programs.start(rebootAll(4), { key })
    await holding
    const app = programs.app()
    await app.tells('waits')
    front.letGo()
    await app.tells('owns')
    const { code, errors } = await ended
    expect([code, errors.includes('HEADROOM_KEY is no longer used')]).toEqual([4, true])
    expect(once(writesTo())).toBe(true)
  })
  it('a command-line sync continues in the app', async () => {
    const holding = front.holds(/devices/i)
    const { ended } = programs.start(['sync', '--json'])
    await holding
    const app = programs.app()
    expect(await app.tells('owns')).toBe('owned')
    front.letGo()
    expect((await ended).code).toBe(0)
  })
  it('a stopped command keeps the folder: the app names it, and takes over when it continues', async () => {
    const holding = front.holds(/devices/i)
    const { ended, child } = programs.start(['sync', '--json'])
    await holding
    child.kill('SIGSTOP')
    const app = programs.app()
    await expect.poll(() => app.reported.some((line) => line['isLong'] === true)).toBe(true)
    expect(app.reported.at(-1)?.['waits']).toBe(`headroom on the command line, process ${child.pid ?? 0}`)
    expect(app.reported.some((line) => 'owns' in line)).toBe(false)
    front.letGo()
    child.kill('SIGCONT')
    expect([await app.tells('owns'), (await ended).code]).toEqual(['owned', 0])
  })
  it('a command killed during hand-over leaves the folder to the app', async () => {
    const holding = front.holds(reboot)
    const { child } = programs.start(rebootAll(24))
    await holding
    const app = programs.app()
    await app.tells('waits')
    child.kill('SIGKILL')
    expect(await app.tells('owns')).toBe('owned')
    const jobs = (await app.does('jobs')) as readonly Job[]
    expect([jobs.map(({ state }) => state), once(writesTo())]).toEqual([['paused'], true])
  })
  it('an app that quits hands the work of its clients back to them', async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const { ended } = programs.start(rebootAll(3))
    await holding
    expect(await app.does('working')).toBe(1)
    const gone = app.does('quit')
    front.letGo()
    expect(await gone).toBe('gone')
    const { code, output } = await ended
    const { job } = JSON.parse(output) as { job: Job }
    expect([code, job.counts.done, once(writesTo())]).toEqual([0, 3, true])
  })
})

describe.runIf(existsSync('/proc/locks'))(
  'hand-over of a job, interrupted while nothing owns the folder',
  () => {
    /** Whether no process has a lock on the file (proc_locks(5)). */
    const released = (): Promise<void> => {
      const { ino } = statSync(join(programs.home, 'owner.sqlite'))
      const isHeld = (): boolean =>
        readFileSync('/proc/locks', 'utf8')
          .split('\n')
          .some((line) => line.includes(`:${ino} `))
      return expect.poll(isHeld, { interval: 5 }).toBe(false)
    }
    /** A job of four rooms with the first one in flight, and an app that has requested the folder. */
    const requested = async (
      app: Parameters<Programs['app']>[0],
      command: object = {},
    ): Promise<{ readonly app: RunningApp; readonly job: Running }> => {
      const holding = front.holds(reboot)
      const job = programs.start(rebootAll(4), { waits: command })
      await holding
      const asking = programs.app(app)
      await asking.tells('waits')
      return { app: asking, job }
    }
    const done = async ({ ended }: Running): Promise<unknown> => {
      const { code, output } = await ended
      return { code, done: (JSON.parse(output) as { job: Job }).job.counts.done }
    }
    const allDone = { code: 0, done: 4 }
    const sentOnceEach = (): unknown => [writesTo().length, once(writesTo())]

    it('the app is killed after its request: the command continues alone', async () => {
      const { app, job } = await requested({})
      await app.kill()
      front.letGo()
      expect([await done(job), sentOnceEach()]).toEqual([allDone, [4, true]])
    })
    it('the app is stopped after its request: the command takes the folder back, and the app gets it later', async () => {
      const { app, job } = await requested({})
      app.child.kill('SIGSTOP')
      front.letGo()
      expect([await done(job), sentOnceEach()]).toEqual([allDone, [4, true]])
      app.child.kill('SIGCONT')
      expect(await app.tells('owns')).toBe('owned')
    })
    it('the app is killed after taking the folder and before listening: the command continues alone', async () => {
      const { app, job } = await requested({ stopsWhenTaken: true }, { connectInMs: 5_000 })
      front.letGo()
      expect(await app.tells('stops')).toBe('owned')
      await app.kill()
      expect([await done(job), sentOnceEach()]).toEqual([allDone, [4, true]])
    })
    it('the app is stopped after taking the folder and before listening: the command reports that and what is paused, and ends with 4', async () => {
      const { app, job } = await requested({ stopsWhenTaken: true })
      front.letGo()
      expect(await app.tells('stops')).toBe('owned')
      const { code, output, errors } = await job.ended
      const continued = /Resume it with headroom (jobs resume \S+) --unlock/.exec(errors)?.[1] ?? ''
      expect([code, output, errors.includes('"silent"'), continued === '']).toEqual([4, '', true, false])
      app.child.kill('SIGCONT')
      expect(await app.tells('owns')).toBe('owned')
      const resumed = await programs.run([...continued.split(' '), '--unlock', '--no-watch', '--json'])
      expect([resumed.code, sentOnceEach()]).toEqual([0, [4, true]])
    })
    it('the command is killed after releasing: the app owns the folder, and the job is paused', async () => {
      const { app, job } = await requested({}, { connectInMs: 20_000 })
      app.child.kill('SIGSTOP')
      front.letGo()
      await released()
      job.child.kill('SIGKILL')
      await job.ended
      app.child.kill('SIGCONT')
      expect(await app.tells('owns')).toBe('owned')
      const jobs = (await app.does('jobs')) as readonly Job[]
      expect([jobs.map(({ state }) => state), once(writesTo())]).toEqual([['paused'], true])
    })
    it('the command is stopped after releasing: the app owns the folder, and the command continues as its client', async () => {
      const { app, job } = await requested({}, { connectInMs: 20_000 })
      app.child.kill('SIGSTOP')
      front.letGo()
      await released()
      job.child.kill('SIGSTOP')
      app.child.kill('SIGCONT')
      expect(await app.tells('owns')).toBe('owned')
      job.child.kill('SIGCONT')
      expect([await done(job), sentOnceEach()]).toEqual([allDone, [4, true]])
    })
  },
)

describe('a client', () => {
  it('unlocks only itself: the window stays locked, and the journal names the client', async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const { ended, child } = programs.start(['reboot', rooms[0] ?? '', '--yes', '--unlock', '--json'])
    await holding
    const unlocked = await app.does('lock')
    front.letGo()
    expect([unlocked, (await ended).code]).toEqual([false, 0])
    const [line] = (await app.does('journal')) as readonly JournalLine[]
    expect(line?.who).toContain(`headroom on the command line, process ${child.pid ?? 0}`)
    expect((await programs.run(['reboot', rooms[1] ?? '', '--yes', '--json'])).errors).toContain(
      'writes-locked',
    )
  })
  it('that leaves cancels what was not sent, and its job pauses', async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const { child, ended } = programs.start(rebootAll(24))
    await holding
    child.kill('SIGKILL')
    await ended
    await expect
      .poll(async () => ((await app.does('jobs')) as readonly Job[]).map(({ state }) => state))
      .toEqual(['paused'])
    front.letGo()
    expect(once(writesTo())).toBe(true)
  })
  it('with HEADROOM_KEY calls the metadata interface through the owner', async () => {
    await anApp()
    const { code, output, errors } = await programs.run(['products', '--json'], { key: 'f'.repeat(32) })
    const { total } = JSON.parse(output) as { total: number }
    expect([code, total > 0, errors.includes('HEADROOM_KEY is not used')]).toEqual([0, true, true])
  })
  it('with HEADROOM_KEY makes no call with it, and reports that', async () => {
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

describe('a finished command that owns the folder', () => {
  const list = /devices/i
  /** A reboot as owner, and a sync as its client, both in flight. */
  async function ownerAndClient(stayInMs: number) {
    const [reboots, lists] = [front.holds(reboot), front.holds(list)]
    const room = rooms[0] ?? ''
    const owner = programs.start(['reboot', room, '--yes', '--unlock', '--json'], { waits: { stayInMs } })
    await reboots
    const client = programs.start(['sync', '--json'])
    await lists
    front.letGo(reboot)
    await onceOf(owner.child.stdout!, 'data')
    return { owner, client }
  }
  it('stays until its clients are done', async () => {
    const { owner, client } = await ownerAndClient(60_000)
    expect(owner.child.exitCode).toBe(null)
    front.letGo()
    const [done, synced] = await Promise.all([owner.ended, client.ended])
    expect([done.code, synced.code, completed(synced)]).toEqual([0, 0, true])
  })
  it('hands over to its clients when they take too long: they continue alone', async () => {
    const { owner, client } = await ownerAndClient(300)
    expect((await owner.ended).code).toBe(0)
    front.letGo()
    const synced = await client.ended
    expect([synced.code, completed(synced), writesTo().length]).toEqual([0, true, 1])
  })
})

describe('a client that loses its owner', () => {
  /** An owner that sends this to each command and disconnects. Returns how often it was called. */
  async function anOwnerThatSays(...said: readonly object[]): Promise<() => number> {
    const taken = await takeDataFolder(programs.home, testWaits)
    if (taken.kind !== 'owned') throw new Error(`the folder is ${taken.kind}`)
    let requested = 0
    const server = await serveClients({
      place: taken.place,
      waits: testWaits,
      name: 'an owner that ends',
      onTakenTwice: () => undefined,
      onClient: (connection) =>
        connection.onMessage(() => {
          requested += 1
          for (const one of said) connection.say(one)
          connection.end()
        }),
    })
    onTestFinished(async () => {
      await server.close()
      taken.lock.release()
    })
    return () => requested
  }
  const continued = { kind: 'goes-on-with', words: ['jobs', 'resume', 'job-1', '--unlock', '--json'] }
  it.each<[string, readonly object[], { requested: number; code: number; output: string; says: string }]>([
    ['twice, with nothing sent', [], { requested: 2, code: 3, output: '', says: '"lost"' }],
    [
      'after something was printed',
      [{ kind: 'out', text: '[1,' }],
      { requested: 1, code: 3, output: '[1,', says: '"lost"' },
    ],
    [
      'after a write was sent',
      [{ kind: 'sent' }],
      { requested: 1, code: 4, output: '', says: 'check headroom journal before you try again' },
    ],
    [
      'after a job was begun',
      [continued],
      { requested: 1, code: 4, output: '', says: 'Resume it with headroom jobs resume job-1 --unlock' },
    ],
  ])('%s', async (_, said, expected) => {
    const requested = await anOwnerThatSays(...said)
    const { code, output, errors } = await programs.run(['rooms', '--json'])
    expect({ requested: requested(), code, output, says: errors.includes(expected.says) }).toEqual({
      ...expected,
      says: true,
    })
  })

  it('of another version ends with 3, names both versions, and sends only its greeting', async () => {
    const taken = await takeDataFolder(programs.home, testWaits)
    if (taken.kind !== 'owned') throw new Error(`the folder is ${taken.kind}`)
    let heard = ''
    const other = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.setEncoding('utf8').on('data', (text: string) => {
        heard += text
        socket.write(`${JSON.stringify({ nonce: 'a'.repeat(32), contract: 99, name: 'newer', proof: '' })}\n`)
      })
    })
    other.listen(taken.place.socket)
    await onceOf(other, 'listening')
    onTestFinished(() => {
      other.close()
      taken.lock.release()
    })
    const { code, output, errors } = await programs.run(['rooms', '--json'])
    expect([code, output, JSON.parse(errors), Object.keys(JSON.parse(heard) as object)]).toEqual([
      3,
      '',
      expect.objectContaining({ reason: 'other-version', detail: `99, this one is ${contractVersion}` }),
      ['nonce', 'contract'],
    ])
  })
})

describe('a room in a running job', () => {
  it('is never merged: a second reboot waits for its slot, and ends with 4 with --no-wait', async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const room = rooms[0] ?? ''
    const first = programs.start(['reboot', room, '--yes', '--unlock', '--json'])
    await holding
    const atOnce = await programs.run(['reboot', room, '--no-wait', '--yes', '--unlock', '--json'])
    expect([atOnce.code, JSON.parse(atOnce.output)]).toEqual([
      4,
      { room, outcome: 'waiting', reason: null, earliestAt: expect.any(Number) as number, id: null },
    ])
    const waits = programs.start(['reboot', room, '--yes', '--unlock', '--json'])
    const [said] = (await onceOf(waits.child.stderr!, 'data')) as [string]
    const jobs = (await app.does('jobs')) as readonly Job[]
    front.letGo()
    expect([said.includes('waiting until'), jobs.length, (await first.ended).code]).toEqual([true, 2, 0])
    waits.child.kill('SIGKILL')
    await waits.ended
    expect(writesTo().length).toBe(1)
  })
})

describe('--detach', () => {
  const journal = async (app: RunningApp): Promise<readonly JournalLine[]> =>
    (await app.does('journal')) as readonly JournalLine[]
  const accepted = (app: RunningApp, count: number): Promise<void> =>
    expect
      .poll(async () => (await journal(app)).filter(({ outcome }) => outcome === 'accepted').length)
      .toBe(count)

  it('prints the job’s id and ends; the job continues in the app, under the client’s name, and unlocks nothing else', async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const { child, ended } = programs.start([
      'reboot',
      ...rooms.slice(0, 3),
      '--detach',
      '--yes',
      '--unlock',
      '--json',
    ])
    const { code, output } = await ended
    await holding
    const [job] = (await app.does('jobs')) as readonly Job[]
    const { id, skipped } = JSON.parse(output) as { id: string; skipped: unknown }
    expect([code, id, skipped, job?.state, await app.does('working')]).toEqual([0, job?.id, [], 'running', 0])
    expect(await app.does('lock')).toBe(false)
    const beside = await programs.run(['reboot', rooms[3] ?? '', '--yes', '--json'])
    expect([beside.code, beside.errors.includes('writes-locked')]).toEqual([3, true])
    front.letGo()
    await accepted(app, 3)
    const client = `headroom on the command line, process ${child.pid ?? 0}`
    expect((await journal(app)).every(({ who }) => who.includes(client))).toBe(true)
    expect([job?.who.includes(client), writesTo().length, once(writesTo())]).toEqual([true, 3, true])
  })
  it('works for a settings job too', async () => {
    const app = await anApp()
    const where = ['--where', 'product:"PanaCast 50" status:online', '--json']
    const listed = JSON.parse((await programs.run(['devices', ...where])).output) as {
      devices: readonly { id: string }[]
    }
    const device = listed.devices[0]?.id ?? ''
    const read = await programs.run(['settings', 'get', device, 'fieldOfView', '--json'])
    const { settings } = JSON.parse(read.output) as { settings: readonly { value: unknown }[] }
    const value = settings[0]?.value === '_90deg' ? '_120deg' : '_90deg'
    const { code, output } = await programs.run([
      'settings',
      'set',
      device,
      `fieldOfView=${value}`,
      '--detach',
      '--yes',
      '--unlock',
    ])
    const [job] = (await app.does('jobs')) as readonly Job[]
    expect([code, output]).toEqual([0, `${job?.id ?? ''}\n`])
    await accepted(app, 1)
  })
  it('lets the job continue when the screen locks; after the app quit it needs unlocking, and nothing was sent', async () => {
    const app = await anApp()
    const later = ['--start-at', '+1d', '--detach', '--yes', '--unlock', '--json']
    await programs.run(['reboot', rooms[0] ?? '', ...later])
    await app.does('screenLocks')
    expect(((await app.does('jobs')) as readonly Job[]).map(({ state }) => state)).toEqual(['waiting'])
    expect(await app.does('quit')).toBe('gone')
    const jobs = JSON.parse((await programs.run(['jobs', '--json'])).output) as { jobs: readonly Job[] }
    expect([jobs.jobs.map(({ state }) => state), writesTo()]).toEqual([['unarmed'], []])
  })
  it('without the app ends with 3 before anything is planned, with or without another command', async () => {
    const detached = ['reboot', ...rooms.slice(0, 2), '--detach', '--yes', '--unlock', '--json']
    const before = front.arrived.length
    const alone = await programs.run(detached)
    expect(front.arrived.length).toBe(before)
    const holding = front.holds(/devices/i)
    const { ended } = programs.start(['sync', '--json'])
    await holding
    const beside = await programs.run(detached)
    front.letGo()
    await ended
    const reported = [alone, beside].map(({ code, output, errors }) => [
      code,
      output,
      (JSON.parse(errors) as { reason: string }).reason,
    ])
    expect(reported).toEqual([
      [3, '', 'nobody-stays'],
      [3, '', 'nobody-stays'],
    ])
    const jobs = JSON.parse((await programs.run(['jobs', '--json'])).output) as { total: number }
    expect(jobs.total).toBe(0)
  })
})

describe('the lock file', () => {
  const path = (): string => join(programs.home, 'owner.sqlite')
  it.each([
    ['deleted', () => rmSync(path())],
    ['renamed', () => renameSync(path(), `${path()}.old`)],
  ] as const)('%s while the app owns it: no new call, and the client ends with 3', async (_, change) => {
    await anApp()
    change()
    const before = front.arrived.length
    // Detected through the socket, because a command that finds the lock free would become the owner.
    mkdirSync(path())
    const { code } = await programs.run(['sync', '--json'])
    rmSync(path(), { recursive: true })
    expect([code, front.arrived.length]).toEqual([3, before])
  })
  it('deleted while the app owns it: the app stays the only owner, and a process that takes the new file becomes its client', async () => {
    const app = await anApp()
    rmSync(path())
    const before = front.arrived.length
    const [list, write] = [
      await programs.run(['devices', '--json']),
      await programs.run(['reboot', rooms[0] ?? '', '--yes', '--unlock', '--json']),
    ]
    expect([list.code, write.code, write.errors.includes('"replaced"'), front.arrived.length]).toEqual([
      0,
      3,
      true,
      before,
    ])
    await app.kill()
    expect((await programs.run(['sync', '--json'])).code).toBe(0)
  })
  it('on a network share is not trusted: the last state is readable, no file is opened for writing, and the reason is shown', async () => {
    const fileSystem = { platform: 'linux', type: 0x6969 }
    const before = front.arrived.length
    const files = (): readonly unknown[] =>
      ['workbook', 'store', 'ledger'].map((name) => statSync(join(programs.home, `${name}.sqlite`)).mtimeMs)
    const stood = files()
    const [list, sync, write] = [
      await programs.run(['devices', '--json'], { fileSystem }),
      await programs.run(['sync'], { fileSystem }),
      await programs.run(['reboot', rooms[0] ?? '', '--yes', '--unlock'], { fileSystem }),
    ]
    expect([list.code, (JSON.parse(list.output) as { total: number }).total]).toEqual([0, 160])
    expect([sync.code, write.code, front.arrived.length, files()]).toEqual([3, 3, before, stood])
    const reported =
      'The lock of the data folder is not reliable (nfs): Headroom shows the data read before and sends nothing. Choose a folder on a disk of this computer with HEADROOM_HOME.'
    expect([list.errors, sync.errors, write.errors]).toEqual(
      [reported, reported, reported].map((line) => `${line}\n`),
    )
    expect(existsSync(path())).toBe(false)
  })
  it('replaced after something was sent: no new call, and the command ends with 4', async () => {
    const holding = front.holds(reboot)
    const { ended } = programs.start(rebootAll(24))
    await holding
    renameSync(path(), `${path()}.old`)
    front.letGo()
    const { code, output } = await ended
    const { job } = JSON.parse(output) as { job: Job }
    const sent = writesTo().length
    expect([code, sent < 24, job.counts.done, once(writesTo())]).toEqual([4, true, sent, true])
    // The room whose reboot was sent is polled after 20 s.
  }, 90_000)
  it('unavailable, with nothing read before: ends with 3', async () => {
    rmSync(path(), { force: true })
    mkdirSync(path())
    rmSync(join(programs.home, 'store.sqlite'))
    const { code, output, errors } = await programs.run(['devices', '--json'])
    expect([code, output, errors.includes('"unread"')]).toEqual([3, '', true])
  })
  const wal = (): void => writeFileSync(join(programs.home, 'store.sqlite-wal'), 'x'.repeat(64))
  const damage = (name: string): void => {
    const file = join(programs.home, `${name}.sqlite`)
    writeFileSync(file, readFileSync(file).fill('x', 100))
  }
  it.each<[string, () => void, string]>([
    ['part of the store is only in its log', wal, 'part of store.sqlite is in store.sqlite-wal'],
    [
      'there is no workbook',
      () => rmSync(join(programs.home, 'workbook.sqlite')),
      'workbook.sqlite is missing',
    ],
    [
      'the workbook is empty',
      () => writeFileSync(join(programs.home, 'workbook.sqlite'), ''),
      'workbook.sqlite is empty',
    ],
    ['the workbook is damaged', () => damage('workbook'), 'workbook.sqlite cannot be read'],
    ['the store is damaged', () => damage('store'), 'store.sqlite cannot be read'],
  ])('unavailable because %s: ends with 3, and explains why', async (_, change, detail) => {
    mkdirSync(path())
    change()
    const [reported, json] = [
      await programs.run(['devices']),
      await programs.run(['device', 'any', '--json']),
    ]
    expect([reported.code, reported.output, reported.errors.split('\n')[0]]).toEqual([
      3,
      '',
      `The data folder cannot be locked, and its data is incomplete: ${detail}. Nothing is shown. Use the folder on a system where it can be locked, or choose another one with HEADROOM_HOME.`,
    ])
    expect([json.code, json.output, JSON.parse(json.errors)]).toEqual([
      3,
      '',
      { kind: 'data-folder', reason: 'not-whole', holder: null, detail },
    ])
  })
  it('unavailable: shows the last state and sends nothing', async () => {
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
