import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { FolderProblem } from '../contract/download.ts'
import { Failed } from '../contract/failure.ts'
import { withUnseenEscaped } from '../contract/unseen.ts'
import { OutputLost, type Lines, type Terminal } from './command.ts'
import { laidOut, type Screen } from './table.ts'

/** Interval of progress lines where a line cannot be overwritten. Raise it if logs grow too long. */
const linesApartMs = 5_000

/** Input that can be typed without being shown. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown }
/** A terminal interprets control characters; `columns` is its width in characters. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }

export interface Streams {
  readonly input: Input
  readonly output: Output
  readonly errors: Output
  /** NO_COLOR is unset, and the terminal knows colours. */
  readonly coloured: boolean
}

/** The process's own streams and signals. */
export function standardTerminal(): Terminal {
  const { stdout, stderr } = process
  // A command that printed last has ended before its output is known to be lost.
  stdout.on('error', (error: Error) => (process.exitCode ||= lossOf(error).code))
  // The reader of the messages has ended (`2>&1 | head`): that does not stop a running job.
  stderr.on('error', () => undefined)
  return terminalOn(standardStreams())
}

export const standardStreams = (): Streams => ({
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  coloured: (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb',
})

/** A reader that has seen enough (`| head`) closes the pipe: that is a normal end. */
const lossOf = ({ code }: NodeJS.ErrnoException): OutputLost => new OutputLost(code === 'EPIPE' ? 0 : 3)

/** Terminals were this wide for decades; a few do not say. */
const usualWidth = 80

/**
 * The only code that writes to a terminal: control characters in text of a service are shown and never
 * interpreted.
 */
export function terminalOn({ input, output, errors, coloured }: Streams): Terminal {
  const linesOf = (text: Lines, on: Output): string => {
    const screen: Screen | null = on.isTTY === true ? { width: on.columns ?? usualWidth, coloured } : null
    return (typeof text === 'string' ? [text] : text).map((line) => `${laidOut(line, screen)}\n`).join('')
  }
  let drawn = false
  let lastLine = ''
  let lastAt = Number.NEGATIVE_INFINITY
  const clear = (): void => {
    if (drawn) errors.write('\r\x1b[K')
    drawn = false
  }
  let lost: OutputLost | null = null
  output.on('error', (error: Error) => (lost ??= lossOf(error)))
  const mustBeTaken = (): void => {
    if (lost !== null) throw lost
  }
  return {
    print: (text) => {
      clear()
      if (lost === null) output.write(linesOf(text, output))
    },
    write: async (data) => {
      mustBeTaken()
      clear()
      if (output.write(output.isTTY === true ? dataOnScreen(data) : data)) return
      await once(output, 'drain').catch(mustBeTaken)
    },
    outputLost: () => lost,
    say: (text) => {
      clear()
      errors.write(linesOf(text, errors))
    },
    progress: (line) => {
      if (line === null) clear()
      else if (errors.isTTY === true) {
        errors.write(
          `\r\x1b[K${withUnseenEscaped(line).slice(0, Math.max(20, (errors.columns ?? usualWidth) - 1))}`,
        )
        drawn = true
      } else if (line !== lastLine && performance.now() - lastAt >= linesApartMs) {
        lastLine = line
        lastAt = performance.now()
        errors.write(linesOf(line, errors))
      }
    },
    onInterrupt: (listener) => {
      process.on('SIGINT', listener)
      process.on('SIGTERM', listener)
      return () => {
        process.off('SIGINT', listener)
        process.off('SIGTERM', listener)
      }
    },
    readInput: async () => {
      input.setEncoding('utf8')
      let text = ''
      for await (const piece of input) text += String(piece)
      return text
    },
    askHidden: (question) => askHidden(input, errors, question),
    askLine: async (question) => {
      if (input.isTTY === true) errors.write(withUnseenEscaped(question))
      for await (const line of createInterface({ input })) return line
      return ''
    },
    folder: process.cwd(),
    readFile: (path) => readFile(path, 'utf8'),
    writeNewFile,
  }
}

/** The same for a command that may run again: what was piped or typed is read once and kept. */
export function withInputKept(terminal: Terminal): Terminal {
  let input: Promise<string> | null = null
  const answers = new Map<string, Promise<string | null>>()
  return {
    ...terminal,
    readInput: () => (input ??= terminal.readInput()),
    askHidden: (question) => {
      const answer = answers.get(question) ?? terminal.askHidden(question)
      answers.set(question, answer)
      return answer
    },
  }
}

/** Why a file cannot be new at a path. */
const notNew: Readonly<Record<string, FolderProblem>> = {
  EEXIST: 'taken',
  ENOENT: 'missing',
  ENOTDIR: 'not-a-folder',
  EACCES: 'read-only',
  EPERM: 'read-only',
  EROFS: 'read-only',
  ENOSPC: 'no-room',
}

/** Exclusively: no link is followed, and no file is replaced. */
async function writeNewFile(path: string, content: string): Promise<void> {
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const reason = notNew[(error as NodeJS.ErrnoException).code ?? ''] ?? 'unknown'
    throw new Failed({ kind: 'folder-unusable', reason, path, needed: null, free: null })
  }
}

const [ctrlC, ctrlD, backspace, del] = ['\u0003', '\u0004', '\b', '\u007f']

/** Characters arrive unechoed in raw mode, several at once if they were pasted. */
async function askHidden(input: Input, errors: Output, question: string): Promise<string | null> {
  if (input.isTTY !== true || input.setRawMode === undefined) return null
  errors.write(withUnseenEscaped(question))
  input.setRawMode(true)
  input.setEncoding('utf8')
  let typed = ''
  try {
    for await (const piece of input)
      for (const character of String(piece)) {
        if (character === ctrlC) {
          input.setRawMode(false)
          process.kill(process.pid, 'SIGINT')
          return null
        }
        if (character === '\r' || character === '\n' || character === ctrlD) return typed
        typed = character === backspace || character === del ? typed.slice(0, -1) : typed + character
      }
    return typed
  } finally {
    input.setRawMode(false)
    errors.write('\n')
  }
}

/** Its own line breaks and tabs remain; a lone carriage return would overwrite the text before it. */
const dataOnScreen = (data: string): string =>
  data.replace(/\r\n|[^\r\n\t]+|\r/g, (part) => (part === '\r\n' ? part : withUnseenEscaped(part)))
