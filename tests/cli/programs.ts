import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, inject, onTestFailed, onTestFinished } from 'vitest'

/** Real waits: repetitions are frequent, and no program is given up because a busy machine delays it. */
const patientWaits = {
  connectInMs: 60_000,
  silentInMs: 60_000,
  aliveEveryInMs: 100,
  stayInMs: 60_000,
  handOverInMs: 400,
  tryAgainInMs: 200,
}
/** For a program that is to give up an owner which is stopped. */
export const soonSilent = { connectInMs: 3_000, silentInMs: 3_000 }

export interface Said {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** A command in a process of its own. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Said>
}

/** The part of the app, in its own process. */
export interface RunningApp {
  readonly child: ChildProcess
  /** Every line so far, in order. */
  readonly reported: readonly Readonly<Record<string, unknown>>[]
  /** The first line with this member, of past and future ones. */
  readonly tells: (member: string) => Promise<unknown>
  readonly does: (word: string) => Promise<unknown>
  readonly kill: () => Promise<void>
}

/** Programs on one data folder that know one demonstration; all of them end with the test. */
export class Programs {
  readonly home: string
  readonly service: object
  constructor(home: string, service: object) {
    this.home = home
    this.service = service
  }

  start(
    words: readonly string[],
    options: {
      key?: string
      cwd?: string
      /** null: it remains open, for the test to write to. */
      input?: string | null
      waits?: object
      fileSystem?: object
      policy?: object
    } = {},
  ): Running {
    const { child, errors } = this.#spawn('a-program', words, options)
    const output = heard(child.stdout!)
    if (options.input !== null) child.stdin!.end(options.input ?? '')
    const ended = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      output: output.join(''),
      errors: errors.join(''),
    }))
    return { child, ended }
  }

  run(words: readonly string[], options: Parameters<Programs['start']>[1] = {}): Promise<Said> {
    return this.start(words, options).ended
  }

  app(options: { key?: string; waits?: object; stopsWhenTaken?: true } = {}): RunningApp {
    const { child } = this.#spawn('an-app', [], options)
    const reported: Readonly<Record<string, unknown>>[] = []
    const waiting = new Set<() => void>()
    createInterface({ input: child.stdout! }).on('line', (line) => {
      reported.push(JSON.parse(line) as never)
      for (const look of waiting) look()
    })
    const from = (member: string, start: number): Promise<unknown> =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = reported.slice(start).find((line) => member in line)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found[member])
        }
        waiting.add(look)
        look()
      })
    return {
      child,
      reported,
      tells: (member) => from(member, 0),
      does: (word) => {
        const start = reported.length
        child.stdin!.write(`${word}\n`)
        return from('did', start)
      },
      kill: async () => {
        const gone = once(child, 'close')
        child.kill('SIGKILL')
        await gone
      },
    }
  }

  #spawn(
    name: string,
    words: readonly string[],
    {
      key,
      cwd,
      waits = {},
      fileSystem,
      stopsWhenTaken,
      policy,
    }: {
      key?: string
      cwd?: string
      waits?: object
      fileSystem?: object
      stopsWhenTaken?: true
      policy?: object
    },
  ): { readonly child: ChildProcess; readonly errors: readonly string[] } {
    const given = JSON.stringify({
      home: this.home,
      service: this.service,
      waits: { ...patientWaits, ...waits },
      fileSystem,
      stopsWhenTaken,
      policy,
    })
    const { HEADROOM_KEY: _, ...environment } = process.env
    const child = spawn(
      process.execPath,
      ['--no-warnings', join(inject('programs'), 'tests/cli', `${name}.mjs`), given, ...words],
      {
        env: { ...environment, ...(key === undefined ? {} : { HEADROOM_KEY: key }) },
        ...(cwd === undefined ? {} : { cwd }),
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const errors = heard(child.stderr)
    // A failure tells what the programs of its test said last.
    onTestFailed(() => {
      const last = errors.join('').trimEnd().split('\n').slice(-20)
      process.stderr.write(`${[`${name} ${words.join(' ')}`, ...last].join('\n  ')}\n`)
    })
    return { child, errors }
  }
}

function heard(stream: NodeJS.ReadableStream): string[] {
  const pieces: string[] = []
  stream.setEncoding('utf8').on('data', (piece: string) => void pieces.push(piece))
  return pieces
}

/** Resolves once the partial file in this folder is longer than this many bytes. */
export const grown = (folder: string, bytes: number): Promise<void> =>
  expect
    .poll(
      () =>
        existsSync(folder) &&
        readdirSync(folder).some(
          (name) =>
            name.endsWith('.part') &&
            (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > bytes,
        ),
      { interval: 20 },
    )
    .toBe(true)

/** A proxy before a service that counts requests and delays those that a test specifies. */
export interface Front {
  readonly url: string
  readonly arrived: string[]
  /** Delays requests like this from now on; resolves when the next one arrives. */
  readonly holds: (like: RegExp) => Promise<void>
  /** Releases delayed requests: those of one `holds` (`like`), or all if missing. */
  readonly letGo: (like?: RegExp) => void
}

export async function aFront(target: string): Promise<Front> {
  const arrived: string[] = []
  const holds = new Map<RegExp, { readonly there: () => void; readonly waiting: (() => void)[] }>()
  const pass = (from: IncomingMessage, to: ServerResponse): void => {
    const onward = request(
      new URL(from.url ?? '/', target),
      { method: from.method, headers: { ...from.headers, host: new URL(target).host } },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
      },
    )
    onward.on('error', () => to.destroy())
    from.pipe(onward)
  }
  const server = createServer((from, to) => {
    const name = `${from.method ?? ''} ${from.url ?? ''}`
    arrived.push(name)
    const [, hold] = [...holds].find(([like]) => like.test(name)) ?? []
    if (hold === undefined) return pass(from, to)
    hold.waiting.push(() => pass(from, to))
    hold.there()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    holds: (like) => new Promise((there) => holds.set(like, { there, waiting: [] })),
    letGo: (one) => {
      for (const [like, { waiting }] of [...holds])
        if (one === undefined || one === like) {
          holds.delete(like)
          for (const go of waiting) go()
        }
    },
  }
}
