import { describe, expect, it } from 'vitest'
import { jobCommands } from '../../electron/cli/commands/jobs.ts'
import { roomCommands } from '../../electron/cli/commands/rooms.ts'
import { settingsCommands } from '../../electron/cli/commands/settings.ts'
import { parse, UsageError, type ParsedCommand } from '../../electron/cli/grammar.ts'
import type { Command } from '../../electron/cli/command.ts'
import type { CoreClient } from '../../electron/cli/core-client.ts'
import { follow, planAndRun } from '../../electron/cli/job-run.ts'
import { asksForJob, termsOf } from '../../electron/cli/job-terms.ts'
import { writtenWhereOf } from '../../electron/cli/listing.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { deviceVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { systemTimeZone } from '../../electron/contract/time-zone.ts'
import { aJob, anItem, aPlan, aPlannedRoom, scriptedJobs } from './a-job.ts'
import { aTerminal, type HeardTerminal } from './a-terminal.ts'

const given = (...argv: string[]): ParsedCommand =>
  parse([...roomCommands, ...settingsCommands, ...jobCommands], argv)
const draft = aPlan().draft
/** Runs a command about jobs over the given fake jobs. */
const runOver = (core: CoreClient, terminal: HeardTerminal, ...argv: string[]): Promise<number> => {
  const parsed = given(...argv)
  return (parsed.shape as Command).run(core, parsed, terminal)
}
const done = aJob({ state: 'ended', counts: { ...aJob().counts, done: 2 } })
const twoDone = [anItem(), anItem({ id: 2 })]

describe('when a job may start', () => {
  const now = new Date(2026, 10, 21, 15, 30).getTime()
  const at = (...parts: [number, number, number, number, number]): number => new Date(...parts).getTime()
  it.each([
    ['22:00', at(2026, 10, 21, 22, 0)],
    ['5:15', at(2026, 10, 22, 5, 15)],
    ['15:30', at(2026, 10, 22, 15, 30)],
    ['2026-11-23T06:30', at(2026, 10, 23, 6, 30)],
    ['2026-11-23T06:30+02:00', Date.UTC(2026, 10, 23, 4, 30)],
    ['2026-11-23T06:30:30+0200', Date.UTC(2026, 10, 23, 4, 30, 30)],
    ['2028-02-29T06:30', at(2028, 1, 29, 6, 30)],
    ['+30min', now + 1_800_000],
    ['+2h', now + 7_200_000],
    ['+1d', now + 86_400_000],
  ])('--start-at %s', (word, startAt) => {
    expect(termsOf(given('reboot', 'A', '--start-at', word), now)).toEqual({
      startAt,
      // A time without an offset is that of each room.
      ...(!word.includes('+') ? { timeZone: systemTimeZone() } : {}),
      window: null,
      keepTrying: false,
      canary: false,
    })
  })

  it.each([
    ['22:00-05:00', { from: 1320, to: 300 }],
    ['8:00–16:45', { from: 480, to: 1005 }],
  ])('--window %s', (word, window) => {
    expect(termsOf(given('reboot', 'A', '--window', word, '--canary', '--keep-trying'), now)).toEqual({
      startAt: null,
      window,
      keepTrying: true,
      canary: true,
    })
  })

  it.each([
    ['--start-at', 'soon'],
    ['--start-at', '25:00'],
    ['--start-at', '2026-11-20T08:00'],
    ['--start-at', '2026-13-45T08:00'],
    ['--start-at', '2026-11-31T22:00'],
    ['--start-at', '2027-02-29T22:00+01:00'],
    ['--start-at', '2026-11-23T06:30 (tomorrow)'],
    ['--start-at', '2026-11-23T06:30:00 GMT'],
    ['--start-at', '+3weeks'],
    ['--window', '22:00'],
    ['--window', '22:00-22:00'],
    ['--window', '22:60-05:00'],
    ['--window', '1:00-2:00-3:00'],
  ])('%s %s is wrong usage', (option, word) => {
    expect(() => termsOf(given('reboot', 'A', option, word), now)).toThrow(UsageError)
  })
})

describe('an unset variable of a script', () => {
  it.each([
    ['jobs', 'cancel', ''],
    ['jobs', 'retry', ' ', '--yes', '--unlock'],
    ['jobs', 'show', ''],
    ['reboot', '', 'Aarhus 3'],
    ['settings', 'set', '', 'a=1'],
  ])('is rejected, not guessed: %s %s', (...argv) => {
    expect(() => given(...argv)).toThrow(
      `${argv[0] === 'reboot' ? 'reboot' : `${argv[0]} ${argv[1]}`}: an argument is empty.`,
    )
  })

  it.each(['', '  '])('does not select everything: --where "%s"', (where) => {
    expect(() =>
      writtenWhereOf(given('settings', 'set', 'a=1', '--where', where), aTerminal(), deviceVocabulary),
    ).toThrow('--where is empty')
    expect(
      writtenWhereOf(given('settings', 'set', 'a=1', '--where', 'gone:no'), aTerminal(), deviceVocabulary),
    ).toBe('gone:no')
  })
})

