import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { openNodePlatform } from '../../electron/adapters/node-platform.ts'
import type { Standing } from '../../electron/contract/api/app.ts'
import type { MethodName } from '../../electron/contract/rpc-client.ts'
import { createCore, type Core } from '../../electron/core/app.ts'
import { managementLimits } from '../../electron/core/call-budget/call-budget.ts'
import { callCore } from '../journeys/core-behind.ts'
import { newHome, startProgram, type Home, type Program } from '../journeys/program.ts'
import { noteInputDelays, percentile, rounded, scrollThrough, typeAndWait } from './load/in-page.ts'
import { openPlainLists, type PlainLists } from './load/plain-lists.ts'
import { startService, type Service } from './load/service.ts'

const latencyInMs = 20
const pageSize = 100
/** Frames from the first row to the last. */
const scrollSteps = 400
const starts = 3
const shownTotal = '.header .note'
/** Typed letter by letter: two words that a technician would type. */
const typedWords = ['anna', 'evolve2 65']

const ask = async <T>(page: Page, method: MethodName, argument?: unknown): Promise<T> => {
  const outcome = await callCore(page, method, argument)
  if (!outcome.ok) throw new Error(`${method}: ${JSON.stringify(outcome.failure)}`)
  return outcome.value as T
}

/** The program first shows the page it was left at: only then is it asked for another. */
async function goTo(page: Page, place: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate((hash) => {
    location.hash = hash
  }, place)
}

const nowhere = (): Promise<never> => Promise.reject(new Error('not in a benchmark'))
const openCore = (home: Home, key: string): Promise<Core> =>
  createCore(
    openNodePlatform({
      home: join(home.folder, 'home'),
      workerUrl: new URL('../../electron/adapters/database-worker.ts', import.meta.url),
      transport: openHttpTransport({ environment: {} }),
      demonstration: nowhere,
      desktop: { openOutside: nowhere, copy: nowhere, saveAs: nowhere, showFile: nowhere },
      about: { version: '0.0.0', shell: 'none' },
      environment: {},
      dataFolder: { trouble: () => null },
      keyFromEnvironment: key,
    }),
  )

async function addOrganization(home: Home, service: Service): Promise<void> {
  const core = await openCore(home, service.key)
  const custom = (await core.handlers.organizations.list()).presets.find(
    (preset) => preset.name === 'custom',
  )!.draft
  await core.handlers.organizations.add({
    ...custom,
    name: 'Bench',
    managementUrl: service.managementUrl,
    metadataUrl: service.metadataUrl,
  })
  await core.close()
}

/** Milliseconds of a bare page over the same service, without a core. */
async function bareRoundTrip({ managementUrl, key }: Service): Promise<number> {
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
  return took.reduce((sum, one) => sum + one, 0) / took.length
}

interface SyncFigures {
  readonly ratio: number
  readonly ms: number
  readonly firstRowsAfterMs: number
  readonly inputDelays: readonly number[]
}

/** The app's first sync with the devices in sight; `typing`: into the filter, letter after letter, all the while. */
async function firstSync({ page }: Program, service: Service, typing: boolean): Promise<SyncFigures> {
  const openedAt = Date.now()
  await goTo(page, '/devices')
  const delays = await noteInputDelays(page)
  const field = page.getByRole('combobox').or(page.getByRole('searchbox')).first()
  await field.waitFor()
  await page.getByRole('row').nth(2).waitFor({ timeout: 60_000 })
  const firstRowsAfterMs = Date.now() - openedAt
  for (;;) {
    if (typing) {
      await field.focus()
      for (const letter of 'anna') await page.keyboard.press(letter)
      for (let back = 0; back < 4; back++) await page.keyboard.press('Backspace')
    } else await page.waitForTimeout(250)
    const { sync } = await ask<Standing>(page, 'app.standing')
    if (sync.last === null) continue
    const { startedAt, finishedAt, calls, devices } = sync.last
    const inRooms = (
      await ask<{ total: number }>(page, 'devices.window', {
        where: '!room:""',
        sort: [],
        start: 0,
        count: 0,
      })
    ).total
    const longer = Math.max(inRooms, devices.read - inRooms)
    const floor = Math.max(
      Math.ceil(longer / pageSize) * (await bareRoundTrip(service)),
      (calls / managementLimits.perSecond) * 1_000,
    )
    return {
      ratio: (finishedAt - startedAt) / floor,
      ms: finishedAt - startedAt,
      firstRowsAfterMs,
      inputDelays: await delays(),
    }
  }
}

