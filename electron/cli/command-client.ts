import { readFile } from 'node:fs/promises'
import type { Owner } from '../adapters/owner/owner-client.ts'
import type { Streams } from './terminal.ts'
import { pieces } from './pieces.ts'

/**
 * How a command that ran in the owner's process ended. `lost`: the connection ended before the command did.
 */
export type Ending =
  | { readonly kind: 'ended'; readonly code: number }
  | { readonly kind: 'goes-on'; readonly words: readonly string[] }
  | {
      readonly kind: 'lost'
      readonly how: 'gone' | 'silent'
      /** For people. */
      readonly holder: string
      readonly hasPrinted: boolean
      readonly hasSent: boolean
      /** The command stored work in the workbook and can be continued with these arguments. */
      readonly resumeWith: readonly string[] | null
    }

export interface ClientRun {
  readonly owner: Owner
  readonly words: readonly string[]
  readonly streams: Streams
  /** For the journal. */
  readonly name: string
  readonly keyBeside: boolean
  /** Removes text that must not be repeated. */
  readonly redact: (text: string) => string
  /** Returns the function that ends it. */
  readonly onInterrupt: (listener: () => void) => () => void
}

/** Runs one command in the process that owns the data folder. Never rejects. */
export function runInOwner({
  owner,
  words,
  streams,
  name,
  keyBeside,
  redact,
  onInterrupt,
}: ClientRun): Promise<Ending> {
  const { input, output, errors } = streams
  return new Promise((resolve) => {
    let [hasPrinted, hasSent] = [false, false]
    let resumeWith: readonly string[] | null = null
    let wantsInput = false
    const finish = (ending: Ending): void => {
      stopInterrupts()
      input.pause()
      owner.end()
      resolve(ending)
    }
    const stopInterrupts = onInterrupt(() => void owner.say({ kind: 'interrupt' }))
    const full = new Set<typeof output>()
    const put = (stream: typeof output, text: string): void => {
      if (stream.write(text) || full.has(stream)) return
      full.add(stream)
      owner.pause()
      stream.once('drain', () => {
        full.delete(stream)
        if (full.size === 0) owner.resume()
      })
    }
    const sendInput = (): void => {
      if (wantsInput) return
      wantsInput = true
      input.setEncoding('utf8')
      input.on('data', (text: string) => {
        for (const piece of pieces(text)) owner.say({ kind: 'input', text: piece })
      })
      input.on('end', () => owner.say({ kind: 'input', text: null }))
      input.resume()
    }
    /** Only the typed arguments: the owner reads nothing else of the client's environment. */
    const sendFile = async (path: unknown): Promise<void> => {
      try {
        if (typeof path !== 'string' || !words.some((word) => word === path || word.endsWith(`=${path}`)))
          throw new Error('not typed')
        for (const piece of pieces(await readFile(path, 'utf8')))
          owner.say({ kind: 'file', text: piece, more: true })
        owner.say({ kind: 'file' })
      } catch {
        owner.say({ kind: 'file', failed: true })
      }
    }
    owner.onMessage((message) => {
      const text = typeof message['text'] === 'string' ? message['text'] : ''
      switch (message['kind']) {
        case 'out':
          hasPrinted = true
          return put(output, text)
        case 'err':
          return put(errors, redact(text))
        case 'wants-input':
          return sendInput()
        case 'wants-file':
          return void sendFile(message['path'])
        case 'sent':
          hasSent = true
          return
        case 'goes-on-with':
          resumeWith = message['words'] as readonly string[]
          return
        case 'go-on':
          return finish({ kind: 'goes-on', words: message['words'] as readonly string[] })
        case 'ended':
          return finish({ kind: 'ended', code: Number(message['code']) })
      }
    })
    owner.onLost((how) => finish({ kind: 'lost', how, holder: owner.name, hasPrinted, hasSent, resumeWith }))
    const screen = {
      output: output.isTTY === true,
      errors: errors.isTTY === true,
      columns: errors.columns ?? output.columns ?? null,
    }
    owner.say({ kind: 'run', words, name, keyBeside, screen, folder: process.cwd() })
  })
}
