import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../electron/contract/api/jobs.ts'
import type { Organization } from '../../electron/contract/api/organizations.ts'
import {
  anApp,
  beginSynced,
  front,
  hasAsked,
  once,
  programs,
  reboot,
  rebootAll,
  rooms,
  service,
  writesTo,
} from './owner-programs.ts'
import { soonSilent } from './programs.ts'
import { stopping } from '../setup/stopping.ts'

beforeEach(beginSynced)

describe('hand-over', () => {
  it('an app that starts during a command-line job takes over the folder; the command continues as its client', async () => {
    const holding = front.holds(reboot)
    const { ended } = programs.start(rebootAll(4))
    await holding
    const app = programs.app()
    await hasAsked(app)
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
    await hasAsked(app)
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
    await hasAsked(app)
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
  stopping(
    'a stopped command keeps the folder: the app names it, and takes over when it continues',
    async () => {
      const holding = front.holds(/devices/i)
      const { ended, child } = programs.start(['sync', '--json'])
      await holding
      child.kill('SIGSTOP')
      const app = programs.app({ waits: soonSilent })
      await expect.poll(() => app.reported.some((line) => line['isLong'] === true)).toBe(true)
      expect(app.reported.at(-1)?.['waits']).toBe(`headroom on the command line, process ${child.pid ?? 0}`)
      expect(app.reported.some((line) => 'owns' in line)).toBe(false)
      front.letGo()
      child.kill('SIGCONT')
      expect([await app.tells('owns'), (await ended).code]).toEqual(['owned', 0])
    },
  )
  it('a command killed during hand-over leaves the folder to the app', async () => {
    const holding = front.holds(reboot)
    const { child } = programs.start(rebootAll(24))
    await holding
    const app = programs.app()
    await hasAsked(app)
    child.kill('SIGKILL')
    expect(await app.tells('owns')).toBe('owned')
    const jobs = (await app.does('jobs')) as readonly Job[]
    expect([jobs.map(({ state }) => state), once(writesTo())]).toEqual([['paused'], true])
  })
  it('what was piped before the hand-over is not lost: the command that runs again has it', async () => {
    const words = ['org', 'add', 'Own', '--preset', 'demonstration', '--advanced', '-', '--json']
    const { child, ended } = programs.start(words, { input: null })
    child.stdin!.write('{"vendorId": ')
    await expect.poll(() => existsSync(join(programs.home, 'run', 'owner.json'))).toBe(true)
    const app = programs.app()
    expect(await app.tells('owns')).toBe('owned')
    child.stdin!.end('1234}')
    const { code, output, errors } = await ended
    expect([code, errors, (JSON.parse(output) as Organization).vendorId]).toEqual([0, '', 1234])
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
