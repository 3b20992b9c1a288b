import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../electron/contract/api/jobs.ts'
import {
  beginSynced,
  front,
  hasAsked,
  once,
  programs,
  reboot,
  rebootAll,
  writesTo,
} from './owner-programs.ts'
import { soonSilent, type Programs, type Running, type RunningApp } from './programs.ts'
import { stopping } from '../setup/stopping.ts'

beforeEach(beginSynced)

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
      await hasAsked(asking)
      return { app: asking, job }
    }
    const done = async ({ ended }: Running): Promise<unknown> => {
      const { code, output } = await ended
      return { code, done: (JSON.parse(output) as { job: Job }).job.counts.done }
    }
    /** Time for the app to take the folder, also on a busy machine. */
    const soonOwnAgain = { connectInMs: 10_000 }
    const allDone = { code: 0, done: 4 }
    const sentOnceEach = (): unknown => [writesTo().length, once(writesTo())]

    it('the app is killed after its request: the command continues alone', async () => {
      const { app, job } = await requested({}, soonSilent)
      await app.kill()
      front.letGo()
      expect([await done(job), sentOnceEach()]).toEqual([allDone, [4, true]])
    })
    stopping(
      'the app is stopped after its request: the command takes the folder back, and the app gets it later',
      async () => {
        const { app, job } = await requested({}, soonSilent)
        app.child.kill('SIGSTOP')
        front.letGo()
        expect([await done(job), sentOnceEach()]).toEqual([allDone, [4, true]])
        app.child.kill('SIGCONT')
        expect(await app.tells('owns')).toBe('owned')
      },
    )
    stopping(
      'the app is killed after taking the folder and before listening: the command continues alone',
      async () => {
        const { app, job } = await requested({ stopsWhenTaken: true }, soonOwnAgain)
        front.letGo()
        expect(await app.tells('stops')).toBe('owned')
        await app.kill()
        expect([await done(job), sentOnceEach()]).toEqual([allDone, [4, true]])
      },
    )
    stopping(
      'the app is stopped after taking the folder and before listening: the command reports that and what is paused, and ends with 4',
      async () => {
        const { app, job } = await requested({ stopsWhenTaken: true }, soonOwnAgain)
        front.letGo()
        expect(await app.tells('stops')).toBe('owned')
        const { code, output, errors } = await job.ended
        const continued = /Resume it with headroom (jobs resume \S+) --unlock/.exec(errors)?.[1] ?? ''
        expect([code, output, errors.includes('"silent"'), continued === '']).toEqual([4, '', true, false])
        app.child.kill('SIGCONT')
        expect(await app.tells('owns')).toBe('owned')
        const resumed = await programs.run([...continued.split(' '), '--unlock', '--no-watch', '--json'])
        expect([resumed.code, sentOnceEach()]).toEqual([0, [4, true]])
      },
    )
    stopping(
      'the command is killed after releasing: the app owns the folder, and the job is paused',
      async () => {
        const { app, job } = await requested({})
        app.child.kill('SIGSTOP')
        front.letGo()
        await released()
        job.child.kill('SIGKILL')
        await job.ended
        app.child.kill('SIGCONT')
        expect(await app.tells('owns')).toBe('owned')
        const jobs = (await app.does('jobs')) as readonly Job[]
        expect([jobs.map(({ state }) => state), once(writesTo())]).toEqual([['paused'], true])
      },
    )
    stopping(
      'the command is stopped after releasing: the app owns the folder, and the command continues as its client',
      async () => {
        const { app, job } = await requested({})
        app.child.kill('SIGSTOP')
        front.letGo()
        await released()
        job.child.kill('SIGSTOP')
        app.child.kill('SIGCONT')
        expect(await app.tells('owns')).toBe('owned')
        job.child.kill('SIGCONT')
        expect([await done(job), sentOnceEach()]).toEqual([allDone, [4, true]])
      },
    )
  },
)
