import type { Core } from '../core/app.ts'
import type { Platform } from '../core/platform.ts'
import type { CommandShape, ParsedCommand } from './grammar.ts'

/** A line, or several. What a terminal would obey is shown as its number, line breaks too: a name adds no line and rewrites none. */
export type Lines = string | readonly string[]

/** Where a command's words go: documents to standard output, everything else to standard error. */
export interface Terminal {
  /** One JSON document (with --json) or text for people. */
  readonly print: (text: Lines) => void
  /** Data: a piece of a document too long to hold, or a body as received, written as it is; on a screen what it would obey is shown as its number. */
  readonly write: (data: string) => Promise<void>
  readonly say: (text: Lines) => void
  /** How far long work is, on standard error: written over where that can be, else a line now and then. null: no more of it. */
  readonly progress: (line: string | null) => void
  /** Ctrl+C does this instead of ending the program, until the function that it answers is called. */
  readonly onInterrupt: (listener: () => void) => () => void
  readonly readInput: () => Promise<string>
  /** Where whoever typed the command stands: an absolute path. */
  readonly folder: string
  /** A file as whoever typed the command names it. Rejects where it cannot be read. */
  readonly readFile: (path: string) => Promise<string>
  /** What this command began stands in the workbook: where it is cut off, it goes on with these words in place of its own. */
  readonly goesOnWith: (words: readonly string[]) => void
}

export type ExitCode = 0 | 2 | 3 | 4

export interface Command extends CommandShape {
  /** It asks the management interface, so without a key there is nothing it can do. */
  readonly needsKey?: boolean | ((given: ParsedCommand) => boolean)
  readonly run: (core: Core, given: ParsedCommand, terminal: Terminal) => Promise<ExitCode>
}

export type LoneParts = Pick<Platform, 'clock' | 'schemas'>

/** A command that needs no data folder, and opens none. */
export interface LoneCommand extends CommandShape {
  readonly runAlone: (given: ParsedCommand, terminal: Terminal, parts: LoneParts) => Promise<ExitCode>
}

export const text = (given: ParsedCommand, option: string): string | null => {
  const value = given.options[option]
  return typeof value === 'string' ? value : null
}
export const flag = (given: ParsedCommand, option: string): boolean => given.options[option] === true

/** The document with --json, the text for people otherwise. */
export function show(given: ParsedCommand, terminal: Terminal, document: unknown, people: () => Lines): void {
  terminal.print(flag(given, 'json') ? JSON.stringify(document) : people())
}
