import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { sequence } from '../../electron/demo/random.ts'
import { openCore } from '../bench/load/app-under-test.ts'
import { begins, Bench, devices, opens, type Life } from './power/bench.ts'
import { damagedFiles } from './power/damaged-files.ts'
import { againstService, lookInto, type Found } from './power/invariants.ts'
import { readRecords, replay } from './power/replay.ts'
import type { Part, Result } from './runner/part.ts'
import { number } from './runner/report.ts'

/** A smaller run while this is changed: it is red. */
const share = Number(process.env['HEADROOM_SHARE'] ?? 1)
const asMany = (due: number): number => Math.max(1, Math.round(due * share))

/** What a kill interrupts; the further work of the program, and after how many requests, or ms, it is killed at most. */
const kinds = {
  sync: { works: [], requests: 40, ms: 20 },
  jobs: { works: ['jobs'], requests: 40, ms: 20 },
  downloads: { works: ['jobs', 'downloads'], requests: 160, ms: 200 },
  kits: { works: ['jobs', 'kits'], requests: 160, ms: 200 },
  'hand-over': { works: ['jobs'], requests: 0, ms: 300 },
  rebuilding: { works: ['jobs'], requests: 0, ms: 100 },
} as const
type Kind = keyof typeof kinds
const isKind = (piece: string): piece is Kind => piece in kinds

/** What has to happen beside the zeros of a kind. */
const needed: Readonly<Record<string, Kind>> = {
  'files fetched': 'downloads',
  'kits verified': 'kits',
  'lines after another of their device': 'jobs',
}

const killsOfAKind = 50
const copiesDue = 300
const lossesDue = 100
const lossesOfARun = 10

