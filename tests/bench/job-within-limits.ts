import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { openNodePlatform } from '../../electron/adapters/node-platform.ts'
import { roomCommands } from '../../electron/cli/commands/rooms.ts'
import { parse } from '../../electron/cli/grammar.ts'
import type { Job, JobPlan } from '../../electron/contract/api/jobs.ts'
import { belowPublished } from '../../electron/core/call-budget/call-budget.ts'
import { createCore } from '../../electron/core/app.ts'
import { asClient } from '../cli/a-core.ts'
import { aTerminal } from '../cli/a-terminal.ts'
import { answeredWith, arrivalsOf, countsOf } from '../e2e/service-switches.ts'
import { startService } from './load/service.ts'
import { addOrganization } from '../add-organization.ts'

const rooms = 40
const nowhere = (): Promise<never> => Promise.reject(new Error('not in this benchmark'))

/**
 * In real time, one job over 40 rooms by the CLI command, with a service that allows 20 a second
 * and 300 in 30 seconds, and these limits configured. Measured: calls that got a 429 (none), and planned
 * compared with actual calls.
 */
export async function run(
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<object> {
  const service = await startService('--devices', '600', '--rooms', '60', '--limits', '20/1,300/30')
  const home = mkdtempSync(join(tmpdir(), 'headroom-bench-'))
  const platform = openNodePlatform({
    home,
    workerUrl: new URL('../../electron/adapters/database-worker.ts', import.meta.url),
    transport: openHttpTransport(),
    demonstration: nowhere,
    desktop: {
      openOutside: nowhere,
      copy: nowhere,
      saveAs: nowhere,
      chooseFolder: nowhere,
      showFile: nowhere,
    },
    about: { version: '0.0.0', shell: 'none' },
    environment: {},
    dataFolder: { problem: () => null },
    keyFromEnvironment: service.key,
  })
  const core = await createCore(platform, {
    organization: null,
    limits: belowPublished({ perSecond: 20, perWindow: 300, windowInMs: 30_000 }),
  })
  const calls = (): Promise<number> => arrivalsOf(service, 'GetRoom', 'RebootRoom')
  try {
    await addOrganization(core.handlers, service)
    await core.handlers.sync.run()
    const { rows } = await core.handlers.rooms.list({
      where: 'health:ok',
      sort: [],
      start: 0,
      count: rooms,
    })
    const reboot = async (...words: string[]): Promise<string> => {
      const terminal = aTerminal()
      const given = parse(roomCommands, ['reboot', ...rows.map(({ id }) => id), '--json', ...words])
      await roomCommands.find(({ name }) => name === 'reboot')?.run(asClient(core), given, terminal)
      return terminal.output
    }
    const plan = JSON.parse(await reboot('--dry-run')) as JobPlan
    const before = await calls()
    const startedAt = performance.now()
    const { job } = JSON.parse(
      await reboot('--yes', '--unlock', '--no-watch', '--count', String(rows.length)),
    ) as { readonly job: Job }
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    const after = await countsOf(service)
    const refused = answeredWith(after, 429)
    const made = (await calls()) - before
    say(
      `a job over ${rows.length} rooms: ${job.counts.done} done, ${plan.cost.calls} calls planned, ${made} made, ${refused} answered 429, ${seconds} s`,
    )
    return {
      rooms: rows.length,
      ...job.counts,
      callsPlanned: plan.cost.calls,
      callsMade: made,
      answered429: refused,
      writtenTwice: Object.values(after.writes).filter((count) => count > 1).length,
      mostInASecond: after.mostInASecond,
      mostInThirtySeconds: after.mostInAWindow,
      aboutInMs: plan.cost.aboutInMs,
      seconds,
    }
  } finally {
    await core.close()
    await service.end()
    rmSync(home, { recursive: true, force: true })
  }
}
