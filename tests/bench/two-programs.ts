import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from './load/service.ts'

const calls = 1_000
/** The owner makes its calls at once; every client makes them one after the other. */
const clientsOf = [1, 2]

interface Counts {
  readonly arrivals: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly mostInASecond: number
  readonly mostInAWindow: number
}
type Say = (line: string) => void

/**
 * In real time, 1,000 calls of two and of three programs on one data folder, its owner and its clients,
 * through a service of 20 a second and 300 in 30 seconds. Measured: responses with 429. Two minutes each on
 * an idle machine.
 */
export async function run(say: Say = (line) => void process.stderr.write(`${line}\n`)): Promise<object> {
  const figures: object[] = []
  for (const clients of clientsOf) figures.push(await together(clients, say))
  return { figures }
}

async function together(clients: number, say: Say): Promise<object> {
  const service = await startService('--devices', '40', '--rooms', '4', '--limits', '20/1,300/30')
  const home = mkdtempSync(join(tmpdir(), 'headroom-bench-'))
  try {
    const startedAt = performance.now()
    const environment = {
      ...process.env,
      HEADROOM_HOME: home,
      HEADROOM_KEY: service.key,
      BENCH_MANAGEMENT: service.managementUrl,
      BENCH_METADATA: service.metadataUrl,
    }
    const first = start('limit-caller.ts', environment, 0)
    first.end()
    await first.said
    const { HEADROOM_KEY: _, ...withoutKey } = environment
    const ofEach = Math.floor(calls / (clients + 1))
    const owner = start('limit-caller.ts', environment, calls - clients * ofEach)
    await owner.serves
    const said = await Promise.all(
      Array.from({ length: clients }, () => start('limit-client.ts', withoutKey, ofEach).said),
    )
    owner.end()
    const ended = JSON.stringify([await owner.said, ...said])
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    const answer = await fetch(`${service.managementUrl.replace(/management$/, 'demonstration')}/counts`, {
      headers: { 'Ocp-Apim-Subscription-Key': service.key },
    })
    const { arrivals, mostInASecond, mostInAWindow } = (await answer.json()) as Counts
    const byStatus = arrivals['ListDevices'] ?? {}
    const [answered200, answered429] = [byStatus['200'] ?? 0, byStatus['429'] ?? 0]
    say(`${clients + 1} programs: ${answered200} answered 200, ${answered429} answered 429, ${seconds} s`)
    return {
      programs: clients + 1,
      ended,
      answered200,
      answered429,
      mostInASecond,
      mostInThirtySeconds: mostInAWindow,
      seconds,
    }
  } finally {
    await service.end()
    rmSync(home, { recursive: true, force: true })
  }
}

interface Started {
  /** Resolves when the owner accepts connections. */
  readonly serves: Promise<void>
  readonly end: () => void
  /** The report on its calls in the last line. */
  readonly said: Promise<unknown>
}

function start(script: string, environment: Record<string, string | undefined>, atMost: number): Started {
  const path = join(import.meta.dirname, 'load', script)
  const child = spawn(process.execPath, [path, String(atMost)], { env: environment })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  return {
    serves: new Promise((serves) =>
      child.stderr.setEncoding('utf8').on('data', (piece: string) => {
        if (piece.includes('serves')) serves()
      }),
    ),
    end: () => child.stdin.end(),
    said: once(child, 'close').then(() => JSON.parse(said.trim().split('\n').at(-1) ?? '') as unknown),
  }
}
