import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'

/** A real process on a data folder; it is killed when its test ends. */
export interface Holder {
  readonly child: ChildProcess
  /** Writes a line and returns the next one. */
  readonly does: (word: string) => Promise<string>
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
}

export async function aHolder(
  home: string,
  waits: object = {},
  environment: NodeJS.ProcessEnv = {},
): Promise<Holder> {
  const program = join(inject('programs'), 'tests/adapters/owner/a-holder.mjs')
  const child = spawn(process.execPath, ['--no-warnings', program, home, JSON.stringify(waits)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => String((await lines.next()).value)
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  onTestFinished(() => kill())
  await next()
  return {
    child,
    does: (word) => {
      child.stdin.write(`${word}\n`)
      return next()
    },
    kill,
  }
}
