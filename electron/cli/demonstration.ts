import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { withoutKey } from '../adapters/environment-key.ts'
import { Failed } from '../contract/failure.ts'
import type { Demonstration } from '../core/platform.ts'

/** The demonstration service as a child process; it ends when our end of its standard input closes. */
export interface DemonstrationProcess {
  readonly start: () => Promise<Demonstration>
  readonly serve: (options: readonly string[]) => Promise<number>
}

export function demonstrationProcess(script: string, options: readonly string[]): DemonstrationProcess {
  let running: Promise<Demonstration> | null = null
  return {
    // One that failed to start, or has ended, is started again by the next call.
    start: () => (running ??= start(script, options, () => (running = null))),
    serve: async (words) => {
      const child = spawn(process.execPath, [script, ...words], {
        stdio: 'inherit',
        env: withoutKey(process.env),
      })
      let isEnded = false
      const end = (): void => {
        isEnded = true
        child.kill('SIGTERM')
      }
      process.on('SIGTERM', end).on('SIGINT', end)
      const [code] = (await once(child, 'exit')) as [number | null]
      return code ?? (isEnded ? 0 : 3)
    },
  }
}

async function start(script: string, options: readonly string[], ended: () => void): Promise<Demonstration> {
  const child = spawn(process.execPath, [script, '--json', '--with-parent', ...options], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: withoutKey(process.env),
  })
  child.unref()
  child.once('exit', ended)
  const lines = createInterface({ input: child.stdout })
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [null])])) as [
    string | null,
  ]
  lines.close()
  if (line === null)
    throw new Failed({
      kind: 'service-unavailable',
      call: { operation: 'demonstration', host: '127.0.0.1' },
      status: null,
      message: 'The demonstration service did not start.',
    })
  for (const end of [child.stdin, child.stdout]) if (end instanceof Socket) end.unref()
  return JSON.parse(line) as Demonstration
}