describe('a filter before anything was read', () => {
  it.each([
    ['reboot', '--where', 'health:trouble', '--yes', '--unlock'],
    ['settings', 'set', 'a=1', '--where', 'tag:hall', '--dry-run'],
  ])('is an error: %s %s', async (...argv) => {
    const status = async (): Promise<{ deviceCount: number; roomCount: number }> => ({
      deviceCount: 0,
      roomCount: 0,
    })
    const { core, asked } = scriptedJobs({ states: [], handlers: { app: { status } } })
    await expect(runOver(core, aTerminal(), ...argv)).rejects.toThrow(
      'have been read yet. headroom sync reads them.',
    )
    expect(asked).toEqual([])
  })
})

describe('choosing between one write and a job', () => {
  it.each([
    [['reboot', 'A'], false],
    [['reboot', 'A', '--yes', '--unlock', '--no-wait'], false],
    [['reboot', 'A', '--window', '22:00-05:00'], true],
    [['reboot', 'A', '--watch'], false],
    [['reboot', 'A', '--detach'], true],
    [['reboot', '--where', 'health:down'], true],
    [['settings', 'set', 'D', 'a=1', '--keep-trying'], true],
  ])('%j', (argv, job) => {
    expect(asksForJob(given(...argv))).toBe(job)
  })
})

