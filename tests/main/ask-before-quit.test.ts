import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { describe, expect, it } from 'vitest'
import type { ScheduledJob } from '../../electron/core/jobs/jobs.ts'
import { askBeforeQuit, quitQuestion, type QuitDeps } from '../../electron/main/ask-before-quit.ts'
import { inZones } from '../in-zones.ts'

/**
 * A program with this many running jobs; `answers` are given one after the other, and each request returns
 * whether quitting was prevented.
 */
function program(jobs: number, ...answers: readonly (boolean | Error)[]) {
  const [app, window] = [new EventEmitter(), new EventEmitter()]
  const seen = { jobs, quits: 0, closed: 0, asked: [] as number[] }
  const waiting = [...answers]
  Object.assign(app, { quit: () => void seen.quits++ })
  askBeforeQuit({
    app: app as unknown as QuitDeps['app'],
    window: window as unknown as QuitDeps['window'],
    ask: async (count) => {
      seen.asked.push(count.running)
      const answer = waiting.shift()
      if (answer instanceof Error) throw answer
      return answer ?? false
    },
    activeJobs: () => ({ running: seen.jobs, waiting: [] }),
    close: async () => void seen.closed++,
  })
  const wish = (what: 'close' | 'before-quit' | 'query-session-end'): boolean => {
    let prevented = false
    const event = { preventDefault: () => void (prevented = true) }
    if (what === 'before-quit') app.emit(what, event)
    else window.emit(what, event)
    return prevented
  }
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 5; round += 1) await Promise.resolve()
  }
  return { seen, wish, settle, signOut: () => window.emit('session-end', {}) }
}

describe('quitting', () => {
  it.each(['close', 'before-quit', 'query-session-end'] as const)(
    'asks nothing without a job: %s',
    (what) => {
      const { seen, wish } = program(0)
      expect([wish(what), seen.asked]).toEqual([false, []])
    },
  )
  it.each(['close', 'before-quit', 'query-session-end'] as const)(
    'with jobs asks first, and quits on confirmation: %s',
    async (what) => {
      const { seen, wish, settle } = program(2, true)
      expect(wish(what)).toBe(true)
      await settle()
      expect([seen.asked, seen.quits, wish('before-quit'), wish('close')]).toEqual([[2], 1, false, false])
    },
  )
  it('continues to run on request, and asks again the next time', async () => {
    const { seen, wish, settle } = program(1, false, false)
    wish('close')
    await settle()
    wish('close')
    await settle()
    expect([seen.asked, seen.quits]).toEqual([[1, 1], 0])
  })
  it('at a sign-out of Windows closes the databases without a question', () => {
    const { seen, signOut } = program(1)
    signOut()
    expect([seen.asked, seen.closed]).toEqual([[], 1])
  })
  it('asks once, even when requested several times', () => {
    const { seen, wish } = program(1, false)
    expect([wish('close'), wish('before-quit'), wish('close'), seen.asked]).toEqual([true, true, true, [1]])
  })
  it('happens when the question cannot be shown', async () => {
    const { seen, wish, settle } = program(1, new Error('no display'))
    wish('before-quit')
    await settle()
    expect(seen.quits).toBe(1)
  })
  const isSent =
    'Actions in progress finish or are marked as unknown. The rest is paused until you resume it.'
  const waits =
    'These jobs start only if Headroom is running then and you have unlocked them again on the Jobs page:'
  const tonight: ScheduledJob = {
    kind: 'reboot-rooms',
    asked: 1,
    target: { of: 'room', id: 'room-1', name: 'Oslo Fjord 2' },
    startAt: Date.UTC(2026, 10, 22, 21, 0),
    window: null,
    timeZone: 'Europe/Oslo',
  }
  const nightly: ScheduledJob = {
    kind: 'change-settings',
    asked: 40,
    target: null,
    startAt: null,
    window: { from: 22 * 60, to: 5 * 60 + 30 },
  }
  const zoned: ScheduledJob = {
    ...nightly,
    kind: 'reboot-rooms',
    zones: inZones('Asia/Tokyo', 'Europe/Oslo', 'local'),
  }
  it.each([
    [
      { running: 0, waiting: [zoned, { ...zoned, asked: 1, zones: inZones('Asia/Tokyo') }] },
      '2 jobs are scheduled.',
      `${waits}\n• Reboot 40 rooms: between 22:00 and 05:30 (each room's own time, Asia/Tokyo, Europe/Oslo)\n• Reboot 1 room: between 22:00 and 05:30 (Asia/Tokyo)`,
      1,
      true,
    ],
    [{ running: 1, waiting: [] }, 'A job is running.', isSent, 0, false],
    [{ running: 3, waiting: [] }, '3 jobs are running.', isSent, 1, true],
    [
      { running: 0, waiting: [tonight] },
      'A job is scheduled.',
      `${waits}\n• Reboot Oslo Fjord 2: 22 Nov 2026 22:00 (Europe/Oslo)`,
      1,
      true,
    ],
    [
      { running: 1, waiting: [tonight, nightly] },
      'A job is running. 2 jobs are scheduled.',
      `${isSent}\n${waits}\n• Reboot Oslo Fjord 2: 22 Nov 2026 22:00 (Europe/Oslo)\n• Change settings of 40 devices: between 22:00 and 05:30`,
      0,
      false,
    ],
    [
      { running: 0, waiting: Array.from({ length: 10 }, () => nightly) },
      '10 jobs are scheduled.',
      [waits, ...Array(8).fill('• Change settings of 40 devices: between 22:00 and 05:30'), '• 2 more'].join(
        '\n',
      ),
      0,
      false,
    ],
  ])(
    'describes the effect on %j and takes Esc for "Keep running"',
    async (jobs, message, detail, response, quits) => {
      let shown: unknown
      const dialog = {
        showMessageBox: async (...given: unknown[]) => (
          (shown = given.at(-1)),
          { response, checkboxChecked: false }
        ),
      }
      const answer = await quitQuestion(dialog, {} as BrowserWindow, jobs)
      expect([answer, shown]).toEqual([
        quits,
        {
          type: 'question',
          title: 'Headroom',
          message,
          detail,
          buttons: ['Keep running', 'Quit'],
          defaultId: 0,
          cancelId: 0,
          noLink: true,
        },
      ])
    },
  )
})