/** Counts, and what was broken, of one piece. */
class Tally {
  readonly broken: string[] = []
  readonly #counts = new Map<string, number>()
  readonly #startedAt = performance.now()
  add(what: string, count = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + Number(count))
  }
  mustHave(what: string): void {
    if ((this.#counts.get(what) ?? 0) === 0) this.broken.push(`There were no ${what}.`)
  }
  /** The counts of the last look stand for all before it. */
  found(where: string, found: Found, effects: Readonly<Record<string, number>>): void {
    this.broken.push(...[...found.broken, ...againstService(found, effects)].map((one) => `${where}: ${one}`))
    this.add('looks')
    this.add('in a sync', Number(found.inSync))
    this.add('with items under way', Number(found.underWay > 0))
    this.add('in a rebuilding', Number(found.rebuilding))
    this.#counts.set('journal lines', found.lines)
    this.#counts.set('lines after another of their device', found.gaps)
    this.#counts.set('ended items', found.endedItems)
  }
  result(test: string, of: 'cases' | 'kills', due: number, ran: number): Result {
    return {
      counts: [{ test, of, due, ran }],
      failed: this.broken.length === 0 ? [] : [{ test, detail: this.broken.join('\n') }],
      seconds: Math.round((performance.now() - this.#startedAt) / 100) / 10,
      notes: [[...this.#counts].map(([what, count]) => `${what} ${number(count)}`).join(', ')],
    }
  }
}

/** What the program said of itself since it opened: problems, files that failed, kits that are not whole. */
function complaints({ said }: Life, tally: Tally): readonly string[] {
  tally.add('files fetched', said.filter(({ state }) => state === 'done').length)
  tally.add('kits verified', said.filter(({ said: word }) => word === 'kit').length)
  return said.flatMap((one) => {
    const isWhole =
      (one.problems ?? []).length === 0 &&
      (one.devices ?? devices) === devices &&
      one.state !== 'failed' &&
      (one.changed ?? []).length + (one.missing ?? []).length === 0
    return isWhole ? [] : [JSON.stringify(one)]
  })
}

/** Makes the next start build every derived table again. */
function outdate(home: string): void {
  const store = new DatabaseSync(join(home, 'store.sqlite'))
  store.exec(`UPDATE derived_stamp SET stamp = 'of another version'`)
  store.close()
}

/** Resolves when a table is being built again, or when the program has opened. */
async function rebuildingIn(home: string, { said }: Life): Promise<void> {
  const store = new DatabaseSync(join(home, 'store.sqlite'), { readOnly: true })
  const isBuilding = store.prepare(`SELECT 1 FROM derived_stamp WHERE stamp = 'unfinished'`)
  while (isBuilding.get() === undefined && !said.some(opens)) await wait(2)
  store.close()
}

/** Others in each run. */
function roomIds(home: string, run: number): readonly string[] {
  const store = new DatabaseSync(join(home, 'store.sqlite'))
  try {
    return store
      .prepare(`SELECT id FROM raw_record WHERE kind = 'room' ORDER BY id LIMIT 8 OFFSET ?`)
      .all((run % 8) * 8)
      .map(({ id }) => String(id))
  } finally {
    store.close()
  }
}

/** Files with their final name are whole: all of one name are the same. An empty one only reserves its name. */
function wholeFiles(folder: string, hashes: Map<string, string>): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.part') && statSync(join(folder, name)).size > 0)
    .flatMap((name) => {
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      const known = hashes.get(name) ?? hash
      hashes.set(name, known)
      return known === hash ? [] : [`${name} has other bytes.`]
    })
}

async function kills(kind: Kind, seed: number, stop: AbortSignal): Promise<Result> {
  const due = asMany(killsOfAKind)
  const random = sequence(seed)
  const tally = new Tally()
  const { works, requests, ms } = kinds[kind]
  const bench = await Bench.open(stop, kind === 'hand-over' ? 1 : 20)
  const hashes = new Map<string, string>()
  let struck = 0
  try {
    for (let run = 1; struck < due && run <= 5 * due; run++) {
      if (kind === 'rebuilding') outdate(bench.home)
      const command =
        kind === 'hand-over'
          ? bench.command(
              'reboot',
              ...roomIds(bench.home, run),
              '--yes',
              '--unlock',
              '--no-watch',
              '--json',
              '--count',
              '8',
            )
          : null
      const commandEnded = command === null ? null : once(command, 'close')
      const about = join(bench.home, 'run', 'owner.json')
      while (
        command?.exitCode === null &&
        !(existsSync(about) && readFileSync(about, 'utf8').includes(`process ${command.pid}`))
      )
        await wait(20)
      const life = bench.start(run, works)
      await (kind === 'rebuilding'
        ? rebuildingIn(bench.home, life)
        : life.says(kind === 'hand-over' ? begins('hand-over') : opens))
      await bench.requests(Math.floor((requests + 1) * random()), life)
      await wait(ms * random())
      // In a hand-over the one, the other or both.
      const which = command === null ? 'program' : (['program', 'command', 'both'] as const)[run % 3]
      if (which !== 'program') command?.kill('SIGKILL')
      const isUnderWay = life.underWay().has(kind)
      if (which === 'command') await Promise.race([life.says(opens), wait(20_000)])
      await life.kill()
      if (command !== null && commandEnded !== null) {
        // Some go on alone: they are killed, too.
        await Promise.race([commandEnded, wait(1_500)])
        command.kill('SIGKILL')
        await commandEnded
        tally.add(`commands ended with ${command.exitCode ?? 'a kill'}`)
      }
      const found = lookInto(bench.home, devices)
      const where = `kill ${run}`
      tally.found(where, found, bench.service.counts().writes)
      tally.broken.push(
        ...[...complaints(life, tally), ...wholeFiles(join(bench.folder, 'files'), hashes)].map(
          (one) => `${where}: ${one}`,
        ),
      )
      const isStruck = { sync: found.inSync, jobs: found.underWay > 0, rebuilding: found.rebuilding } as const
      struck += Number(
        kind in isStruck ? isStruck[kind as keyof typeof isStruck] : isUnderWay || life.underWay().has(kind),
      )
    }
    for (const [what, of] of Object.entries(needed)) if (of === kind) tally.mustHave(what)
    const refused = bench.service.counts().arrivals['RebootRoom']?.['429'] ?? 0
    if (refused > 0) tally.broken.push(`The service refused ${refused} writes as too early.`)
    tally.add(
      'writes executed',
      Object.values(bench.service.counts().writes).reduce((sum, one) => sum + one, 0),
    )
    return tally.result(`killed in: ${kind}`, 'kills', killsOfAKind, struck)
  } finally {
    await bench.remove()
  }
}

/** Its threads stop one after the other. */
const isStopped = (process: number): boolean =>
  readdirSync(`/proc/${process}/task`).every((thread) =>
    /\) T /.test(readFileSync(`/proc/${process}/task/${thread}/stat`, 'utf8')),
  )

/** Stopped at a random moment, as a snapshot of a disk sees it; every second copy is without the index of the logs. */
async function copies(seed: number, stop: AbortSignal): Promise<Result> {
  const random = sequence(seed)
  const tally = new Tally()
  const bench = await Bench.open(stop)
  const copy = { folder: join(bench.folder, 'copy'), remove: () => undefined }
  let made = 0
  try {
    for (let run = 1; made < asMany(copiesDue); run++) {
      const life = bench.start(run, ['jobs', 'downloads', 'kits'])
      await life.says(opens)
      for (let own = 0; own < 20 && made < asMany(copiesDue); own++) {
        await bench.requests(Math.floor(20 * random()), life)
        life.child.kill('SIGSTOP')
        while (!isStopped(life.child.pid ?? 0)) await wait(1)
        const effects = bench.service.counts().writes
        rmSync(copy.folder, { recursive: true, force: true })
        cpSync(bench.home, join(copy.folder, 'home'), {
          recursive: true,
          filter: (path) => !path.endsWith('.sock') && !(made % 2 === 0 && path.endsWith('-shm')),
        })
        life.child.kill('SIGCONT')
        const where = `copy ${made + 1}`
        const core = await openCore(copy, bench.service.key)
        const { total } = await core.handlers.devices.slice({ where: '', sort: [], start: 0, count: 1 })
        const problems = [...(await core.handlers.app.problems()), ...core.shared.store.rebuilt]
        await core.close()
        if (total !== devices || problems.length > 0)
          tally.broken.push(`${where}: ${total} devices, ${JSON.stringify(problems)}`)
        tally.found(where, lookInto(join(copy.folder, 'home'), devices), effects)
        made++
      }
      await life.kill()
      tally.broken.push(...complaints(life, tally))
    }
    return tally.result('copies of the folder', 'cases', copiesDue, made)
  } finally {
    await bench.remove()
  }
}

const recorder = (folder: string): string => {
  const library = join(folder, 'recorder.so')
  const source = join(import.meta.dirname, 'power', 'recorder.c')
  const { status, stderr } = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread'],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  return library
}

/** The power fails at a random record of a recorded run: what was acknowledged is there, and the program goes on from it. */
async function losses(seed: number, stop: AbortSignal): Promise<Result> {
  const random = sequence(seed)
  const tally = new Tally()
  const bench = await Bench.open(stop)
  const library = recorder(bench.folder)
  const [base, after] = [join(bench.folder, 'base'), join(bench.folder, 'after')]
  let ran = 0
  try {
    for (let run = 1; ran < asMany(lossesDue); run++) {
      const known = lookInto(bench.home, devices)
      if (run % 2 === 0) outdate(bench.home)
      rmSync(base, { recursive: true, force: true })
      cpSync(bench.home, base, { recursive: true, filter: (path) => !path.endsWith('.sock') })
      const log = join(bench.folder, `records-${run}`)
      const life = bench.start(run, ['jobs'], {
        LD_PRELOAD: library,
        HEADROOM_RECORD_IN: log,
        HEADROOM_RECORD_OF: bench.home,
        UV_USE_IO_URING: '0',
      })
      await life.says(opens)
      await bench.requests(60 + Math.floor(60 * random()), life)
      await life.kill()
      const records = readRecords(log)
      tally.add('recorded runs')
      for (const { kind } of records)
        tally.add(kind === 'sent' ? 'requests' : kind === 'sync' ? 'syncs' : 'other records')
      for (let own = 0; own < lossesOfARun && ran < asMany(lossesDue); own++) {
        rmSync(after, { recursive: true, force: true })
        const prefix = records.slice(0, Math.ceil(records.length * random()))
        tally.add('writes of pages lost', replay({ base, from: bench.home, folder: after }, prefix, random))
        const sent = prefix.filter(
          ({ kind, data }) => kind === 'sent' && /^POST \S+\/reboot /i.test(data.toString('latin1')),
        ).length
        const where = `loss ${ran + 1} (run ${run}, ${prefix.length} of ${records.length} records)`
        const found = lookInto(after, devices)
        if (found.lines - known.lines < sent)
          tally.broken.push(`${where}: ${sent} writes were sent, with ${found.lines - known.lines} lines.`)
        tally.add('writes sent before', sent)
        // The device's minute at the service is that of another case.
        bench.service.advance(120_000)
        const effects = bench.service.counts().writes
        const next = bench.start(run, ['jobs'], {}, after)
        await next.says(opens)
        await bench.requests(Math.floor(30 * random()), next)
        await next.kill()
        const since = Object.entries(bench.service.counts().writes).map(
          ([room, times]) =>
            [room, times - (effects[room] ?? 0) + (found.targets.get(room)?.lines ?? 0)] as const,
        )
        const later = lookInto(after, devices)
        tally.found(where, later, Object.fromEntries(since))
        tally.add(
          'writes sent after',
          since.reduce((sum, [room, times]) => sum + times - (found.targets.get(room)?.lines ?? 0), 0),
        )
        tally.broken.push(...complaints(next, tally).map((one) => `${where}: ${one}`))
        ran++
      }
    }
    return tally.result('lost pages', 'cases', lossesDue, ran)
  } finally {
    await bench.remove()
  }
}

const others = { 'copies of the folder': copies, 'lost pages': losses, 'damaged files': damagedFiles }
const run = (piece: string, seed: number, stop: AbortSignal): Promise<Result> =>
  isKind(piece) ? kills(piece, seed, stop) : others[piece as keyof typeof others](seed, stop)

export const part: Part = {
  purpose: `Programs are killed, their folder is copied, the power fails and files are damaged: both databases open, the last snapshot and the journal are whole, no device is written twice within a minute. A case is a copy, a power failure or a damaged file.`,
  pieces: [...Object.keys(kinds), ...Object.keys(others)],
  oneByOne: false,
  targets: [],
  shows: 'D1',
  cannotRun: async () => {
    if (process.platform !== 'linux') return 'it preloads a library and stops processes, as only Linux allows'
    return spawnSync('cc', ['--version']).status === 0 ? null : 'there is no C compiler'
  },
  run: (piece, seed, stop) =>
    run(piece, seed, stop).catch((error: unknown) => ({
      counts: [],
      failed: [{ test: piece, detail: String(error) }],
      seconds: 0,
    })),
  again: (_, seed) => `HEADROOM_PROPERTY_SEED=${seed} npm run proof -- power --again`,
}