describe('a job on the command line', () => {
  const run = ['reboot', 'A', 'B', '--yes', '--unlock'] as const

  it('is planned, started and watched to its end', async () => {
    const { core, asked } = scriptedJobs({ states: [aJob(), aJob({ underWay: 2 }), done], items: twoDone })
    const terminal = aTerminal()
    const code = await planAndRun(core, draft, given(...run), terminal)
    expect([code, asked]).toEqual([
      0,
      [
        ['plan', draft],
        ['start', { plan: 'plan-1', unlock: true, typed: null, detached: false }],
      ],
    ])
    expect([terminal.said[0]?.split('\n')[0], terminal.said[1]]).toEqual([
      '2 rooms of Nordlys: 3 devices restart, 2 not reached, because offline.',
      'Job job-1 started. Ctrl+C pauses it.',
    ])
    expect(terminal.output.trimEnd().split('\n').at(-1)).toBe('Job job-1 ended: 2 done, of 2; 0 calls.')
  })

  it('prints one document with --json', async () => {
    const { core } = scriptedJobs({ states: [done], items: twoDone })
    const terminal = aTerminal()
    await planAndRun(core, draft, given(...run, '--json'), terminal)
    expect(JSON.parse(terminal.output)).toEqual({ job: done, leftOut: [], items: twoDone })
  })

  it('detached prints its id and ends with 0 when it was accepted; the document names what is left out', async () => {
    const skipped = [{ reason: 'nothing-online', count: 1 }] as const
    const left = aPlannedRoom({ target: { of: 'room', id: 'R9', name: 'Oslo 9' }, skipped: 'nothing-online' })
    const leftOut = [{ id: 'R9', name: 'Oslo 9', reason: 'nothing-online' }]
    const detached = ['--detach', '--json']
    const [whole, part, none] = [
      scriptedJobs({ states: [aJob()] }),
      scriptedJobs({ states: [aJob()], plan: aPlan({ skipped, items: 1 }), planned: [aPlannedRoom(), left] }),
      scriptedJobs({ states: [aJob()], plan: aPlan({ items: 0, skipped }), planned: [left] }),
    ]
    const reported: unknown[] = []
    for (const { core, asked } of [whole, part, none]) {
      const terminal = aTerminal()
      const code = await planAndRun(core, draft, given(...run, ...detached), terminal)
      reported.push([code, JSON.parse(terminal.output), asked.at(-1)])
    }
    const start = { plan: 'plan-1', unlock: true, typed: null, detached: true }
    expect(reported).toEqual([
      [0, { id: 'job-1', leftOut: [] }, ['start', start]],
      [0, { id: 'job-1', leftOut }, ['start', start]],
      [3, { id: null, leftOut }, ['plan', draft]],
    ])
  })
  it('detached is not watched: adding --no-watch is wrong usage', async () => {
    const { core, asked } = scriptedJobs({ states: [] })
    await expect(
      planAndRun(core, draft, given(...run, '--detach', '--no-watch'), aTerminal()),
    ).rejects.toThrow(UsageError)
    expect(asked).toEqual([])
  })

  it('is wrong usage without --yes and rejected without --unlock; nothing is planned', async () => {
    const { core, asked } = scriptedJobs({ states: [] })
    await expect(planAndRun(core, draft, given('reboot', 'A', 'B'), aTerminal())).rejects.toThrow(UsageError)
    await expect(planAndRun(core, draft, given('reboot', 'A', 'B', '--yes'), aTerminal())).rejects.toEqual(
      new Failed({ kind: 'writes-locked' }),
    )
    expect(asked).toEqual([])
  })

  it.each([
    [null, [], 6, false],
    [6, [], 6, false],
    [6, ['--count', '5'], 6, false],
    [6, ['--count', '6'], 6, true],
    [null, ['--count', '3'], 2, false],
    [null, ['--count', '2'], 2, true],
    [null, [], 2, true],
  ])(
    'asking for the number %j, given %j, of %i items: starts %j',
    async (typeNumber, words, items, starts) => {
      const wanted = items > 5 ? items : typeNumber
      const { core, asked } = scriptedJobs({
        states: [done],
        items: twoDone,
        plan: aPlan({ items, typeNumber: wanted }),
      })
      const started = planAndRun(core, draft, given(...run, ...words), aTerminal())
      if (starts) expect(await started).toBe(0)
      else await expect(started).rejects.toThrow(`The plan has ${items} rooms`)
      expect(asked.slice(1)).toEqual(
        starts ? [['start', { plan: 'plan-1', unlock: true, typed: wanted, detached: false }]] : [],
      )
    },
  )

  it('rejects an invalid number before anything is planned', async () => {
    const { core, asked } = scriptedJobs({ states: [] })
    await expect(planAndRun(core, draft, given(...run, '--count', 'six'), aTerminal())).rejects.toThrow(
      '--count must be a whole number.',
    )
    expect(asked).toEqual([])
  })

  it('reports that nothing matches, and ends with 0', async () => {
    const { core } = scriptedJobs({ states: [], plan: aPlan({ items: 0, devices: 0 }), planned: [] })
    const terminal = aTerminal()
    expect([
      await planAndRun(core, draft, given(...run, '--dry-run'), terminal),
      terminal.output.trim(),
    ]).toEqual([0, 'No room of Nordlys matches.'])
  })

  it('prints the plan in a dry run, with every item in the document, and starts nothing', async () => {
    const planned = Array.from({ length: 620 }, (_, at) =>
      aPlannedRoom({ target: { of: 'room', id: `room-${at}`, name: null } }),
    )
    const { core, asked } = scriptedJobs({ states: [], planned })
    const terminal = aTerminal()
    const code = await planAndRun(core, draft, given('reboot', 'A', 'B', '--dry-run', '--json'), terminal)
    expect([code, JSON.parse(terminal.output), asked.length]).toEqual([
      0,
      { ...aPlan(), leftOut: [], planned },
      1,
    ])
  })

  it.each([
    ['nothing-online', 3, 4],
    ['as-wanted', 0, 0],
  ] as const)(
    'sends nothing when everything is skipped because of %s: %i, as a dry run %i',
    async (reason, code, dryRun) => {
      const plan = aPlan({ items: 0, skipped: [{ reason, count: 2 }] })
      const { core, asked } = scriptedJobs({ states: [], plan, planned: [aPlannedRoom({ skipped: reason })] })
      expect([
        await planAndRun(core, draft, given(...run), aTerminal()),
        await planAndRun(core, draft, given('reboot', 'A', '--where', 'x', '--dry-run'), aTerminal()),
      ]).toEqual([code, dryRun])
      expect(asked).toEqual([
        ['plan', draft],
        ['plan', draft],
      ])
    },
  )

  it.each([
    ['everything done', { done: 2 }, [], twoDone, 0],
    ['a part failed', { done: 1, failed: 1 }, [], twoDone, 4],
    ['a part unknown', { done: 1, unknown: 1 }, [], twoDone, 4],
    ['nothing done', { failed: 1, 'not-found': 1 }, [], twoDone, 3],
    ['some were skipped', { done: 2 }, [{ reason: 'nothing-online', count: 1 }], twoDone, 4],
    ['some already had the value', { done: 2 }, [{ reason: 'as-wanted', count: 1 }], twoDone, 0],
    ['one did not come back', { done: 2 }, [], [anItem(), anItem({ id: 2, detail: 'did-not-come-back' })], 4],
    [
      'the last of 501 did not come back',
      { done: 2 },
      [],
      [
        ...Array.from({ length: 500 }, (_, at) => anItem({ id: at + 1, detail: 'not-watched' })),
        anItem({ id: 501, detail: 'did-not-come-back' }),
      ],
      4,
    ],
    ['one may be applied later', { done: 2 }, [], [anItem(), anItem({ id: 2, detail: 'applies-later' })], 0],
  ] as const)('ends with the exit code for: %s', async (_, counts, skipped, items, code) => {
    const ended = aJob({ state: 'ended', counts: { ...aJob().counts, ...counts } })
    const planned = [
      aPlannedRoom(),
      aPlannedRoom(),
      ...skipped.map(({ reason }) => aPlannedRoom({ skipped: reason })),
    ]
    const { core } = scriptedJobs({ states: [ended], items, plan: aPlan({ skipped }), planned })
    expect(await planAndRun(core, draft, given(...run), aTerminal())).toBe(code)
  })
})