/** Every letter that leads to another number of rows, and that number as the page writes it. Told by a core of its own, so that the app has nothing remembered. */
async function lettersOf(core: Core): Promise<readonly (readonly { key: string; total: string }[])[]> {
  const { all } = await core.handlers.devices.window({ where: '', sort: [], start: 0, count: 0 })
  const lists: { key: string; total: string }[][] = []
  for (const word of typedWords) {
    const letters: { key: string; total: string }[] = []
    let before = all
    for (let length = 1; length <= word.length; length++) {
      const { total } = await core.handlers.devices.window({
        where: word.slice(0, length),
        sort: [],
        start: 0,
        count: 0,
      })
      // A letter that changes nothing to be seen is typed and not waited for.
      letters.push({
        key: word[length - 1] ?? '',
        total: total === before ? '' : total.toLocaleString('en-GB'),
      })
      before = total
    }
    lists.push(letters)
  }
  return lists
}

async function keystrokes({ page }: Program, core: Core): Promise<readonly number[]> {
  const took: number[] = []
  const field = page.getByRole('combobox').or(page.getByRole('searchbox')).first()
  for (let round = 0; round < 2; round++)
    for (const letters of await lettersOf(core)) {
      await field.focus()
      for (const letter of letters) {
        if (letter.total === '') await page.keyboard.press(letter.key === ' ' ? 'Space' : letter.key)
        else took.push(...(await typeAndWait(page, [letter], shownTotal)))
      }
      await page.keyboard.press('Control+Backspace')
      await page.waitForFunction(
        (place) => !/^[\d,]+ of /.test(document.querySelector(place)?.textContent ?? ''),
        shownTotal,
      )
    }
  return took
}

/** From the start of the program to a row, or to the sentence of an empty list. */
async function startUps(home: Home, key: string, what: 'rows' | 'nothing'): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < starts; round++) {
    const at = performance.now()
    const program = await startProgram(home, { HEADROOM_KEY: key })
    await goTo(program.page, '/devices')
    if (what === 'rows') await program.page.getByRole('row').nth(2).waitFor()
    else await program.page.locator('.notice, .empty').first().waitFor()
    took.push(performance.now() - at)
    await program.close()
  }
  return percentile(took, 0.5)
}

async function heapInMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
  await session.detach()
  return usedSize / 1024 ** 2
}

/** CSV of every device through the core, against the same rows read at once and joined by hand. */
async function exportRatio(
  home: Home,
  core: Core,
): Promise<{ readonly ratio: number; readonly ms: number; readonly plainMs: number }> {
  const organization = (await core.handlers.organizations.list()).organizations[0]!
  const startedAt = performance.now()
  const { text } = await core.shared.exported.pieces(
    { organizationId: organization.id, organizationName: organization.name },
    {
      subject: { of: 'devices', selection: { kind: 'matching', where: '', except: [] }, sort: [] },
      format: 'csv',
      columns: null,
      delimiter: ',',
      timeZone: 'Europe/Copenhagen',
      viewName: null,
    },
  )
  let length = 0
  for await (const piece of text) length += piece.length
  const ms = performance.now() - startedAt
  const plainAt = performance.now()
  const database = new DatabaseSync(join(home.folder, 'home', 'store.sqlite'), { readOnly: true })
  const plain = database
    .prepare(
      `SELECT d.*, o.observed_at, o.gone_at FROM device_row d JOIN raw_record o ON o.row_id = d.row_id WHERE d.organization_id = ? AND d.gone = 0 ORDER BY d.name_key, d.id`,
    )
    .all(organization.id)
    .map((row) => Object.values(row).join(','))
    .join('\r\n')
  database.close()
  const plainMs = performance.now() - plainAt
  if (length === 0 || plain.length === 0) throw new Error('nothing was exported')
  return { ratio: ms / plainMs, ms, plainMs }
}

interface SizeFigures {
  readonly sync: SyncFigures
  readonly typedSync: SyncFigures
  readonly typed: readonly number[]
  readonly typedPlain: readonly number[]
  readonly frames: readonly number[]
  readonly framesPlain: readonly number[]
  readonly heap: number
  readonly startFull: number
  readonly startEmpty: number
  readonly csv: Awaited<ReturnType<typeof exportRatio>>
}

