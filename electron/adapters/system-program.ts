import { execFile } from 'node:child_process'
import { win32 } from 'node:path'

/** Chosen: a command does not wait longer for a program that hangs. */
const answersWithinMs = 2_000

/** What a program writes to standard output; null: it is not there, fails, or takes too long. */
export function outputOf(
  program: string,
  words: readonly string[],
  withinMs = answersWithinMs,
): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { timeout: withinMs, killSignal: 'SIGKILL', windowsHide: true } as const
    execFile(program, words, options, (error, output) => resolve(error === null ? output : null))
  })
}

/** The path of a program of Windows, beside a library that this process has loaded: no variable names another folder. */
export function systemProgram(name: string): string {
  const { sharedObjects } = process.report.getReport() as unknown as {
    readonly sharedObjects: readonly string[]
  }
  const library = sharedObjects.find((path) => /\\kernel32\.dll$/i.test(path)) ?? ''
  return win32.join(library, '..', name)
}
