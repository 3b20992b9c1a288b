import { execFile } from 'node:child_process'
import { win32 } from 'node:path'
import { loadedLibraries, systemFolder } from './policy/windows-policy.ts'

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

/** The program that reads and writes Windows' registry. No variable of the user names another folder. */
export const registryProgram = (): string => win32.join(systemFolder(loadedLibraries()) ?? '', 'reg.exe')
