import { expect, test } from 'vitest'
import type { Connection } from '../../electron/adapters/owner/owner-server.ts'
import type { Message } from '../../electron/adapters/owner/wire.ts'
import { openCommandServer } from '../../electron/cli/command-server.ts'
import type { Core } from '../../electron/core/app.ts'

test('sends everything printed to a slow client before the end', async () => {
  const said: Message[] = []
  const ended = Promise.withResolvers<void>()
  let ask: (message: Message) => void = () => undefined
  const connection: Connection = {
    // The connection is full after every message.
    say: (message) => {
      said.push(message as Message)
      return false
    },
    drained: () => new Promise((resolve) => setImmediate(resolve)),
    end: () => ended.resolve(),
    destroy: () => ended.reject(new Error('destroyed')),
    onMessage: (heard) => (ask = heard),
    gone: new AbortController().signal,
  }
  const line = 'x'.repeat(1_000)
  const { serve } = openCommandServer({
    core: Promise.resolve({} as Core),
    run: async ({ terminal }) => {
      terminal.print(Array.from({ length: 300 }, () => line))
      terminal.print('the last line')
      terminal.say('a message')
      return 0
    },
    wanted: null,
  })
  serve(connection)
  ask({ kind: 'run', words: ['devices'], folder: '/' })
  await ended.promise
  const textOf = (kind: string): string =>
    said.flatMap((one) => (one['kind'] === kind ? [String(one['text'])] : [])).join('')
  expect([textOf('out'), textOf('err'), said.at(-1)]).toEqual([
    `${`${line}\n`.repeat(300)}the last line\n`,
    'a message\n',
    { kind: 'ended', code: 0 },
  ])
})
