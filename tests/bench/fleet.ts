import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { openNodePlatform } from '../../electron/adapters/node-platform.ts'
import { managementLimits } from '../../electron/core/call-budget/call-budget.ts'
import { createCore, type Core } from '../../electron/core/app.ts'
import type { Transport } from '../../electron/core/platform.ts'
import { startService, type Service } from './load/service.ts'
import { addOrganization } from '../add-organization.ts'

const latencyInMs = 20
const pageSize = 100

/** Reads one page after the other over the same connection, without a core; returns milliseconds for each. */
async function bareRoundTrips(
  transport: Transport,
  { managementUrl, key }: Service,
): Promise<readonly number[]> {
  const samples: number[] = []
  for (let page = 0; page < 40; page++) {
    const startedAt = performance.now()
    await transport.attempt({
      method: 'POST',
      url: `${managementUrl}/devices/api/devices`,
      headers: { 'Ocp-Apim-Subscription-Key': key, 'api-version': '2', 'Content-Type': 'application/json' },
      body: JSON.stringify({ deviceClientType: 'Personal', pageSize }),
      timeoutInMs: 10_000,
      maxBytes: 10_000_000,
      freshConnection: false,
      signal: null,
    })
    samples.push(performance.now() - startedAt)
  }
  return samples
}

async function devicesInRooms({ handlers }: Core): Promise<number> {
  let count = 0
  for (let start = 0; ; start += 500) {
    const { rows } = await handlers.rooms.list({
      where: '',
      sort: [{ column: 'name', descending: false }],
      start,
      count: 500,
    })
    if (rows.length === 0) return count
    for (const room of rows) count += room.deviceCount ?? 0
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10
const nowhere = (): Promise<never> => Promise.reject(new Error('not in a benchmark'))

/**
 * A whole sync of 100,000 devices from the demonstration service over real HTTP with a latency of 20 ms,
 * compared with the larger of two minimum times: the pages of the longer stream one after the other, and all
 * calls at the allowed pace.
 */
export async function run(
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<object> {
  const devices = Number(process.env['HEADROOM_DEVICES'] ?? 100_000)
  const home = mkdtempSync(join(tmpdir(), 'headroom-bench-'))
  const service = await startService('--latency', String(latencyInMs), '--devices', String(devices))
  const transport = openHttpTransport()
  const before = await bareRoundTrips(transport, service)
  const core = await createCore(
    openNodePlatform({
      home,
      workerUrl: new URL('../../electron/adapters/database-worker.ts', import.meta.url),
      transport,
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
    }),
  )
  await addOrganization(core.handlers, service)
  const session = await core.sessions.current()

  let firstRowsAfterMs: number | null = null
  let pagesAtFirstRows: number | null = null
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const stopListening = session.sync.onProgress((progress) => {
    if (progress.devices === 0 || firstRowsAfterMs !== null) return
    firstRowsAfterMs = rounded(performance.now() - startedAt)
    pagesAtFirstRows = session.sync.state().pages
  })
  const report = await session.sync.run()
  const tookMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  stopListening()
  // Measured before and after, because the load of a machine varies.
  const trips = [...before, ...(await bareRoundTrips(transport, service))]
  const roundTripMs = trips.reduce((sum, one) => sum + one, 0) / trips.length
  const inRooms = await devicesInRooms(core)
  await core.close()
  transport.close()
  await service.end()
  rmSync(home, { recursive: true, force: true })

  const longerStream = Math.max(inRooms, report.devices.read - inRooms)
  const pagesFloorMs = Math.ceil(longerStream / pageSize) * roundTripMs
  const paceFloorMs = (report.calls / managementLimits.perSecond) * 1_000
  const floorMs = Math.max(pagesFloorMs, paceFloorMs)
  const figures = {
    devices: report.devices.read,
    calls: report.calls,
    ms: rounded(tookMs),
    roundTripMs: rounded(roundTripMs),
    pagesFloorMs: rounded(pagesFloorMs),
    paceFloorMs: rounded(paceFloorMs),
    ratio: Math.round((tookMs / floorMs) * 100) / 100,
    // If this is much less than the elapsed time while the ratio is high, the machine was busy with something
    // else.
    processorMs: rounded((user + system) / 1_000),
    eventLoopP99Ms: rounded(delay.percentile(99) / 1e6),
    peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
    firstRowsAfterMs,
    pagesAtFirstRows,
  }
  say(
    `${figures.devices} devices from the demonstration service: ${figures.ms} ms, ${figures.ratio} of the floor (target 1.25)`,
  )
  return { sync: [figures] }
}
