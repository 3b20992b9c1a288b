import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { startDemonstration, type Demonstration } from '../../../electron/demo/demonstration.ts'
import { clockAt } from '../../core/writes/fast-clock.ts'
import bundlePrograms from '../../setup/bundled-programs.ts'

export const devices = 1_000
const roomsOfALife = 8
const rooms = 64
/** The bundled programs: a start from source takes several times the processor time. */
const programs = new Promise<string>((found) => {
  void bundlePrograms({ provide: (_, folder) => found(join(folder, 'tests/bench/load')) })
})

/** A line of the program that is killed. */
interface Said {
  readonly said: 'begins' | 'ends' | 'opened' | 'synced' | 'restarting' | 'fetched' | 'kit'
  readonly what?: string
  readonly devices?: number
  readonly problems?: readonly unknown[]
  readonly state?: string
  readonly changed?: readonly string[]
  readonly missing?: readonly string[]
}

export interface Life {
  readonly child: ChildProcess
  readonly said: readonly Said[]
  /** Resolves with its first line like this; rejects if it ends before. */
  readonly says: (is: (one: Said) => boolean) => Promise<Said>
  readonly kill: () => Promise<void>
  /** What had begun and not ended when it was killed. */
  readonly underWay: () => ReadonlySet<string>
}

export const opens = ({ said }: Said): boolean => said === 'opened'
export const begins =
  (wanted: string) =>
  ({ said, what }: Said): boolean =>
    said === 'begins' && what === wanted

/** One data folder, and a service whose clock is as fast as that of the programs. */
export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), 'headroom-power-'))
  readonly home = join(this.folder, 'home')
  readonly service: Demonstration
  readonly #load: string
  readonly #speed: number
  readonly #stop: AbortSignal
  private constructor(service: Demonstration, load: string, speed: number, stop: AbortSignal) {
    this.#load = load
    this.#speed = speed
    this.service = service
    this.#stop = stop
  }

  /** With a first complete sync. */
  static async open(stop: AbortSignal, speed = 20): Promise<Bench> {
    const service = await startDemonstration({
      devices,
      rooms,
      latencyMs: 20,
      limits: { perSecond: 100_000, perWindow: 1_000_000, windowSeconds: 300 },
      now: clockAt(speed).now,
    })
    const bench = new Bench(service, await programs, speed, stop)
    const first = bench.start(0)
    await first.says(({ said }) => said === 'synced')
    await first.kill()
    return bench
  }

  get #environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      HEADROOM_KEY: this.service.key,
      HEADROOM_CLOCK_SPEED: String(this.#speed),
      NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../../node_modules/.cache/headroom/compiled'),
    }
  }

  /** Every fourth life restarts the same rooms. */
  start(
    number: number,
    works: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
    home = this.home,
  ): Life {
    const { managementUrl, metadataUrl } = this.service
    const child = spawn(
      process.execPath,
      [
        '--no-warnings',
        join(this.#load, 'killed-program.mjs'),
        home,
        managementUrl,
        metadataUrl,
        String(number % 4),
        String(roomsOfALife),
        ...works,
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...this.#environment, ...environment },
        signal: this.#stop,
        killSignal: 'SIGKILL',
      },
    )
    const said: Said[] = []
    const waiting = new Set<() => void>()
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(JSON.parse(line) as Said)
      for (const look of waiting) look()
    })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece))
    let isKilled = false
    const closed = once(child, 'close')
    const ended = closed.then(([code, signal]) => {
      if (!isKilled) throw new Error(`The program ended by itself with ${String(code ?? signal)}: ${errors}`)
    })
    ended.catch(() => undefined)
    const says = (is: (one: Said) => boolean): Promise<Said> =>
      new Promise((tell, reject) => {
        const look = (): void => {
          const found = said.find(is)
          if (found === undefined) return
          waiting.delete(look)
          tell(found)
        }
        waiting.add(look)
        ended.catch(reject)
        look()
      })
    return {
      child,
      said,
      says,
      kill: async () => {
        isKilled ||= child.exitCode === null && child.signalCode === null
        child.kill('SIGKILL')
        await closed
        await ended
      },
      underWay: () => {
        const open = new Map<string, number>()
        for (const { said: word, what = '' } of said)
          open.set(what, (open.get(what) ?? 0) + Number(word === 'begins') - Number(word === 'ends'))
        return new Set([...open].flatMap(([what, times]) => (times > 0 ? [what] : [])))
      },
    }
  }

  /** A command with the key, as a script has it. */
  command(...words: readonly string[]): ChildProcess {
    return spawn(
      process.execPath,
      ['--no-warnings', join(this.#load, 'killed-client.mjs'), this.home, ...words],
      {
        stdio: 'ignore',
        env: this.#environment,
        signal: this.#stop,
        killSignal: 'SIGKILL',
      },
    )
  }

  /** Resolves when so many more requests have arrived: a busy machine takes longer. */
  async requests(more: number, { child }: Life): Promise<void> {
    const until = this.service.counts().total + more
    while (this.service.counts().total < until && child.exitCode === null) await wait(2)
  }

  async remove(): Promise<void> {
    await this.service.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
