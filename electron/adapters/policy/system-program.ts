import { spawn } from 'node:child_process'

/** A program of the system that takes longer hangs. */
const endsWithinMs = 20_000

export interface Ran {
  readonly code: number | null
  readonly output: Buffer
}

/** Runs a program of the system with nothing of the user's environment. null: it cannot be started, or hangs. */
export type RunProgram = (path: string, words: readonly string[], input?: Uint8Array) => Promise<Ran | null>

export const runProgram =
  (environment: NodeJS.ProcessEnv): RunProgram =>
  (path, words, input) =>
    new Promise((resolve) => {
      const child = spawn(path, words, {
        env: environment,
        cwd: path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))),
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: endsWithinMs,
        windowsHide: true,
      })
      const pieces: Buffer[] = []
      child.stdout.on('data', (piece: Buffer) => void pieces.push(piece))
      child.on('error', () => resolve(null))
      child.on('close', (code, signal) =>
        resolve(signal === null ? { code, output: Buffer.concat(pieces) } : null),
      )
      // It may end before it has read everything.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
    })
