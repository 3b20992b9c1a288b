import { once as onceOf } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { takeDataFolder } from '../../electron/adapters/owner/data-folder.ts'
import { ownerWaits } from '../../electron/adapters/owner/limits.ts'
import { serveClients } from '../../electron/adapters/owner/owner-server.ts'
import { contractVersion } from '../../electron/adapters/owner/wire.ts'
import type { Job } from '../../electron/contract/api/jobs.ts'
import type { JournalLine } from '../../electron/contract/api/journal.ts'
import { done } from '../../electron/contract/failure.ts'
import { aJob, aPlan } from './a-job.ts'
import {
  anApp,
  beginSynced,
  camera,
  front,
  once,
  programs,
  reboot,
  rebootAll,
  rooms,
  writesTo,
} from './owner-programs.ts'
import { soonSilent } from './programs.ts'
import { stopping } from '../setup/stopping.ts'

beforeEach(beginSynced)

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
    const room = rooms[0] ?? ''
    const { ended } = programs.start(['reboot', room, '--yes', '--unlock', '--json'])
    await holding
    await app.kill()
    front.letGo()
    const { code, output } = await ended
    expect([code, JSON.parse(output)]).toEqual([
      4,
      {
        room,
        outcome: 'unconfirmed',
        reason: 'unconfirmed',
        earliestAt: null,
        id: expect.any(String) as string,
      },
    ])
    const journal = await programs.run(['journal', '--json'])
    const { lines } = JSON.parse(journal.output) as { lines: readonly JournalLine[] }
    expect([writesTo().length, lines.map(({ outcome }) => outcome)]).toEqual([1, ['unconfirmed']])
  })

  it("after a client's change of one device was sent: the device is named, and nothing is sent twice", async () => {
    const change = /^PATCH .*settings/i
    const app = await anApp()
    const holding = front.holds(change)
    const { ended } = programs.start(['settings', 'set', camera, 'fieldOfView=_90deg', '--yes', '--unlock'])
    await holding
    await app.kill()
    front.letGo()
    const { code, output, errors } = await ended
    expect({ code, output, sent: front.arrived.filter((one) => change.test(one)).length }).toEqual({
      code: 4,
      output: '',
      sent: 1,
    })
    expect(errors).toMatch(/^.*Jabra PanaCast 50.*: UpdateDeviceSettings may have happened \(unconfirmed\)\./)
  })

  it("during a client's job: the client continues it alone, and restarts no room twice", async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const { ended } = programs.start(rebootAll(24))
    await holding
    await app.kill()
    front.letGo()
    const { code, output } = await ended
    const { job } = JSON.parse(output) as { job: Job }
    const { counts } = job
    expect([code, job.state, counts.unknown > 0, counts.done + counts.unknown, once(writesTo())]).toEqual([
      4,
      'ended',
      true,
      24,
      true,
    ])
  })
})

describe('a stopped owner', () => {
  stopping('makes a client report it and end with 3; the client is served again afterwards', async () => {
    const app = await anApp()
    app.child.kill('SIGSTOP')
    const { code, errors, output } = await programs.run(['org', 'list'], { waits: soonSilent })
    expect([code, output, errors.includes('the app, which does not answer')]).toEqual([3, '', true])
    app.child.kill('SIGCONT')
    expect((await programs.run(['org', 'list'])).code).toBe(0)
  })
  stopping(
    'during a sync of a client ends it with 3, and the client reads nothing without the owner',
    async () => {
      const app = await anApp()
      const holding = front.holds(/devices/i)
      const { ended } = programs.start(['sync', '--json'], { waits: soonSilent })
      await holding
      app.child.kill('SIGSTOP')
      front.letGo()
      const { code, errors } = await ended
      expect([code, errors.includes('"silent"')]).toEqual([3, true])
    },
  )
  stopping('while a client writes: the client ends with 4', async () => {
    const app = await anApp()
    const holding = front.holds(reboot)
    const { ended } = programs.start(['reboot', rooms[0] ?? '', '--yes', '--unlock'], { waits: soonSilent })
    await holding
    app.child.kill('SIGSTOP')
    const { code, errors } = await ended
    expect([code, errors.includes('may have happened')]).toEqual([4, true])
  })
})

