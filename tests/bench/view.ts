import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import type { Core } from '../../electron/core/app.ts'
import { newHome, startProgram, type Home, type Program } from '../e2e/program.ts'
import { addOrganization, addOrganizationOf, ask, goTo, openCore } from './load/app-under-test.ts'
import { build } from './load/built.ts'
import { paletteLetters, planOpens } from './load/deciding.ts'
import { earlierBuild } from './load/earlier-build.ts'
import { firstSync, type FirstSync } from './load/first-sync.ts'
import { heapInMegabytes, median, percentile, rounded } from './load/in-page.ts'
import { fillLists } from './load/long-lists.ts'
import { openPlainLists } from './load/plain-lists.ts'
import { scrollInTurn, type ListFigures } from './load/scrolling.ts'
import { startService, type Service } from './load/service.ts'
import { lettersOf, typeWord, wordsIn, type Word } from './load/typing.ts'
import { writeBegins } from './load/write-begins.ts'

/** HEADROOM_DEVICES=2000: smaller, to check that it works; the figures keep their names. */
const most = Number(process.env['HEADROOM_DEVICES'] ?? 100_000)
/** With few devices, fewer repetitions do, and the earlier build is not made. */
const isShort = most < 10_000
/** The total of a list with this many devices at full size. */
const scaled = (count: number): number => Math.max(500, Math.round((count * most) / 100_000))
/** HEADROOM_ONLY=filter: measures only typing in the filter; `start`: only starts and first syncs. */
const measured = process.env['HEADROOM_ONLY']
const [lines, rooms] = [scaled(100_000), scaled(6_000)]
const latencyInMs = 20
const starts = isShort ? 2 : 5
/**
 * For each list: if a page moves 8 rows a frame, its frames are of two speeds, and two repetitions may both
 * have the same one (measured).
 */
const repetitions = isShort ? 1 : 5
/** Number of letters after the first whose results are measured. */
const letters = isShort ? 10 : 100

type Say = (line: string) => void

const fleetOf = (devices: number): readonly string[] => [
  '--latency',
  String(latencyInMs),
  '--devices',
  String(devices),
  '--rooms',
  String(Math.min(rooms, devices / 4)),
]

/** `sign`: what shows that the page is ready, and how often. */
async function startAtDevices(
  home: Home,
  folder?: string,
  sign: readonly [selector: string, count: number] = ['[role=row]', 3],
): Promise<Program> {
  const program = await startProgram(home, {}, [], folder)
  await goTo(program.page, '/devices')
  await drawn(program.page, ...sign)
  return program
}

/** Until a frame has so many elements; a locator would look again only after up to half a second. */
const drawn = (page: Page, selector: string, count: number): Promise<unknown> =>
  page.waitForFunction(([wanted, least]) => document.querySelectorAll(wanted).length >= least, [
    selector,
    count,
  ] as const)

/** Data from a program that is closed again, so that the measured program has nothing cached. */
async function inProgram<T>(
  home: Home,
  folder: string | undefined,
  what: (page: Page) => Promise<T>,
): Promise<T> {
  const program = await startProgram(home, {}, [], folder)
  await program.page.getByRole('heading', { level: 1 }).waitFor()
  const answer = await what(program.page)
  await program.app.close()
  return answer
}

/** A home of the earlier build with the same devices. */
async function earlierHome(service: Service, folder: string): Promise<Home> {
  const home = newHome()
  await inProgram(home, folder, async (page) => {
    await addOrganizationOf(page, service)
    await ask(page, 'sync.run')
  })
  return home
}

interface Typed {
  readonly now: readonly number[]
  /**
   * The figures of the earlier build, measured word by word in turn with this one; null: it could not be
   * built.
   */
  readonly before: readonly number[] | null
}

