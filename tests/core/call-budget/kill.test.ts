import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inject, it, type TestContext } from 'vitest'
import { managementLimits as limits } from '../../../electron/core/call-budget/call-budget.ts'
import { count, kills } from '../../setup/cases.ts'
import { inFull } from '../../setup/in-full.ts'
import { propertySeed } from '../../setup/seed.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { peak } from './peak.ts'

const program = join(inject('programs'), 'tests/core/call-budget/calling-program.mjs')
const minute = 60_000
const twoSeconds = 2 * limits.perSecond
const half = limits.perWindow / 2

interface Killing {
  readonly name: string
  /** Kills in a proof. */
  readonly due: number
  /** How many times as fast its clock runs: what takes a second of it takes less. */
  readonly speed: number
  /** Killed within this time after the first call of a run, ms of its clock. */
  readonly withinMs: number
  readonly idleInMs?: number
  readonly disk?: 'slow' | 'full'
  /** How far the clock is set before the first run of every period but the first, ms; they are more than five minutes apart. */
  readonly setByMs?: number
  /** The workbook is new in the last run of every period. */
  readonly isLost?: true
  /** Calls beyond the window of five minutes. */
  readonly beyond: number
}

/** Kills in the short form, and the runs between two changes of a home: each kind of change happens, with a kill before and after it. */
const fewKills = 3
const period = inFull ? 12 : 2

const any = { speed: 20, withinMs: 40_000 }
const killings: readonly Killing[] = [
  { name: 'within the first second of each run', due: 120, speed: 4, withinMs: 1_000, beyond: twoSeconds },
  { ...any, name: 'at any moment', due: 60, beyond: twoSeconds },
  {
    name: 'in bursts after idle minutes',
    due: 60,
    speed: 60,
    withinMs: 5 * minute,
    idleInMs: 2 * minute,
    beyond: twoSeconds,
  },
  { ...any, name: 'on a slow disk', due: 30, disk: 'slow', beyond: half },
  { ...any, name: 'on a full disk', due: 30, disk: 'full', beyond: half },
  { ...any, name: 'with a clock set back', due: 36, setByMs: -10 * minute, beyond: half + twoSeconds },
  { ...any, name: 'with a lost workbook', due: 36, isLost: true, beyond: half + twoSeconds },
  // Nobody can tell a clock that was set forward from time that passed.
  { ...any, name: 'with a clock set forward', due: 24, setByMs: 10 * minute, beyond: limits.perWindow },
]

/** Runs killed one after the other on one home; the times of calls, and the least time between writes to a device. */
async function killed(given: Killing, due: number, onTestFinished: TestContext['onTestFinished']) {
  const { speed, withinMs, idleInMs = 0, disk = 'good', setByMs = 0, isLost } = given
  const offset = (run: number): number => Math.floor(run / period) * setByMs
  const home = new TemporaryHome()
  onTestFinished(() => home.remove())
  const calls: number[] = []
  const writes = new Map<string, { readonly at: number; readonly run: number }[]>()
  let changes = 0
  let random = propertySeed
  for (let run = 0; run < due; run++) {
    const isNew = isLost && run % period === period - 1
    if (isNew || offset(run) !== offset(Math.max(0, run - 1))) changes++
    if (isNew)
      for (const end of ['', '-wal', '-shm'])
        rmSync(join(home.folder, `workbook.sqlite${end}`), { force: true })
    const own = [speed, offset(run), idleInMs, run % 2 === 0 ? disk : 'good', isNew ? 'lost' : '']
    const child = spawn(process.execPath, [program, home.folder, ...own.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const gone = once(child, 'close')
    await Promise.race([once(child.stdout, 'data'), gone])
    random = (random * 16_807) % 2_147_483_647
    await wait((withinMs * (random / 2_147_483_647)) / speed)
    if (!child.kill('SIGKILL')) throw new Error('The program ended by itself.')
    await gone
    const told = join(home.folder, 'told.txt')
    for (const line of readFileSync(told, 'utf8').trim().split('\n')) {
      const [what = '', at] = line.split(' ')
      if (what === 'call') calls.push(Number(at))
      else writes.set(what, [...(writes.get(what) ?? []), { at: Number(at), run }])
    }
    rmSync(told)
  }
  /** Of writes to one device; `isForward`: between them the clock moved forward by a minute or more. */
  const gaps = [...writes.values()].flatMap((times) =>
    times.slice(1).map(({ at, run }, index) => {
      const before = times[index]!
      return { inMs: at - before.at, isForward: offset(run) - offset(before.run) >= minute }
    }),
  )
  const early = (isForward: boolean): number =>
    gaps.filter((gap) => gap.isForward === isForward && gap.inMs < minute).length
  return {
    changes,
    calls: calls.length,
    second: Math.max(0, peak(calls, 1_000) - limits.perSecond),
    window: Math.max(0, peak(calls, limits.windowInMs) - limits.perWindow),
    writes: gaps.length,
    early: early(false),
    earlyForward: early(true),
  }
}

it.concurrent.for(killings)(
  'runs killed $name: calls beyond a window are few, and a device is written once a minute',
  { timeout: 300_000 + kills(fewKills) * 10_000 },
  async (given, { expect, onTestFinished }) => {
    const due = inFull ? given.due : fewKills
    const found = await killed(given, due, onTestFinished)
    if (inFull) process.stdout.write(`${given.name}: ${JSON.stringify(found)}\n`)
    expect({
      some: found.calls > due,
      isChanged: found.changes > 0,
      second: found.second <= twoSeconds,
      window: found.window <= given.beyond,
      early: found.early,
    }).toEqual({
      some: true,
      isChanged: given.setByMs !== undefined || given.isLost === true,
      second: true,
      window: true,
      early: 0,
    })
    count('kills', due, due)
  },
)
