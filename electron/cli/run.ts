import type { Terminal } from './command.ts'

/** A command that was interrupted because its core closes: it has ended, or continues in another process. */
export type CutOff =
  | { readonly kind: 'ended'; readonly code: number }
  | { readonly kind: 'goes-on'; readonly words: readonly string[] }

/**
 * Time for a command that is printing when its core is about to close, and for an interrupted one to print
 * its last lines. Raise it if output is cut off.
 */
const printsForInMs = 10_000
const lastWordsInMs = 1_000

/** A running command: what it has done so far decides how it is interrupted. */
export class Run {
  readonly words: readonly string[]
  readonly terminal: Terminal
  #hasPrinted = false
  #hasSent = false
  #resumeWith: readonly string[] | null = null
  /** Output delayed during the interruption; null: output is written at once. */
  #delayed: (() => unknown)[] | null = null
  #ended: Promise<number> = Promise.resolve(0)
  #code: number | null = null

  constructor(
    words: readonly string[],
    terminal: Terminal,
    report: (of: 'sent' | readonly string[]) => void = () => undefined,
  ) {
    this.words = words
    this.sending = () => {
      this.#hasSent = true
      report('sent')
    }
    const said = (say: () => unknown): void => {
      if (this.#delayed === null) say()
      else this.#delayed.push(say)
    }
    this.terminal = {
      ...terminal,
      print: (text) => {
        if (this.#delayed === null) this.#hasPrinted = true
        said(() => terminal.print(text))
      },
      write: async (data) => {
        if (this.#delayed !== null) return void this.#delayed.push(() => terminal.write(data))
        this.#hasPrinted = true
        await terminal.write(data)
      },
      say: (text) => said(() => terminal.say(text)),
      progress: (line) => {
        if (this.#delayed === null) terminal.progress(line)
      },
      resumeWith: (given) => {
        this.#resumeWith = given
        report(given)
      },
    }
  }

  /** A write of this command is about to be sent. */
  readonly sending: () => void

  get hasSent(): boolean {
    return this.#hasSent
  }
  /** Its work is stored in the workbook. */
  get hasBegun(): boolean {
    return this.#resumeWith !== null
  }

  begin(work: Promise<number>): Promise<number> {
    this.#ended = work.then((code) => (this.#code = code))
    return this.#ended
  }

  /** The core is about to close: a query that already prints may end; all other output is delayed. */
  async prepare(): Promise<void> {
    if (this.#hasPrinted && !this.#hasSent && this.#resumeWith === null)
      await within(this.#ended, printsForInMs)
    else this.#delayed = []
  }

  /** The core has closed. */
  async cutOff(): Promise<CutOff> {
    await within(this.#ended, lastWordsInMs)
    const code = this.#code
    const wasRefused = code === null || code === 3
    if (this.#resumeWith !== null) return { kind: 'goes-on', words: this.#resumeWith }
    if (wasRefused && !this.#hasSent && !this.#hasPrinted) return { kind: 'goes-on', words: this.words }
    for (const say of this.#delayed ?? []) await say()
    this.#delayed = null
    return { kind: 'ended', code: code ?? (this.#hasSent ? 4 : 3) }
  }
}

function within(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void work
      .finally(() => {
        clearTimeout(timer)
        resolve()
      })
      .catch(() => undefined)
  })
}