async function typeInTurn(
  home: Home,
  words: readonly string[],
  before: { readonly home: Home; readonly folder: string } | null,
): Promise<Typed> {
  const builds = [{ home, folder: undefined }, ...(before === null ? [] : [before])]
  const typists: { program: Program; words: readonly Word[]; took: number[] }[] = []
  for (const one of builds) {
    const known = await inProgram(one.home, one.folder, (page) =>
      lettersOf(page, words, one.folder === undefined ? 'devices.slice' : 'devices.window'),
    )
    typists.push({
      program: await startAtDevices(one.home, one.folder),
      words: known,
      took: [],
    })
  }
  for (let word = 0; word < words.length; word++) {
    if (typists.every(({ took }) => took.length > letters)) break
    for (const typist of typists) {
      await typist.program.page.bringToFront()
      typist.took.push(...(await typeWord(typist.program.page, typist.words[word] ?? [])))
    }
  }
  const heard: (readonly number[])[] = []
  for (const { program, took } of typists) {
    await program.app.close()
    if (took.length <= letters) throw new Error(`only ${took.length} letters led to other devices`)
    heard.push(took.slice(1))
  }
  return { now: heard[0] ?? [], before: heard[1] ?? null }
}

/**
 * Milliseconds from the start of the program to a row, and to the text of an empty list, in turn; and those
 * of the first letter after each start.
 */
async function startUps(
  full: Home,
  key: string,
  words: readonly string[],
): Promise<{ readonly ratio: number; readonly ms: number; readonly firstLetter: number }> {
  const beginnings = words.map((word) => word.slice(0, 1))
  const known = await inProgram(full, undefined, (page) => lettersOf(page, beginnings))
  const letter = known.find(([only]) => only !== undefined && only.total !== '')
  if (letter === undefined) throw new Error('no first letter leads to other devices')
  const empty = newHome()
  // Nothing listens there.
  const nowhere = 'http://127.0.0.1:9'
  await addOrganization(empty, {
    managementUrl: nowhere,
    metadataUrl: nowhere,
    key,
    end: () => Promise.resolve(),
  })
  const nothing = ['.notice, .empty', 1] as const
  // Both have been used: a profile that has shown the page for a second starts 0.1 s slower than a new one.
  for (const program of [await startAtDevices(full), await startAtDevices(empty, undefined, nothing)]) {
    await program.page.waitForTimeout(1_000)
    await program.app.close()
  }
  const [withRows, without, first]: number[][] = [[], [], []]
  for (let round = 0; round < starts; round++) {
    let at = performance.now()
    let program = await startAtDevices(full)
    withRows?.push(performance.now() - at)
    first?.push(...(await typeWord(program.page, letter)))
    await program.app.close()
    at = performance.now()
    program = await startAtDevices(empty, undefined, nothing)
    without?.push(performance.now() - at)
    await program.app.close()
  }
  empty.remove()
  const ms = median(withRows ?? [])
  return { ratio: ms / median(without ?? []), ms, firstLetter: median(first ?? []) }
}

/** V3 of the five long lists, each compared with a plain one with the same number of rows. */
async function scrollLists(
  { page }: Program,
  { job, begins }: Filled,
  say: Say,
): Promise<Readonly<Record<string, ListFigures>>> {
  const peer = await openPlainLists()
  const lists = [
    { name: 'devices', title: 'Devices', place: '/devices', rows: most },
    { name: 'rooms', title: 'Rooms', place: '/rooms', rows: rooms },
    { name: 'changes', title: 'Changes', place: '/changes', rows: lines },
    { name: 'journal', title: 'Journal', place: '/journal', rows: lines + begins.length },
    { name: 'job', title: 'Jobs', place: `/jobs/${job}`, rows: rooms },
  ]
  const figures: Record<string, ListFigures> = {}
  for (const { name, title, place, rows } of lists) {
    await goTo(page, place)
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    if (name === 'changes') {
      await page.getByRole('button', { name: 'List', exact: true }).click()
      await page.getByRole('button', { name: /^Headsets on and off/ }).click()
    }
    if (name === 'job') await page.getByRole('tab', { name: /^All/ }).click()
    await page.locator(`[role=grid][aria-rowcount="${rows + 1}"]`).waitFor()
    await peer.page.reload()
    await peer.page.evaluate(async (count) => {
      const plain = window as unknown as {
        fill(count: number): Promise<void>
        showScroller(): Promise<void>
      }
      await plain.fill(count)
      await plain.showScroller()
    }, rows)
    const found = await scrollInTurn(page, peer.page, repetitions)
    figures[name] = found
    say(
      `  ${name}: wheel ${found.wheel_p95} ms, ${found.wheel_text} % with text, drag ${found.drag_ratio} of the peer, fly-by ${found.flyby_max} ms, text after ${found.rest_to_text} ms`,
    )
  }
  await peer.close()
  return figures
}

