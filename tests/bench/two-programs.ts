import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from './load/service.ts'

const callsOfEach = 500

interface Counts {
  readonly arrivals: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly mostInASecond: number
  readonly mostInAWindow: number
}

/**
 * R3: in real time, 1,000 calls of two programs on one data folder, its owner and a client, through a service of 20 a second and 300 in 30 seconds.
 * What counts is how many were answered with 429. A minute and a half on an idle machine.
 */
export async function run(
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<object> {
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
    const owner = start('limit-caller.ts', environment, callsOfEach)
    await owner.serves
    const client = await start('limit-client.ts', withoutKey, callsOfEach).said
    owner.end()
    const programs = [await owner.said, client]
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    const answer = await fetch(`${service.managementUrl.replace(/management$/, 'demonstration')}/counts`, {
      headers: { 'Ocp-Apim-Subscription-Key': service.key },
    })
    const { arrivals, mostInASecond, mostInAWindow } = (await answer.json()) as Counts
    const byStatus = arrivals['ListDevices'] ?? {}
    say(
      `two programs, ${callsOfEach} calls each: ${byStatus['200'] ?? 0} answered 200, ${byStatus['429'] ?? 0} answered 429, ${seconds} s`,
    )
    return {
      programs,
      answered200: byStatus['200'] ?? 0,
      answered429: byStatus['429'] ?? 0,
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
  /** The owner can be connected to. */
  readonly serves: Promise<void>
  readonly end: () => void
  /** What it says of its calls in the last line. */
  readonly said: Promise<unknown>
}

function start(script: string, environment: Record<string, string | undefined>, calls: number): Started {
  const path = join(import.meta.dirname, 'load', script)
  const child = spawn(process.execPath, [path, String(calls)], { env: environment })
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
