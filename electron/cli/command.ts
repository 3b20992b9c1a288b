import type { Removed } from '../adapters/remove-everything.ts'
import { Failed } from '../contract/failure.ts'
import type { Clock, PolicySource } from '../core/platform.ts'
import type { SchemaChecks } from '../core/webhooks/webhooks.ts'
import type { CoreClient } from './core-client.ts'
import type { CommandShape, ParsedCommand } from './grammar.ts'
import type { Line } from './table.ts'

/**
 * One or several lines. Control characters and line breaks are shown as numbers, so that a name cannot add or
 * rewrite a line.
 */
export type Lines = string | readonly Line[]

/** Standard output takes no more: a long list ends, and its core is closed. */
export class OutputLost extends Error {
  /** 0: its reader has seen enough (`| head`). */
  readonly code: 0 | 3
  constructor(code: 0 | 3) {
    super('standard output takes no more')
    this.code = code
  }
}

/** The output of a command: documents to standard output, everything else to standard error. */
export interface Terminal {
  /**
   * One JSON document (with --json) or text for people. If it cannot be written, the work goes on: its exit code
   * still tells what was done.
   */
  readonly print: (text: Lines) => void
  /**
   * Data: a piece of a document too long to hold in memory, or a body as received, written unchanged; on a
   * screen control characters are shown as numbers. Rejects with OutputLost.
   */
  readonly write: (data: string) => Promise<void>
  /** null: as far as is known, everything was written. */
  readonly outputLost: () => OutputLost | null
  readonly say: (text: Lines) => void
  /**
   * Progress of long work, on standard error: overwrites its line if possible, else a new line now and then.
   * null: no more progress.
   */
  readonly progress: (line: string | null) => void
  /** Ctrl+C calls this instead of ending the program, until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void
  readonly readInput: () => Promise<string>
  /** One line typed without being shown; null: nobody types here. Ctrl+C ends the program. */
  readonly askHidden: (question: string) => Promise<string | null>
  /** One line of standard input; a question is only shown to somebody who types. */
  readonly askLine: (question: string) => Promise<string>
  /** Current folder of the user: an absolute path. */
  readonly folder: string
  /** A file under the path that the user typed. Rejects if it cannot be read. */
  readonly readFile: (path: string) => Promise<string>
  /** A file that is new, for the user alone, at the path that the user typed. Rejects with Failed. */
  readonly writeNewFile: (path: string, content: string) => Promise<void>
}

/** 130: Ctrl+C ended it before anything was done. */
export type ExitCode = 0 | 2 | 3 | 4 | 130

export interface Command extends CommandShape {
  /** It calls the management interface, so it cannot run without a key. */
  readonly needsKey?: boolean | ((given: ParsedCommand) => boolean)
  readonly run: (core: CoreClient, given: ParsedCommand, terminal: Terminal) => Promise<ExitCode>
}

export interface LoneDeps {
  readonly clock: Clock
  readonly schemas: SchemaChecks
  readonly policySource: PolicySource
  /** The data folder. */
  readonly home: string
  /** Removes its content, and its keys. Rejects with Failed. */
  readonly reset: () => Promise<Removed>
}

/** A command that needs and opens no data folder. */
export interface LoneCommand extends CommandShape {
  readonly runAlone: (given: ParsedCommand, terminal: Terminal, deps: LoneDeps) => Promise<ExitCode>
}

export const text = (given: ParsedCommand, option: string): string | null => {
  const value = given.options[option]
  return typeof value === 'string' ? value : null
}
export const flag = (given: ParsedCommand, option: string): boolean => given.options[option] === true

/** The document with --json, the text for people otherwise. Returns the exit code of a command that did all. */
export function show(given: ParsedCommand, terminal: Terminal, document: unknown, people: () => Lines): 0 {
  terminal.print(flag(given, 'json') ? JSON.stringify(document) : people())
  return 0
}

/** A longer text is no payload, schema or profile; the core accepts no more. */
const charactersAtMost = 1_000_000

/** A file, or standard input for `-`. */
export async function readText(name: string, terminal: Terminal): Promise<string> {
  const invalid = (message: string): Failed => Failed.invalid('file', message)
  let read: string
  try {
    read = name === '-' ? await terminal.readInput() : await terminal.readFile(name)
  } catch {
    throw invalid(`${name} cannot be read.`)
  }
  if (read.length > charactersAtMost) throw invalid(`${name} is longer than ${charactersAtMost} characters.`)
  return read
}
