import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Command } from '../../electron/cli/command.ts'
import { roomCommands } from '../../electron/cli/commands/rooms.ts'
import { rebootOf } from '../../electron/cli/reboot-one.ts'
import { parse } from '../../electron/cli/grammar.ts'
import { AJobCore } from '../core/jobs/a-job-core.ts'
import { openSyncedCore, serviceKeys, type ConnectedCore } from '../connected-core.ts'
import { asClient } from './a-core.ts'
import { aTerminal } from './a-terminal.ts'
import { runOn } from './run-on.ts'

let connected: ConnectedCore
let room: string
let terminal: ReturnType<typeof aTerminal>
async function begin(fleet: { devices: number; rooms: number }, where: string): Promise<void> {
  connected = await openSyncedCore(fleet)
  const query = { where, sort: [], start: 0, count: 1 } as const
  room = (await connected.core.handlers.rooms.list(query)).rows[0]!.id
}
beforeEach(() => begin({ devices: 60, rooms: 6 }, 'health:ok'))
afterEach(() => connected.close())

/** `headroom reboot ROOM …` and its job, once it was begun. */
async function reboot(...options: string[]) {
  terminal = aTerminal()
  const given = parse(roomCommands, ['reboot', room, '--yes', '--json', ...options])
  const code = await (given.shape as Command).run(asClient(connected.core), given, terminal)
  const { jobs } = await connected.core.handlers.jobs.list({ start: 0, count: 10 })
  const arrived = connected.service.counts().arrivals['RebootRoom'] ?? {}
  return {
    code,
    document: JSON.parse(terminal.output) as unknown,
    jobs: jobs.map(({ state, counts }) => [state, counts.done, counts.failed, counts.unknown]),
    sent: Object.values(arrived).reduce((sum, count) => sum + count, 0),
  }
}
/** The outcomes in the journal. */
const journal = async (): Promise<readonly unknown[]> => {
  const query = { where: '', subjectId: null, start: 0, count: 10 }
  return (await connected.core.handlers.journal.list(query)).lines.map(({ outcome }) => outcome)
}
const document = (
  outcome: string,
  reason: string | null = null,
  earliestAt: unknown = null,
  id: unknown = expect.any(String),
) => ({ room, outcome, reason, earliestAt, id })

describe('the reboot of one room on the command line', () => {
  it('is a job of one item that ends with the response of the service, without waiting further', async () => {
    expect(await reboot('--unlock')).toEqual({
      code: 0,
      document: document('accepted'),
      jobs: [['ended', 1, 0, 0]],
      sent: 1,
    })
  })
  it('is reported with the id of its job', async () => {
    const { document: printed } = await reboot('--unlock')
    const [job] = (await connected.core.handlers.jobs.list({ start: 0, count: 10 })).jobs
    expect((printed as { id: string }).id).toBe(job?.id)
  })
  it('tells the jobs that its devices are in', async () => {
    const { jobs } = connected.core.handlers
    const startAt = connected.platform.clock.now() + 3_600_000
    const { id } = await jobs.plan({ ...rebootOf(room), startAt })
    await jobs.start({ plan: id, unlock: true, typed: null })
    await reboot('--unlock')
    expect(terminal.said[0]).toMatch(
      new RegExp(`^\\d devices? (is|are) also in the job “${id}, reboot of 1 room” \\(waiting\\): .+\\.$`),
    )
  })
  it('within the minute starts nothing with --no-wait', async () => {
    await reboot('--unlock')
    expect(await reboot('--unlock', '--no-wait')).toEqual({
      code: 4,
      document: document('waiting', null, expect.any(Number), null),
      jobs: [['ended', 1, 0, 0]],
      sent: 1,
    })
  })
  it('is rejected while actions are locked, before anything is read', async () => {
    const before = connected.service.counts().arrivals['GetRoom']
    expect(await reboot()).toEqual({
      code: 3,
      document: document('refused', 'writes-locked', null, null),
      jobs: [],
      sent: 0,
    })
    expect(connected.service.counts().arrivals['GetRoom']).toEqual(before)
  })
  it.each([
    ['cut-mid-request', { dropped: 1 }],
    ['cut-before-answer', { dropped: 1 }],
    ['cut-mid-answer', { dropped: 1 }],
    ['error-500', { 500: 1 }],
  ] as const)(
    'whose response is lost by %s is unconfirmed, sent once and never repeated',
    async (name, arrived) => {
      connected.service.faults.set({ name, rate: 1, times: 1, operation: 'RebootRoom' })
      expect(await reboot('--unlock')).toEqual({
        code: 3,
        document: document('unconfirmed', 'unconfirmed'),
        jobs: [['ended', 0, 0, 1]],
        sent: 1,
      })
      expect([connected.service.counts().arrivals['RebootRoom'], await journal()]).toEqual([
        arrived,
        ['unconfirmed'],
      ])
    },
  )
  it('that the service rejects is rejected with its reason', async () => {
    connected.service.faults.set({ name: 'early-429', rate: 1, times: 1, operation: 'RebootRoom' })
    expect(await reboot('--unlock')).toMatchObject({
      code: 3,
      document: document('refused', 'rate-limited', expect.any(Number)),
      sent: 1,
    })
    expect(connected.service.counts().arrivals['RebootRoom']).toEqual({ 429: 1 })
  })
  it('ends when its key is refused, and leaves nothing to send later', async () => {
    connected.service.faults.set({
      name: 'refuse-primary-key',
      rate: 1,
      times: null,
      operation: 'RebootRoom',
    })
    expect(await reboot('--unlock')).toMatchObject({
      code: 3,
      document: document('refused', 'key-refused'),
      jobs: [['ended', 0, 1, 0]],
    })
  })
})

