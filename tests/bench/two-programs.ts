import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from './load/service.ts'

const script = join(import.meta.dirname, 'load', 'limit-caller.ts')
const callsOfEach = 500

interface Counts {
  readonly arrivals: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly mostInASecond: number
  readonly mostInAWindow: number
}

/**
 * R3: in real time, 1,000 calls of two programs that share a home and a key, through a service of 20 a second and 300 in 30 seconds.
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
    await callsOfAProgram(environment, 0)
    const programs = await Promise.all([
      callsOfAProgram(environment, callsOfEach),
      callsOfAProgram(environment, callsOfEach),
    ])
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

/** What a program that makes so many calls at once says of them. */
async function callsOfAProgram(
  environment: Record<string, string | undefined>,
  calls: number,
): Promise<unknown> {
  const child = spawn(process.execPath, [script, String(calls)], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  await once(child, 'close')
  return JSON.parse(said)
}
