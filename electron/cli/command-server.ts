import { isAbsolute } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { Connection } from '../adapters/owner/owner-server.ts'
import { readAtMost, wordsAtMost } from '../adapters/owner/limits.ts'
import type { Message } from '../adapters/owner/wire.ts'
import type { Core } from '../core/app.ts'
import { pieces } from './pieces.ts'
import { Run } from './run.ts'
import { terminalOn, type Screen } from './terminal.ts'
import type { Terminal } from './command.ts'
import type { Surroundings } from './run-command.ts'

/**
 * Runs the commands of clients in this process, which owns the data folder. Their streams are at the other
 * end of a connection.
 */
export interface CommandServer {
  readonly serve: (connection: Connection) => void
  /** Commands that are running for clients. */
  readonly working: () => number
  /** Closes the core with `close` and passes unfinished work to the next owner of the folder. */
  readonly handOver: (close: () => Promise<void>, own?: Run) => Promise<void>
}

export interface CommandServerOptions {
  /** Rejects if the core cannot be opened: every client then gets this error. */
  readonly core: Promise<Core>
  readonly run: (surroundings: Surroundings, words: readonly string[]) => Promise<number>
  /** Another process, with a window, requests the folder. null: this process keeps it. */
  readonly wanted: (() => void) | null
}

export function openCommandServer({ core, run, wanted }: CommandServerOptions): CommandServer {
  const runs = new Map<Run, Connection>()
  let closing = false

  const work = async (connection: Connection, first: Message): Promise<void> => {
    const words = argumentsOf(first)
    const { folder } = first
    // The owner runs in another folder: relative paths refer to the client's.
    if (words === null || typeof folder !== 'string' || !isAbsolute(folder)) return connection.destroy()
    const streams = streamsOver(connection, first, folder)
    const command = new Run(words, streams.terminal, (progress) =>
      connection.say(progress === 'sent' ? { kind: 'sent' } : { kind: 'goes-on-with', words: progress }),
    )
    runs.set(command, connection)
    connection.gone.addEventListener('abort', () => runs.delete(command), { once: true })
    const name = typeof first['name'] === 'string' ? first['name'].slice(0, 200) : 'command line'
    try {
      const opened = await core
      if (closing || connection.gone.aborted) return
      const code = await command.begin(
        run(
          {
            terminal: command.terminal,
            demonstration: { serve: async () => 3 },
            keyBeside: first['keyBeside'] === true,
            outlived: wanted === null,
            gone: connection.gone,
            open: async (organization) => {
              const own = opened.forCommand({ organization, actor: { who: name, sending: command.sending } })
              // Requests that were not sent are cancelled when the client disconnects.
              connection.gone.addEventListener('abort', () => void own.close(), { once: true })
              return own
            },
          },
          words,
        ).then(async (ended) => {
          await streams.written()
          return ended
        }),
      )
      if (closing) return
      connection.say({ kind: 'ended', code })
      connection.end()
    } catch {
      connection.destroy()
    } finally {
      if (!closing) runs.delete(command)
    }
  }

  return {
    serve: (connection) => {
      let begun = false
      connection.onMessage((message) => {
        if (message['kind'] === 'hand-over' && !begun) {
          if (wanted === null) connection.say({ kind: 'kept' })
          else wanted()
          return
        }
        if (begun || message['kind'] !== 'run') return connection.destroy()
        begun = true
        void work(connection, message)
      })
    },
    working: () => runs.size,
    async handOver(close, own) {
      closing = true
      const all = [...runs.keys(), ...(own === undefined ? [] : [own])]
      await Promise.all(all.map((one) => one.prepare()))
      await close()
      await Promise.all(
        [...runs].map(async ([one, connection]) => {
          const end = await one.cutOff()
          connection.say(
            end.kind === 'ended' ? { kind: 'ended', code: end.code } : { kind: 'go-on', words: end.words },
          )
          connection.end()
        }),
      )
    },
  }
}

function argumentsOf({ words }: Message): readonly string[] | null {
  const isList = Array.isArray(words) && words.length <= wordsAtMost
  return isList && words.every((word) => typeof word === 'string') ? words : null
}

/** Standard streams, signals and files of the client. */
function streamsOver(
  connection: Connection,
  { screen }: Message,
  folder: string,
): {
  readonly terminal: Terminal
  /** The output has been sent to the client, or the client has disconnected. */
  readonly written: () => Promise<unknown>
} {
  const { columns, output: outputIsScreen, errors: errorsIsScreen } = (screen ?? {}) as Message
  const interrupts = new Set<() => void>()
  const input = new Readable({ read: () => void connection.say({ kind: 'wants-input' }), encoding: 'utf8' })
  const files: { resolve: (text: string) => void; reject: (error: Error) => void; read: string }[] = []
  const stream = (kind: 'out' | 'err', isTTY: unknown): Screen => {
    const to = new Writable({
      decodeStrings: false,
      write: (text: string, _, done) => {
        void (async () => {
          for (const piece of pieces(text)) {
            if (connection.gone.aborted) return
            if (!connection.say({ kind, text: piece })) await connection.drained()
          }
        })().then(() => done(), done)
      },
    })
    return Object.assign(to, { isTTY: isTTY === true, ...(typeof columns === 'number' ? { columns } : {}) })
  }
  let read = 0
  connection.onMessage((message) => {
    if (typeof message['text'] === 'string') read += message['text'].length
    if (read > readAtMost) return connection.destroy()
    switch (message['kind']) {
      case 'input':
        return void input.push(typeof message['text'] === 'string' ? message['text'] : null)
      case 'interrupt':
        if (interrupts.size === 0) {
          // Like a process that was ended by the signal.
          connection.say({ kind: 'ended', code: 130 })
          connection.end()
        }
        for (const interrupt of interrupts) interrupt()
        return
      case 'file': {
        const [file] = files
        if (file === undefined) return connection.destroy()
        if (typeof message['text'] === 'string') file.read += message['text']
        if (message['more'] === true) return
        files.shift()
        if (message['failed'] === true) file.reject(new Error('The file cannot be read.'))
        else file.resolve(file.read)
        return
      }
      default:
        connection.destroy()
    }
  })
  connection.gone.addEventListener('abort', () => {
    input.destroy()
    for (const { reject } of files.splice(0)) reject(new Error('The client has gone.'))
  })
  input.on('error', () => undefined)
  const [output, errors] = [stream('out', outputIsScreen), stream('err', errorsIsScreen)]
  return {
    written: () => Promise.all([output, errors].map((to) => new Promise((resolve) => to.write('', resolve)))),
    terminal: {
      ...terminalOn({ input, output, errors }),
      onInterrupt: (listener) => {
        interrupts.add(listener)
        return () => void interrupts.delete(listener)
      },
      folder,
      readFile: (path) =>
        new Promise((resolve, reject) => {
          files.push({ resolve, reject, read: '' })
          connection.say({ kind: 'wants-file', path })
        }),
    },
  }
}