/** CSV of every device through the core, compared with the same rows read at once and joined by hand. */
async function exportRatio(home: Home, core: Core): Promise<number> {
  const organization = (await core.handlers.organizations.list()).organizations[0]!
  const startedAt = performance.now()
  const { id } = await core.handlers.exports.open({
    subject: { of: 'devices', selection: { kind: 'matching', where: '', except: [] }, sort: [] },
    format: 'csv',
    columns: null,
    delimiter: ',',
    timeZone: 'Europe/Copenhagen',
    viewName: null,
  })
  let length = 0
  for (let next = await core.handlers.exports.next({ id }); next !== null;) {
    length += next.text.length
    next = await core.handlers.exports.next({ id })
  }
  const ms = performance.now() - startedAt
  const plainAt = performance.now()
  const database = new DatabaseSync(join(home.folder, 'home', 'store.sqlite'), { readOnly: true })
  const plain = database
    .prepare(
      `SELECT d.*, o.observed_at, o.gone_at FROM device_row d JOIN raw_record o ON o.row_id = d.row_id WHERE d.organization_id = ? AND d.gone = 0 ORDER BY d.title_key, d.id`,
    )
    .all(organization.id)
    .map((row) => Object.values(row).join(','))
    .join('\r\n')
  database.close()
  const plainMs = performance.now() - plainAt
  if (length === 0 || plain.length === 0) throw new Error('nothing was exported')
  return ms / plainMs
}

interface Filled {
  readonly home: Home
  readonly key: string
  readonly before: { readonly home: Home; readonly folder: string } | null
  readonly job: string
  readonly begins: readonly number[]
  end(): void
}

/** Homes of this build and the earlier one with this many devices, without a running service. */
async function filledHomes(devices: number, folder: string | null): Promise<Filled> {
  const service = await startService(...fleetOf(devices))
  const home = newHome()
  await addOrganization(home, service)
  const core = await openCore(home, service.key)
  const begins = await writeBegins(core)
  const job = await fillLists(core, { lines, items: rooms })
  await core.close()
  const before = folder === null ? null : { home: await earlierHome(service, folder), folder }
  await service.end()
  return {
    home,
    key: service.key,
    before,
    job,
    begins,
    end: () => {
      home.remove()
      before?.home.remove()
    },
  }
}

const ratioOf = ({ now, before }: Typed): number | null =>
  before === null ? null : rounded(percentile(now, 0.95) / percentile(before, 0.95), 2)

const filterFigures = (small: Typed, large: Typed): Readonly<Record<string, number | null>> => ({
  V2_p95_10k: rounded(percentile(small.now, 0.95)),
  V2_p95_100k: rounded(percentile(large.now, 0.95)),
  V2_median_10k: rounded(median(small.now)),
  V2_median_100k: rounded(median(large.now)),
  V2_vs_before_10k: ratioOf(small),
  V2_vs_before_100k: ratioOf(large),
})

const syncFigures = (sync: FirstSync, busy: FirstSync): Readonly<Record<string, number>> => ({
  V5_p95: rounded(percentile(busy.inputDelays, 0.95)),
  D2_ratio: rounded(sync.ratio, 2),
  D2_ms: sync.ms,
  D2_delay_p99: rounded(sync.loopDelayP99),
  D2_first_rows: sync.firstRowPages,
  D2_while_typing_ratio: rounded(busy.ratio, 2),
  mainMb_100k: rounded(busy.peakMb),
})

/** The rooms of these two sites have about 6,000 devices at full size. */
const openPlans = async (page: Page) => ({
  plan_of_6000_devices_ms: rounded(await planOpens(page, 'site:Ballerup,Aarhus')),
  plan_of_6000_rooms_ms: rounded(await planOpens(page, '')),
})

