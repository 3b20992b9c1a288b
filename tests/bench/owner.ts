import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startService, type Service } from './load/service.ts'

interface App {
  readonly child: ChildProcess
  /** Seconds from its start to the first matching line. */
  readonly tells: (like: (line: Record<string, unknown>) => boolean) => Promise<number>
}
interface Ended {
  readonly code: number | null
  readonly seconds: number
  readonly said: string
}

const script = (name: string): string => fileURLToPath(new URL(`../cli/${name}`, import.meta.url))
const since = (startedAt: number): number => Math.round((performance.now() - startedAt) / 100) / 10

/**
 * The timeouts of owners and clients as released, in real time and real processes: who waits for whom, how
 * long, and how the wait ends. Takes about three minutes.
 */
export async function run(
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<object> {
  const service = await startService('--devices', '200', '--rooms', '40', '--latency', '2000')
  const home = mkdtempSync(join(tmpdir(), 'headroom-bench-'))
  const children: ChildProcess[] = []
  const { HEADROOM_KEY: _, ...environment } = process.env
  const start = (name: string, words: readonly string[] = []): ChildProcess => {
    const given = JSON.stringify({ home, service: served(service), waits: {} })
    const child = spawn(process.execPath, ['--no-warnings', script(name), given, ...words], {
      env: environment,
    })
    children.push(child)
    return child
  }
  const command = (
    ...words: readonly string[]
  ): { readonly child: ChildProcess; readonly ended: Promise<Ended> } => {
    const startedAt = performance.now()
    const child = start('a-program.ts', words)
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => (said += piece))
    child.stdout?.resume()
    child.stdin?.end()
    const ended = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      seconds: since(startedAt),
      said,
    }))
    return { child, ended }
  }
  const app = (): App => {
    const startedAt = performance.now()
    const child = start('an-app.ts')
    child.stderr?.resume()
    const reported: { readonly line: Record<string, unknown>; readonly seconds: number }[] = []
    const looks = new Set<() => void>()
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on('line', (line) => {
        reported.push({ line: JSON.parse(line) as Record<string, unknown>, seconds: since(startedAt) })
        for (const look of looks) look()
      })
    return {
      child,
      tells: (like) =>
        new Promise((resolve) => {
          const look = (): void => {
            const found = reported.find(({ line }) => like(line))
            if (found === undefined) return
            looks.delete(look)
            resolve(found.seconds)
          }
          looks.add(look)
          look()
        }),
    }
  }
  const owns = (line: Record<string, unknown>): boolean => line['owns'] === 'owned'
  const kill = async (child: ChildProcess): Promise<void> => {
    const gone = once(child, 'close')
    child.kill('SIGKILL')
    await gone
  }
  const figures: Record<string, unknown> = {}
  const note = (name: string, value: unknown): void => {
    figures[name] = value
    say(`${name}: ${JSON.stringify(value)}`)
  }
  try {
    await command('org', 'add', 'Nordlys', '--preset', 'demonstration').ended
    const first = app()
    note('appOwnsAFreeFolderInSeconds', await first.tells(owns))

    // A client while the owner is stopped.
    const client = command('sync')
    await wait(3_000)
    first.child.kill('SIGSTOP')
    const late = command('devices')
    const lost = await late.ended
    note('aCommandBesideAStoppedOwner', { code: lost.code, seconds: lost.seconds })
    const cut = await client.ended
    note('aCommandWhoseOwnerStops', { code: cut.code, seconds: cut.seconds })
    const second = app()
    note('aWindowSaysWhoHoldsTheFolderInSeconds', await second.tells((line) => line['isLong'] === true))
    const restartedAt = performance.now()
    await kill(first.child)
    await second.tells(owns)
    note('killedOwnerToWindowInSeconds', since(restartedAt))

    // A command that owns the folder hands it over.
    await kill(second.child)
    const sync = command('sync')
    await wait(3_000)
    const third = app()
    note('handOverFromASyncInSeconds', await third.tells(owns))
    const handed = await sync.ended
    note('codeOfTheSyncThatWasHandedOver', handed.code)

    // A command continues when its owner is killed.
    const nextSync = command('sync')
    await wait(3_000)
    await kill(third.child)
    const after = await nextSync.ended
    note('aSyncWhoseOwnerIsKilled', { code: after.code, seconds: after.seconds })
    return figures
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await service.end()
    rmSync(home, { recursive: true, force: true })
  }
}

const served = ({ managementUrl, metadataUrl, key }: Service): object => ({ managementUrl, metadataUrl, key })
