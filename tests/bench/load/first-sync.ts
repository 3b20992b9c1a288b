import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { AppStatus } from '../../../electron/contract/api/app.ts'
import type { ExportJob } from '../../../electron/contract/api/exports.ts'
import type { SyncReport } from '../../../electron/contract/api/sync.ts'
import { managementLimits } from '../../../electron/core/call-budget/call-budget.ts'
import { saveTo } from '../../e2e/desktop-answers.ts'
import { newHome, startProgram, type Program } from '../../e2e/program.ts'
import { addOrganization, ask, askUntil, enterKey, goTo } from './app-under-test.ts'
import { noteInputDelays, rounded } from './in-page.ts'
import { startService, type Service } from './service.ts'
import { filterField } from './typing.ts'

const pageSize = 100

/** Milliseconds of each page over the same connection, one after the other, by a client that only reads. */
async function bareRoundTrips({ managementUrl, key }: Service): Promise<readonly number[]> {
  const took: number[] = []
  for (let page = 0; page < 30; page++) {
    const startedAt = performance.now()
    const answer = await fetch(`${managementUrl}/devices/api/devices`, {
      method: 'POST',
      headers: { 'Ocp-Apim-Subscription-Key': key, 'api-version': '2', 'Content-Type': 'application/json' },
      body: JSON.stringify({ deviceClientType: 'Personal', pageSize }),
    })
    await answer.text()
    took.push(performance.now() - startedAt)
  }
  return took
}

/** The shortest time of a sync, milliseconds: the longer stream's pages one after the other, or all calls at the allowed pace. */
async function floorOf(
  page: Page,
  { calls, devices }: SyncReport,
  trips: readonly number[],
): Promise<number> {
  const question = { where: '!room:""', sort: [], start: 0, count: 0 }
  const { total: inRooms } = await ask<{ total: number }>(page, 'devices.slice', question)
  const pages = Math.ceil(Math.max(inRooms, devices.read - inRooms) / pageSize)
  const trip = trips.reduce((sum, one) => sum + one, 0) / trips.length
  return Math.max(pages * trip, (calls / managementLimits.perSecond) * 1_000)
}

/** Pages that the sync has read when the first row is in the list. */
const pagesAtFirstRow = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          const text = document.querySelector('[role=row][aria-rowindex="2"]')?.textContent ?? ''
          if (text.trim() === '') return void requestAnimationFrame(look)
          void window.headroom?.call('app.status', undefined).then((outcome) => {
            const { value } = outcome as { readonly value: { readonly sync: { readonly pages: number } } }
            resolve(value.sync.pages)
          })
        }
        look()
      }),
  )

/** Measures the delays of the main process's event loop from now on; returns their p99 in milliseconds. */
async function noteLoopDelays({ app }: Program): Promise<() => Promise<number>> {
  await app.evaluate(() => {
    const delays = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    Object.assign(globalThis, { benchDelays: delays })
  })
  return () =>
    app.evaluate(() => {
      const { benchDelays } = globalThis as unknown as { benchDelays: { percentile(part: number): number } }
      return benchDelays.percentile(99) / 1e6
    })
}

/** Peak resident memory of the main process since its start, MiB. */
const peakMemory = ({ app }: Program): Promise<number> =>
  app.evaluate(() => {
    // The value of getrusage may be the peak of the program that started it.
    const result =
      process.platform === 'linux'
        ? /VmHWM:\s*(\d+)/.exec(
            process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8'),
          )?.[1]
        : process.resourceUsage().maxRSS
    return Number(result) / 1_024
  })

/** All devices as CSV into a file, as the dialog requests it. */
async function exportAll({ app, page }: Program, path: string): Promise<void> {
  await saveTo(app, path)
  await ask<ExportJob | null>(page, 'exports.start', {
    subject: { of: 'devices', selection: { kind: 'matching', where: '', except: [] }, sort: [] },
    format: 'csv',
    columns: null,
    delimiter: ',',
    timeZone: 'Europe/Copenhagen',
    viewName: null,
  })
  const [job] = await askUntil<readonly ExportJob[]>(page, 'exports.list', (jobs) =>
    jobs.every(({ state }) => state !== 'running'),
  )
  if (job?.state !== 'done') throw new Error(`the export ended as ${job?.state}`)
}

/** Types letters into the filter and deletes them, until `over`. */
async function typeUntil(page: Page, over: () => boolean): Promise<void> {
  const field = filterField(page)
  while (!over()) {
    await field.focus()
    for (const letter of 'anna') await page.keyboard.press(letter)
    for (let back = 0; back < 4; back++) await page.keyboard.press('Backspace')
  }
}

export interface FirstSync {
  /** Compared with the minimum time. */
  readonly ratio: number
  readonly ms: number
  readonly loopDelayP99: number
  readonly firstRowPages: number
  readonly inputDelays: readonly number[]
  /** After the sync, and after everything was exported. */
  readonly peakMb: number
}

/**
 * The app's first sync with the Devices page open: it starts without a service, then the service starts and the sync is requested.
 * `typing`: into the filter, letter after letter, during the sync; afterwards everything is exported.
 */
export async function firstSync(options: readonly string[], typing: boolean): Promise<FirstSync> {
  const home = newHome()
  let service = await startService(...options)
  await addOrganization(home, service)
  const { port } = new URL(service.managementUrl)
  await service.end()
  const program = await startProgram(home)
  try {
    const { page } = program
    await goTo(page, '/devices')
    await filterField(page).waitFor()
    await enterKey(page, service)
    await askUntil<AppStatus>(page, 'app.status', ({ sync }) => !sync.running && sync.lastFailure !== null)
    service = await startService(...options, '--port', port, '--key', service.key)
    const before = await bareRoundTrips(service)
    const inputDelays = await noteInputDelays(page)
    const loopDelays = await noteLoopDelays(program)
    let over = false
    const syncing = ask<SyncReport>(page, 'sync.run').finally(() => (over = true))
    const [report, firstRowPages] = await Promise.all([
      syncing,
      pagesAtFirstRow(page),
      ...(typing ? [typeUntil(page, () => over)] : []),
    ])
    const loopDelayP99 = await loopDelays()
    if (!report.complete) throw new Error('the sync was cut short')
    const ms = report.finishedAt - report.startedAt
    const floor = await floorOf(page, report, [...before, ...(await bareRoundTrips(service))])
    if (typing) await exportAll(program, join(home.folder, 'devices.csv'))
    return {
      ratio: ms / floor,
      ms: rounded(ms),
      loopDelayP99,
      firstRowPages,
      inputDelays: await inputDelays(),
      peakMb: await peakMemory(program),
    }
  } finally {
    await program.app.close()
    await service.end()
    home.remove()
  }
}
