import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Command } from '../../electron/cli/command.ts'
import { roomCommands } from '../../electron/cli/commands/rooms.ts'
import { parse } from '../../electron/cli/grammar.ts'
import { openConnectedCore, type ConnectedCore } from '../connected-core.ts'
import { aTerminal } from './a-terminal.ts'

let connected: ConnectedCore
let room: string
beforeEach(async () => {
  connected = await openConnectedCore({ devices: 60, rooms: 6 })
  await connected.add()
  await connected.core.handlers.sync.run()
  const query = { where: 'health:ok', sort: [], start: 0, count: 1 } as const
  room = (await connected.core.handlers.rooms.list(query)).rows[0]!.id
})
afterEach(() => connected.close())

/** `headroom reboot ROOM …` and what it leaves: its job, once it was begun. */
async function reboot(...options: string[]) {
  const terminal = aTerminal()
  const given = parse(roomCommands, ['reboot', room, '--yes', '--json', ...options])
  const code = await (given.shape as Command).run(connected.core, given, terminal)
  const { jobs } = await connected.core.handlers.jobs.list({ start: 0, count: 10 })
  const arrived = connected.service.counts().arrivals['RebootRoom'] ?? {}
  return {
    code,
    document: JSON.parse(terminal.output) as unknown,
    jobs: jobs.map(({ state, counts }) => [state, counts.done, counts.failed, counts.unknown]),
    sent: Object.values(arrived).reduce((sum, count) => sum + count, 0),
  }
}
const document = (outcome: string, reason: string | null = null, earliestAt: unknown = null) => ({
  room,
  outcome,
  reason,
  earliestAt,
})

describe('the reboot of one room at a prompt', () => {
  it('is a job of one item that ends with the answer of the service, and waits for nothing else', async () => {
    expect(await reboot('--unlock')).toEqual({
      code: 0,
      document: document('accepted'),
      jobs: [['ended', 1, 0, 0]],
      sent: 1,
    })
  })
  it('inside the minute begins nothing with --no-wait', async () => {
    await reboot('--unlock')
    expect(await reboot('--unlock', '--no-wait')).toEqual({
      code: 4,
      document: document('waiting', null, expect.any(Number)),
      jobs: [['ended', 1, 0, 0]],
      sent: 1,
    })
  })
  it('is refused while changes are locked, before anything is read', async () => {
    const before = connected.service.counts().arrivals['GetRoom']
    expect(await reboot()).toEqual({
      code: 3,
      document: document('refused', 'writes-locked'),
      jobs: [],
      sent: 0,
    })
    expect(connected.service.counts().arrivals['GetRoom']).toEqual(before)
  })
  it('without an answer is unconfirmed, sent once and left to nobody', async () => {
    connected.service.faults.set({
      name: 'cut-before-answer',
      rate: 1,
      times: 1,
      operation: 'RebootRoom',
    })
    expect(await reboot('--unlock')).toEqual({
      code: 3,
      document: document('unconfirmed', 'unconfirmed'),
      jobs: [['ended', 0, 0, 1]],
      sent: 1,
    })
  })
  it('that finds its key refused ends, and leaves nothing to be sent later', async () => {
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
