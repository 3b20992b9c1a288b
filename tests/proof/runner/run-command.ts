import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

/** What a build script printed and how it ended; `code` null: it was stopped, or could not be started. */
export interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
  readonly seconds: number
}

/** Runs a script with its words in a folder, else in the root of the project. Never rejects. */
export async function runScript(
  words: readonly string[],
  signal: AbortSignal,
  more: Readonly<Record<string, string>> = {},
  cwd = resolve(import.meta.dirname, '../../..'),
): Promise<Ended> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...process.env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  const ended = new Promise<number | null>((settle) => {
    child.once('close', settle)
    // A stopped one is an error, too.
    child.once('error', () => settle(null))
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const code = await ended
  return { code, output, errors, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }
}