describe('a client that loses its owner', () => {
  /**
   * An owner whose clients get these results, one list for each client; it leaves a client that calls anything
   * else. Returns the methods that were called, by client.
   */
  async function anOwnerThatAnswers(...clients: readonly Readonly<Record<string, unknown>>[]) {
    const taken = await takeDataFolder(programs.home, ownerWaits)
    if (taken.kind !== 'owned') throw new Error(`the folder is ${taken.kind}`)
    const called: string[][] = []
    const server = await serveClients({
      place: taken.place,
      waits: ownerWaits,
      name: 'an owner that ends',
      onTakenTwice: () => undefined,
      onClient: (connection) => {
        const results = clients[called.length] ?? {}
        const own: string[] = []
        called.push(own)
        connection.onMessage(({ kind, id, method }) => {
          if (kind === 'connect') return void connection.say({ kind: 'connected', stays: true })
          const name = String(method)
          if (!(name in results) || (name === 'exports.next' && own.includes(name))) return connection.end()
          own.push(name)
          const result = results[name]
          const value = result instanceof Each ? result.next() : result
          connection.say({ kind: 'result', id, text: JSON.stringify(done(value)), more: false })
        })
      },
    })
    onTestFinished(async () => {
      await server.close()
      taken.lock.release()
    })
    return called
  }
  /** Another result for each call. */
  class Each {
    readonly #left: unknown[]
    constructor(...left: unknown[]) {
      this.#left = left
    }
    next(): unknown {
      return this.#left.shift()
    }
  }
  const list = ['rooms', '--json']
  const change = ['settings', 'set', 'device-1', 'zoom=2', '--yes', '--unlock', '--json']
  const found = { 'devices.find': { id: 'device-1', productId: 1 } }
  const line = { target: { of: 'device', id: 'device-1', name: 'Camera' }, operation: 'UpdateDeviceSettings' }
  const opened = { 'firmware.comparing': null, 'exports.open': { id: 'e', total: 9, asOf: 1, unread: 0 } }
  const paused = aJob({ state: 'paused' })
  const over = aJob({ state: 'ended', counts: { ...paused.counts, done: 2 } })
  it.each<{
    behaves: string
    words: readonly string[]
    clients: readonly Readonly<Record<string, unknown>>[]
    ends: { code: number; output: string; says: string; clients: number }
  }>([
    {
      behaves: 'twice, with nothing begun, ends with 3',
      words: list,
      clients: [{}, {}],
      ends: { code: 3, output: '', says: '"lost"', clients: 2 },
    },
    {
      behaves: 'after a part was printed ends with 3 and prints nothing twice',
      words: list,
      clients: [{ ...opened, 'exports.next': { text: '{"id":"r1"}\n' }, 'app.problems': [] }],
      ends: { code: 3, output: '{"asOf":1,"total":9,"rooms":[{"id":"r1"}', says: '"lost"', clients: 1 },
    },
    {
      behaves: 'after a local change ends with 4: it may have been stored',
      words: ['device', 'note', 'device-1', 'x'],
      clients: [found],
      ends: { code: 4, output: '', says: 'may have been stored', clients: 1 },
    },
    {
      behaves: 'after a write that has a journal line ends with 4 and names the device',
      words: change,
      clients: [found, { 'writes.begun': { ...line, outcome: 'unconfirmed' } }],
      ends: {
        code: 4,
        output: '',
        says: 'Camera: UpdateDeviceSettings may have happened (unconfirmed)',
        clients: 2,
      },
    },
    {
      behaves: 'before the journal line of its write tries it again, once',
      words: change,
      clients: [
        found,
        { 'writes.begun': null },
        {
          ...found,
          'devices.setSettings': { outcome: 'accepted', failure: null, earliestAt: null, journalId: 1 },
          'app.problems': [],
        },
      ],
      ends: {
        code: 0,
        output: '{"device":"device-1","outcome":"accepted","reason":null,"earliestAt":null}\n',
        says: '',
        clients: 3,
      },
    },
    {
      behaves: 'and the next one too, while it asks what it began, never begins again',
      words: change,
      clients: [found, {}, { 'writes.begun': { ...line, outcome: null } }],
      ends: {
        code: 4,
        output: '',
        says: 'Camera: UpdateDeviceSettings may have happened (unconfirmed)',
        clients: 3,
      },
    },
    {
      behaves: 'while it starts a job resumes the job if it was started',
      words: ['reboot', 'room-1', 'room-2', '--yes', '--unlock'],
      clients: [
        { 'rooms.find': { id: 'room-1' }, 'jobs.plan': aPlan(), 'jobs.planned': { items: [], total: 0 } },
        {
          'budget.states': [],
          'tasks.list': [],
          'jobs.get': new Each(paused, aJob(), over),
          'jobs.resume': aJob(),
          'jobs.items': { items: [], total: 0 },
          'app.problems': [],
        },
      ],
      ends: { code: 0, output: 'Job job-1 ended: 2 done, of 2; 0 calls.\n', says: '', clients: 2 },
    },
    {
      behaves: 'after its job was begun resumes and follows it',
      words: ['jobs', 'resume', 'job-1', '--unlock'],
      clients: [
        { 'jobs.find': paused, 'jobs.resume': aJob() },
        {
          'jobs.get': new Each(paused, over),
          'jobs.resume': aJob(),
          'jobs.items': { items: [], total: 0 },
          'app.problems': [],
        },
      ],
      ends: { code: 0, output: 'Job job-1 ended: 2 done, of 2; 0 calls.\n', says: '', clients: 2 },
    },
  ])('$behaves', async ({ words, clients, ends }) => {
    const called = await anOwnerThatAnswers(...clients)
    const { code, output, errors } = await programs.run(words)
    expect({ code, output, says: errors.includes(ends.says), clients: called.length }).toEqual({
      ...ends,
      says: true,
    })
  })

  it('of another version ends with 3, names both versions, and sends only its greeting', async () => {
    const taken = await takeDataFolder(programs.home, ownerWaits)
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
    writeFileSync(taken.place.about, JSON.stringify({ socket: taken.place.socket }))
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

describe('a command whose output nobody reads any more', () => {
  it.each([[['devices', '--json']], [['devices', '--csv']], [['rooms']], [['rooms', '--json']]])(
    '%j ends with 0, and closes the folder',
    async (words) => {
      const { child, ended } = programs.start(words)
      child.stdout!.destroy()
      const { code } = await ended
      expect([code, filesOfOwner()]).toEqual([0, []])
    },
  )

  it('keeps the exit code of a command that has done its work', async () => {
    const { child, ended } = programs.start(['reboot', 'nowhere', '--yes', '--unlock', '--json'])
    child.stdout!.destroy()
    const { code } = await ended
    expect([code, filesOfOwner()]).toEqual([3, []])
  })
})

/** What only a process that owns the folder has there. */
const filesOfOwner = (): readonly string[] =>
  [...readdirSync(programs.home), ...readdirSync(join(programs.home, 'run'))].filter((name) =>
    /^owner\.(?:json|sock)$|-(?:wal|shm)$/.test(name),
  )
