import { once as onceOf } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { takeDataFolder } from '../../electron/adapters/owner/data-folder.ts'
import { ownerWaits } from '../../electron/adapters/owner/limits.ts'
import { serveClients } from '../../electron/adapters/owner/owner-server.ts'
import { contractVersion } from '../../electron/adapters/owner/wire.ts'
import type { Job } from '../../electron/contract/api/jobs.ts'
import type { JournalLine } from '../../electron/contract/api/journal.ts'
import {
  anApp,
  beginSynced,
  front,
  once,
  programs,
  reboot,
  rebootAll,
  rooms,
  writesTo,
} from './owner-programs.ts'
import { soonSilent } from './programs.ts'

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
    const { code, errors, output } = await programs.run(['org', 'list'], { waits: soonSilent })
    expect([code, output, errors.includes('the app, which does not answer')]).toEqual([3, '', true])
    app.child.kill('SIGCONT')
    expect((await programs.run(['org', 'list'])).code).toBe(0)
  })
  it('during a sync of a client ends it with 3, and the client reads nothing without the owner', async () => {
    const app = await anApp()
    const holding = front.holds(/devices/i)
    const { ended } = programs.start(['sync', '--json'], { waits: soonSilent })
    await holding
    app.child.kill('SIGSTOP')
    front.letGo()
    const { code, errors } = await ended
    expect([code, errors.includes('"silent"')]).toEqual([3, true])
  })
  it('while a client writes: the client ends with 4', async () => {
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
  /** An owner that sends this to each command and disconnects. Returns how often it was called. */
  async function anOwnerThatSays(...said: readonly object[]): Promise<() => number> {
    const taken = await takeDataFolder(programs.home, ownerWaits)
    if (taken.kind !== 'owned') throw new Error(`the folder is ${taken.kind}`)
    let requested = 0
    const server = await serveClients({
      place: taken.place,
      waits: ownerWaits,
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