describe('--dry-run of one room', () => {
  const dryRun = async () => {
    terminal = aTerminal()
    const given = parse(roomCommands, ['reboot', room, '--dry-run', '--json'])
    const code = await (given.shape as Command).run(asClient(connected.core), given, terminal)
    return { code, plan: JSON.parse(terminal.output) as { devices: readonly { id: string }[] } }
  }
  it('prints the plan of its job with each device as stored, and starts nothing', async () => {
    const { handlers } = connected.core
    const before = await handlers.rooms.get({ id: room })
    expect(await dryRun()).toEqual({
      code: 0,
      plan: {
        organization: { id: (await connected.core.sessions.currentOrganization()).id, name: 'Nordlys' },
        room: { id: room, name: before.name },
        devices: (before.devices ?? []).map((device) => ({
          ...device,
          status: expect.any(String) as string,
          listedNow: true,
        })),
        earliestAt: null,
        cost: {
          calls: before.groupIds.length + 1,
          aboutInMs: 0,
          shareOfWindow: expect.any(Number) as number,
        },
        alsoIn: [],
        problem: null,
        lock: { unlocked: false, untilAt: null },
      },
    })
    expect([
      (await handlers.jobs.list({ start: 0, count: 1 })).total,
      connected.service.counts().arrivals['RebootRoom'],
      await journal(),
    ]).toEqual([0, undefined, []])
  })
  it('reports a room in which nothing is online, and ends with 4', async () => {
    await connected.close()
    await begin({ devices: 160, rooms: 40 }, 'health:down')
    expect(await dryRun()).toMatchObject({ code: 4, plan: { room: { id: room }, problem: 'nothing-online' } })
  })
})

describe('watching the reboot of one room', () => {
  it.each([
    ['back-online', 0, null],
    ['did-not-come-back', 4, 'did-not-come-back'],
  ] as const)('%s: %i', async (seen, code, reason) => {
    const program = await AJobCore.open()
    try {
      // Which rooms of the demonstration do not come back is only known after restarting them.
      const query = { where: 'health:ok', sort: [], start: 0, count: 50 } as const
      const { rows } = await program.handlers.rooms.list(query)
      for (const { id } of rows) {
        terminal = aTerminal()
        const given = parse(roomCommands, ['reboot', id, '--yes', '--unlock', '--watch', '--json'])
        const ended = await program.passing(
          (given.shape as Command).run(asClient(program.core), given, terminal),
        )
        const [job] = (await program.handlers.jobs.list({ start: 0, count: 1 })).jobs
        const [item] = await program.items(job?.id ?? '')
        if (item?.detail !== seen) continue
        expect([ended, JSON.parse(terminal.output)]).toEqual([
          code,
          { room: id, outcome: 'accepted', reason, earliestAt: null, id: job?.id },
        ])
        return
      }
      expect.unreachable(`no room was ${seen}`)
    } finally {
      await program.close()
    }
  })
})

describe('a stored key that is typed as the room is not printed', () => {
  it.each([
    [['--yes', '--unlock'], 2],
    [['--yes', '--unlock', '--json'], 2],
    [['--yes', '--unlock', '--no-wait'], 2],
    [['--yes'], 3],
    [['--yes', '--json'], 3],
    [['--dry-run'], 2],
    [[], 2],
  ])('reboot KEY %j', async (options, code) => {
    const key = serviceKeys.primary
    const said = await runOn(connected.core, ['reboot', key, ...options])
    expect({ code: said.code, isPrinted: `${said.output}${said.errors}`.includes(key) }).toEqual({
      code,
      isPrinted: false,
    })
  })

  it('a room that does not exist is named as it was typed', async () => {
    const said = await runOn(connected.core, ['reboot', 'Bergen 12', '--yes', '--unlock'])
    expect([said.code, said.output]).toEqual([3, 'Bergen 12 was not rebooted.\n'])
  })
})