describe('Ctrl+C', () => {
  it('pauses the job, waits for writes in flight, and explains how to resume', async () => {
    const half = { ...aJob().counts, done: 1 }
    const { core, asked } = scriptedJobs({
      states: [aJob({ underWay: 1 })],
      onPause: [aJob({ state: 'paused', underWay: 1 }), aJob({ state: 'paused', counts: half })],
      items: [anItem(), anItem({ id: 2, state: 'queued', outcome: null, detail: null })],
    })
    let pressed = false
    const terminal = aTerminal({
      onProgress: () => {
        if (!pressed) queueMicrotask(() => terminal.interrupt())
        pressed = true
      },
    })
    const code = await follow(core, aJob(), [], given('jobs', 'resume', 'job-1'), terminal)
    expect([code, asked]).toEqual([4, [['pause', 'job-1']]])
    expect(terminal.said).toEqual([
      'Paused. Waiting for items in progress; Ctrl+C again ends immediately. Resume it with headroom jobs resume job-1 --unlock',
    ])
    expect(terminal.output).toContain('Job job-1 paused: 1 done, 1 not done yet, of 2; 0 calls.')
  })

  it('pressed twice ends at once, even with writes in flight', async () => {
    const { core, asked } = scriptedJobs({
      states: [aJob({ underWay: 2 })],
      onPause: [aJob({ state: 'paused', underWay: 2 })],
      items: [],
    })
    const terminal = aTerminal({ onProgress: () => queueMicrotask(() => terminal.interrupt()) })
    expect([await follow(core, aJob(), [], given('jobs', 'resume', 'job-1'), terminal), asked]).toEqual([
      4,
      [['pause', 'job-1']],
    ])
  })
})

it('a job that waits for unlocking is not followed, and its command ends', async () => {
  const { core } = scriptedJobs({ states: [aJob({ state: 'unarmed' })], items: [] })
  const terminal = aTerminal()
  expect(await follow(core, aJob(), [], given('jobs', 'resume', 'job-1'), terminal)).toBe(3)
  expect(terminal.output).toContain('jobs resume job-1 --unlock')
})

describe('pausing and cancelling from another process', () => {
  it('does not report an ended job as running', async () => {
    const { core } = scriptedJobs({ states: [done] })
    const terminal = aTerminal()
    expect([await runOver(core, terminal, 'jobs', 'pause', 'job-1'), terminal.output.trim()]).toEqual([
      4,
      'Job job-1 is ended: nothing of it can be paused.',
    ])
  })

  it('waits for writes in flight, so that the totals are right', async () => {
    const stopping = aJob({ state: 'stopping', underWay: 2 })
    const { core } = scriptedJobs({ states: [stopping], onCancel: [stopping, stopping, done] })
    const terminal = aTerminal()
    expect([await runOver(core, terminal, 'jobs', 'cancel', 'job-1'), terminal.output.trim()]).toEqual([
      0,
      'Job job-1 is ended: 2 of 2 were done.',
    ])
  })
})

describe('--no-watch', () => {
  it('ends watching when everything is sent', async () => {
    const watching = [anItem({ state: 'watching', outcome: null, detail: null }), anItem({ id: 2 })]
    const { core, asked } = scriptedJobs({
      states: [aJob({ underWay: 1, counts: { ...aJob().counts, done: 1 } })],
      onCancel: [aJob({ state: 'stopping', underWay: 1 }), done],
      items: watching,
    })
    expect([
      await follow(core, aJob(), [], given('jobs', 'resume', 'job-1', '--no-watch'), aTerminal()),
      asked,
    ]).toEqual([0, [['cancel', 'job-1']]])
  })

  it('does not end while something is still being sent', async () => {
    const sending = [anItem({ state: 'sending', outcome: null, detail: null }), anItem({ id: 2 })]
    const { core, asked } = scriptedJobs({
      states: [aJob({ underWay: 1, counts: { ...aJob().counts, done: 1 } }), done],
      items: sending,
    })
    expect([
      await follow(core, aJob(), [], given('jobs', 'resume', 'job-1', '--no-watch'), aTerminal()),
      asked,
    ]).toEqual([0, []])
  })
})