async function measure(devices: number, peer: PlainLists, say: (line: string) => void): Promise<SizeFigures> {
  const service = await startService('--latency', String(latencyInMs), '--devices', String(devices))
  const [home, typedHome, empty] = [newHome(), newHome(), newHome()]
  try {
    await addOrganization(home, service)
    let program = await startProgram(home, { HEADROOM_KEY: service.key })
    const sync = await firstSync(program, service, false)
    await program.close()
    await addOrganization(typedHome, service)
    program = await startProgram(typedHome, { HEADROOM_KEY: service.key })
    const typedSync = await firstSync(program, service, true)
    await program.close()
    say(
      `  ${devices} devices synced in ${Math.round(sync.ms)} ms, while somebody types in ${Math.round(typedSync.ms)} ms`,
    )
    // From here on nothing answers: what is measured is the cache.
    await service.end()
    await addOrganization(empty, service)
    const startFull = await startUps(home, service.key, 'rows')
    const startEmpty = await startUps(empty, service.key, 'nothing')
    say(`  start ${Math.round(startFull)} ms, empty ${Math.round(startEmpty)} ms`)
    program = await startProgram(home, { HEADROOM_KEY: service.key })
    await goTo(program.page, '/devices')
    await program.page.getByRole('row').nth(2).waitFor()
    const core = await openCore(home, service.key)
    const typed = await keystrokes(program, core)
    const frames = await scrollThrough(program.page, '.ag-grid-viewport', scrollSteps)
    const heap = await heapInMegabytes(program.page)
    const csv = await exportRatio(home, core)
    await core.close()
    await program.close()
    say(
      `  typed p95 ${Math.round(percentile(typed, 0.95))} ms, frames p99 ${rounded(percentile(frames, 0.99))} ms, heap ${Math.round(heap)} MB`,
    )
    const plain = peer.page
    await plain.reload()
    await plain.evaluate(
      (count) => (window as unknown as { fill(count: number): Promise<void> }).fill(count),
      devices,
    )
    const prefixes = typedWords.flatMap((word) => Array.from(word, (_, index) => word.slice(0, index + 1)))
    const typedPlain = await plain.evaluate(
      (texts) => (window as unknown as { type(texts: readonly string[]): Promise<number[]> }).type(texts),
      prefixes,
    )
    await plain.evaluate(() => (window as unknown as { showScroller(): Promise<void> }).showScroller())
    const framesPlain = await scrollThrough(plain, '#scroller', scrollSteps)
    return { sync, typedSync, typed, typedPlain, frames, framesPlain, heap, startFull, startEmpty, csv }
  } finally {
    await service.end().catch(() => undefined)
    home.remove()
    typedHome.remove()
    empty.remove()
  }
}

/** V1 to V5, D2 and D4 in the built app at 10,000 and 100,000 devices, beside the plainest list there is. Takes about five minutes. */
export async function run(
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<object> {
  const built = spawnSync(process.execPath, [resolve(import.meta.dirname, '../../build/build.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (built.status !== 0) throw new Error('the app could not be built')
  const peer = await openPlainLists()
  const figures: Record<string, number> = {}
  for (const [size, devices] of [
    ['10k', 10_000],
    ['100k', 100_000],
  ] as const) {
    say(`${devices} devices`)
    const found = await measure(devices, peer, say)
    figures[`V2_p95_${size}`] = rounded(percentile(found.typed, 0.95))
    figures[`V2_median_${size}`] = rounded(percentile(found.typed, 0.5))
    figures[`V2_plain_p95_${size}`] = rounded(percentile(found.typedPlain, 0.95))
    const last = size === '100k' ? '' : '_10k'
    figures[`V3_p99_ratio${last}`] = rounded(
      percentile(found.frames, 0.99) / percentile(found.framesPlain, 0.99),
      2,
    )
    figures[`V3_p99${last}`] = rounded(percentile(found.frames, 0.99))
    figures[`V3_median${last}`] = rounded(percentile(found.frames, 0.5))
    figures[`V1_ratio${last}`] = rounded(found.startFull / found.startEmpty, 2)
    figures[`V1_ms${last}`] = rounded(found.startFull)
    figures[`V4_heap_MB${last}`] = rounded(found.heap)
    figures[`V5_p95${last}`] = rounded(percentile(found.typedSync.inputDelays, 0.95))
    figures[`D2_ratio${last}`] = rounded(found.sync.ratio, 2)
    figures[`D2_while_typing_ratio${last}`] = rounded(found.typedSync.ratio, 2)
    figures[`D2_ms${last}`] = rounded(found.sync.ms)
    figures[`D2_first_rows_ms${last}`] = rounded(found.sync.firstRowsAfterMs)
    figures[`D4_ratio${last}`] = rounded(found.csv.ratio, 2)
    figures[`D4_ms${last}`] = rounded(found.csv.ms)
  }
  await peer.close()
  return figures
}
