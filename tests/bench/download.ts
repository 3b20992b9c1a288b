import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from './load/built.ts'
import { median } from './load/in-page.ts'
import { startService } from './load/service.ts'

/** The largest file of the demonstration: 1.87 GB. */
const largest = ['2830/12417', '4.2.0.21'] as const
const cli = resolve(import.meta.dirname, '../../out/main/cli.js')
const bareStream = join(import.meta.dirname, 'load/bare-stream.ts')
const lookEveryMs = 100

interface Ran {
  readonly output: string
  readonly ms: number
  /** Prints the peak resident memory of the process. */
  readonly mebibytes: number
}

/** A script in its own process, with its own home. */
async function ran(script: string, words: readonly string[], home: string): Promise<Ran> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['--no-warnings', script, ...words], {
    cwd: home,
    env: { ...process.env, HEADROOM_HOME: join(home, 'home') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let kibibytes = 0
  const look = setInterval(() => (kibibytes = Math.max(kibibytes, peakOf(child.pid ?? 0))), lookEveryMs)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  const code = await new Promise((end) => child.on('close', end))
  clearInterval(look)
  if (code !== 0) throw new Error(`${script} ended with ${String(code)}`)
  return { output, ms: performance.now() - begun, mebibytes: Math.round(kibibytes / 1_024) }
}

/** Only Linux reports it; elsewhere 0. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/**
 * 1.87 GB through the built `firmware download`, compared with a bare stream of the same link to a file, and one with hashing: medians of
 * three rounds in turn.
 */
export async function run(): Promise<object> {
  build()
  const service = await startService('--devices', '20', '--rooms', '4')
  const home = mkdtempSync(join(tmpdir(), 'headroom-download-'))
  const { managementUrl, metadataUrl } = service
  const headroom = (...words: string[]): Promise<Ran> => ran(cli, words, home)
  const bare = (url: string, how: 'bare' | 'hashed'): Promise<Ran> => {
    const to = join(home, how)
    return ran(bareStream, [url, to, how], home).finally(() => rmSync(to, { force: true }))
  }
  try {
    const addresses = ['--management-url', managementUrl, '--metadata-url', metadataUrl]
    await headroom('org', 'add', 'Bench', '--preset', 'custom', ...addresses)
    const { url } = JSON.parse((await headroom('firmware', 'link', ...largest, '--json')).output) as {
      url: string
    }
    const rounds: { bare: Ran; ours: Ran; hashed: Ran }[] = []
    for (const round of ['1', '2', '3']) {
      const to = join(home, round)
      mkdirSync(to)
      rounds.push({
        bare: await bare(url, 'bare'),
        ours: await headroom('firmware', 'download', ...largest, '--json', '--to', to),
        hashed: await bare(url, 'hashed'),
      })
      rmSync(to, { recursive: true })
    }
    const ms = (of: keyof (typeof rounds)[number]): number => median(rounds.map((round) => round[of].ms))
    const peak = (of: keyof (typeof rounds)[number]): number =>
      Math.max(...rounds.map((round) => round[of].mebibytes))
    const result = JSON.parse(rounds[0]!.ours.output) as { bytes: number; checks: object }
    const speed = (of: keyof (typeof rounds)[number]): number => Math.round(result.bytes / 1_000 / ms(of))
    return {
      bytes: result.bytes,
      checks: result.checks,
      bareMegabytesPerSecond: speed('bare'),
      hashedMegabytesPerSecond: speed('hashed'),
      oursMegabytesPerSecond: speed('ours'),
      oursToBare: Math.round((ms('ours') / ms('bare')) * 100) / 100,
      oursToHashed: Math.round((ms('ours') / ms('hashed')) * 100) / 100,
      oursPeakMebibytes: peak('ours'),
      barePeakMebibytes: peak('bare'),
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
    await service.end()
  }
}
