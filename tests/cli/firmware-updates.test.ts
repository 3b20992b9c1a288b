import { describe, expect, it } from 'vitest'
import { laidOut } from '../../electron/cli/table.ts'
import { firmwareUpdateCommands } from '../../electron/cli/commands/firmware-updates.ts'
import { parse, UsageError } from '../../electron/cli/grammar.ts'
import { planText } from '../../electron/cli/job-tables.ts'
import type { JobDraft, PlannedItem } from '../../electron/contract/api/jobs.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { aJob, anItem, aPlan, scriptedJobs, type Scripted } from './a-job.ts'
import { aTerminal, type HeardTerminal } from './a-terminal.ts'

const work = {
  kind: 'update-firmware',
  selection: { kind: 'picked', ids: ['D1', 'D2'] },
  version: '3.0.0',
  allowDowngrade: false,
  watchForInMinutes: 30,
} as const
const draft: JobDraft = { ...aPlan().draft, work }
const planned = (id: string, skipped: PlannedItem['skipped']): PlannedItem => ({
  target: { of: 'device', id, name: `Camera ${id}` },
  devices: [{ id, name: `Camera ${id}`, status: 'online' }],
  earliestAt: null,
  changes: [
    {
      name: 'firmwareVersion',
      now: '2.9.0',
      new: '3.0.0',
      allowed: skipped === null,
      reason: null,
      restarts: null,
    },
  ],
  skipped,
})
const plan = aPlan({ draft, items: 1, devices: 1 })
const job = aJob({ kind: 'update-firmware', state: 'ended', asked: 1 })

/** `firmware update` with these arguments over these jobs. */
function run({ core }: Scripted, terminal: HeardTerminal, ...argv: string[]): Promise<number> {
  const parsed = parse(firmwareUpdateCommands, ['firmware', 'update', ...argv])
  const [, command] = firmwareUpdateCommands
  return command!.run(core, parsed, terminal)
}
const doIt = ['--yes', '--unlock'] as const

describe('firmware update', () => {
  it('names the devices first and the version last', async () => {
    const scripted = scriptedJobs({ states: [job], plan, planned: [planned('D1', null)] })
    await run(scripted, aTerminal(), 'D1', 'D2', '3.0.0', ...doIt)
    expect(scripted.asked[0]).toEqual(['plan', draft])
  })

  it('takes the confirmation, what to leave out, and the minutes', async () => {
    const scripted = scriptedJobs({ states: [job], plan, planned: [planned('D1', null)] })
    const options = ['--allow-downgrade', '--skip-offline', '--watch-for', '5'] as const
    await run(scripted, aTerminal(), 'D1', 'D2', '3.0.0', ...options, ...doIt)
    expect(scripted.asked[0]).toEqual([
      'plan',
      { ...draft, work: { ...work, allowDowngrade: true, withoutOffline: true, watchForInMinutes: 5 } },
    ])
  })

  it.each([
    [['3.0.0', ...doIt], UsageError],
    [['D1', '3.0.0', '--where', 'fw:behind', ...doIt], UsageError],
    [['D1', '3.0.0', '--watch-for', '0', ...doIt], UsageError],
    [['D1', '3.0.0', '--watch-for', '5', '--no-watch', ...doIt], UsageError],
    [['D1', '3.0.0'], UsageError],
    [['D1', '3.0.0', '--yes'], Failed],
  ])('rejects %j and plans nothing', async (argv, error) => {
    const scripted = scriptedJobs({ states: [] })
    await expect(run(scripted, aTerminal(), ...argv)).rejects.toThrow(error)
    expect(scripted.asked).toEqual([])
  })

  it.each([[doIt], [['--dry-run', '--json']]])(
    'reports why one device is rejected with %j, and fails',
    async (argv) => {
      const scripted = scriptedJobs({
        states: [],
        plan: { ...plan, items: 0, skipped: [{ reason: 'revoked', count: 1 }] },
        planned: [planned('D1', 'revoked')],
      })
      const terminal = aTerminal()
      await expect(run(scripted, terminal, 'D1', '3.0.0', ...argv)).rejects.toMatchObject({
        failure: { kind: 'not-found', what: 'No device can be updated: Camera D1: the version was revoked.' },
      })
      expect([terminal.output, scripted.asked.length]).toEqual(['', 1])
    },
  )

  it.each([
    ['not reported in time', { unknown: 1 }, 'unknown', 'not-reported', 4],
    ['failed', { failed: 1 }, 'failed', null, 3],
    ['reported', { done: 1 }, 'done', 'verified', 0],
  ] as const)('%s', async (_, counts, outcome, detail, code) => {
    const ended = { ...job, counts: { ...job.counts, ...counts } }
    const scripted = scriptedJobs({
      states: [ended],
      items: [anItem({ outcome, detail })],
      plan,
      planned: [planned('D1', null)],
    })
    expect(await run(scripted, aTerminal(), 'D1', '3.0.0', ...doIt)).toBe(code)
  })

  it('names the devices that are skipped, and is partly done', async () => {
    const items = [planned('D1', null), planned('D2', 'downgrade')]
    const scripted = scriptedJobs({
      states: [{ ...job, counts: { ...job.counts, done: 1 } }],
      plan: { ...plan, skipped: [{ reason: 'downgrade', count: 1 }] },
      planned: items,
    })
    const terminal = aTerminal()
    expect(await run(scripted, terminal, 'D1', 'D2', '3.0.0', ...doIt)).toBe(4)
    expect(terminal.errors).toContain('Camera D2')
  })
})

it('shows what goes down, for each product, and what it costs', () => {
  const listedAt = new Date(2026, 10, 24, 13, 40).getTime()
  const product = {
    vendorId: 2830,
    productId: 9395,
    name: 'Camera',
    version: '3.0.0',
    listedAt,
    deviceIds: ['D1'],
    first: 'Camera D1',
    firstStatus: 'online',
  }
  const lines = planText(
    { ...plan, items: 3, products: [{ ...product, from: [{ version: '2.9.0', devices: 1 }] }] },
    [planned('D1', null)],
    1,
  ).map((line) => laidOut(line, null))
  expect(lines.filter((line) => !line.includes('Camera D1'))).toEqual([
    '3 devices of Nordlys would be updated, and are not available meanwhile. 2 of them are offline: unless they come back while they are watched, their results stay unknown.',
    expect.stringMatching(/^Device +Now +New +When$/),
    'Camera: 1 device to 3.0.0, from 2.9.0 (1). Its list of releases is from 24 Nov 2026 13:40.',
    '4 calls, about 2 s, 0.04% of the calls allowed in five minutes; at most 20 more to confirm results.',
  ])
})
