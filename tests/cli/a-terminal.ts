import { Readable, Writable } from 'node:stream'
import type { Terminal } from '../../electron/cli/command.ts'
import { terminalOn } from '../../electron/cli/terminal.ts'

export interface HeardTerminal extends Terminal {
  readonly output: string
  readonly errors: string
  /** The messages, one item each, without line end. */
  readonly said: readonly string[]
  readonly interrupt: () => void
}

export interface TerminalGiven {
  /** The content of standard input. */
  readonly input?: string
  /** The current folder, if not that of this process. */
  readonly folder?: string
  /** A screen that interprets escapes, instead of pipes. */
  readonly screen?: boolean
  /** Its width in characters. */
  readonly columns?: number
  readonly coloured?: boolean
  /** Receives the progress, which is drawn nowhere; `drawn`: as the program draws it. */
  readonly onProgress?: 'drawn' | ((line: string) => void)
}

/** The program's own terminal over recorded streams. */
export function aTerminal({
  input = '',
  folder,
  screen = false,
  columns,
  coloured = false,
  onProgress = () => undefined,
}: TerminalGiven = {}): HeardTerminal {
  const heard = { output: [] as string[], errors: [] as string[] }
  const stored = (pieces: string[]): Writable & { isTTY: boolean; columns?: number } =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write: (piece: string, _encoding, done) => {
          pieces.push(piece)
          done()
        },
      }),
      { isTTY: screen, ...(columns === undefined ? {} : { columns }) },
    )
  const listeners = new Set<() => void>()
  const terminal = terminalOn({
    input: Readable.from([input]),
    output: stored(heard.output),
    errors: stored(heard.errors),
    coloured,
  })
  return {
    ...terminal,
    ...(folder === undefined ? {} : { folder }),
    get output() {
      return heard.output.join('')
    },
    get errors() {
      return heard.errors.join('')
    },
    get said() {
      return heard.errors.map((piece) => piece.replace(/\n$/, ''))
    },
    interrupt: () => listeners.forEach((listener) => listener()),
    ...(onProgress === 'drawn'
      ? {}
      : { progress: (line: string | null) => (line === null ? undefined : onProgress(line)) }),
    onInterrupt: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
