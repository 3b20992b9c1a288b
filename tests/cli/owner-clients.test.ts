import { once as onceOf } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Job } from '../../electron/contract/api/jobs.ts'
import type { JournalLine } from '../../electron/contract/api/journal.ts'
import {
  anApp,
  beginSynced,
  camera,
  completed,
  front,
  once,
  programs,
  reboot,
  rebootAll,
  rooms,
  writesTo,
} from './owner-programs.ts'
import type { RunningApp } from './programs.ts'

beforeEach(beginSynced)

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
    const inside = '{"validationUrl": "https://10.0.0.1/"}'
    writeFileSync(join(elsewhere, 'event.json'), inside)
    const all = await Promise.all([
      programs.run(['sync', '--json']),
      programs.run(['devices', '--csv']),
      programs.run(['webhook', 'validate', 'event.json'], { cwd: elsewhere }),
      programs.run(['webhook', 'validate', '-'], { input: inside }),
      programs.run(['device', 'nothing of that name']),
      programs.run(['webhook', 'validate', 'event.json'], { cwd: tmpdir() }),
    ])
    expect(all.map(({ code }) => code)).toEqual([0, 0, 3, 3, 3, 2])
    expect(all[1]?.output.trim().split('\r\n').length).toBe(1 + 160)
    expect(all[2]?.output).toBe(all[3]?.output)
    expect(await app.does('working')).toBe(0)
  })
})

describe('a client', () => {
  it('gets all of a list however slowly it is read', async () => {
    await anApp()
    const whole = await programs.run(['devices', '--jsonl'])
    const { child, ended } = programs.start(['devices', '--jsonl'])
    child.stdout!.pause()
    // More than the pipe holds is waiting when another command has ended meanwhile.
    await programs.run(['rooms', '--json'])
    child.stdout!.resume()
    const { code, output } = await ended
    expect([code, output.length > 100_000, output === whole.output]).toEqual([0, true, true])
  })
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
    let said = ''
    for await (const part of waits.child.stderr!.iterator({ destroyOnReturn: false })) {
      said += String(part)
      if (said.includes('waiting until')) break
    }
    const jobs = (await app.does('jobs')) as readonly Job[]
    front.letGo()
    expect([said, jobs.length, (await first.ended).code]).toEqual([
      expect.stringMatching(/in the job “.*reboot of 1 room” \(running\): .+\.[^]*waiting until/),
      2,
      0,
    ])
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
    const { id, leftOut } = JSON.parse(output) as { id: string; leftOut: unknown }
    expect([code, id, leftOut, job?.state, await app.does('working')]).toEqual([0, job?.id, [], 'running', 0])
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
    const read = await programs.run(['settings', 'get', camera, 'fieldOfView', '--json'])
    const { settings } = JSON.parse(read.output) as { settings: readonly { value: unknown }[] }
    const value = settings[0]?.value === '_90deg' ? '_120deg' : '_90deg'
    const { code, output } = await programs.run([
      'settings',
      'set',
      camera,
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