/** How quickly a person can begin and decide, without typing in a filter or scrolling. */
async function startFigures(): Promise<Readonly<Record<string, number>>> {
  const sync = await firstSync(fleetOf(most), false)
  const busy = await firstSync(fleetOf(most), true)
  const large = await filledHomes(most, null)
  const words = await inProgram(large.home, undefined, wordsIn)
  const start = await startUps(large.home, large.key, words)
  const program = await startAtDevices(large.home)
  const palette = await paletteLetters(program.page, words.slice(0, 12))
  const plans = await openPlans(program.page)
  await program.app.close()
  large.end()
  return {
    V1_ratio: rounded(start.ratio, 2),
    V1_ms: rounded(start.ms),
    palette_p95_100k: rounded(percentile(palette, 0.95)),
    ...plans,
    write_begin_p99: rounded(percentile(large.begins, 0.99)),
    ...syncFigures(sync, busy),
  }
}

/** V1 to V5, D2 and D4 in the built app, as defined in the targets. Takes up to twenty minutes. */
export async function run(
  say: Say = (line) => void process.stderr.write(`${line}\n`),
): Promise<Readonly<Record<string, unknown>>> {
  build()
  if (measured === 'start') return startFigures()
  const earlier = isShort ? { folder: null, reason: 'few devices: no earlier build' } : earlierBuild()
  if (earlier.folder === null) say(earlier.reason)

  const small = await filledHomes(most / 10, earlier.folder)
  const words = await inProgram(small.home, undefined, wordsIn)
  const typedSmall = await typeInTurn(small.home, words, small.before)
  small.end()
  say(`${most / 10} devices: letter p95 ${rounded(percentile(typedSmall.now, 0.95))} ms`)

  if (measured === 'filter') {
    const large = await filledHomes(most, earlier.folder)
    const typed = await typeInTurn(large.home, words, large.before)
    large.end()
    return filterFigures(typedSmall, typed)
  }

  const sync = await firstSync(fleetOf(most), false)
  const busy = await firstSync(fleetOf(most), true)
  say(`${most} devices synced in ${sync.ms} ms, while somebody types in ${busy.ms} ms`)

  const large = await filledHomes(most, earlier.folder)
  const start = await startUps(large.home, large.key, words)
  const typed = await typeInTurn(large.home, words, large.before)
  say(`start ${rounded(start.ms)} ms, letter p95 ${rounded(percentile(typed.now, 0.95))} ms`)

  const program = await startAtDevices(large.home)
  const lists = await scrollLists(program, large, say)
  const palette = await paletteLetters(program.page, words.slice(0, 12))
  const plans = await openPlans(program.page)
  const heap = await heapInMegabytes(program.page)
  await program.app.close()
  const core = await openCore(large.home, large.key)
  const exported = await exportRatio(large.home, core)
  await core.close()
  large.end()

  const worst = (figure: keyof ListFigures): number =>
    Math.max(...Object.values(lists).map((list) => list[figure]))
  return {
    V1_ratio: rounded(start.ratio, 2),
    V1_ms: rounded(start.ms),
    ...filterFigures(typedSmall, typed),
    V2_first_100k: rounded(start.firstLetter),
    ...(earlier.folder === null ? { V2_vs_before_reason: earlier.reason } : {}),
    V3_wheel_p95: worst('wheel_p95'),
    V3_wheel_steps: worst('wheel_steps'),
    V3_wheel_text: Math.min(...Object.values(lists).map((list) => list.wheel_text)),
    V3_drag_ratio: worst('drag_ratio'),
    V3_flyby_max: worst('flyby_max'),
    V3_rest_to_text: worst('rest_to_text'),
    lists,
    palette_p95_100k: rounded(percentile(palette, 0.95)),
    ...plans,
    ...syncFigures(sync, busy),
    D4_ratio: rounded(exported, 2),
    write_begin_p99: rounded(percentile(large.begins, 0.99)),
    rendererMb_100k: rounded(heap),
  }
}
