import { expect, test } from 'vitest'
import { offlineCommands } from '../../electron/cli/commands/offline.ts'
import { parse } from '../../electron/cli/grammar.ts'
import type { OfflinePlan, OfflineReport } from '../../electron/contract/api/offline.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { aCore } from './a-core.ts'
import { aTerminal } from './a-terminal.ts'

const plan: OfflinePlan = { products: 2, requests: 40, bytes: 3_000_000 }
const command = offlineCommands[0]!

async function prepare(words: readonly string[], report?: OfflineReport): Promise<readonly unknown[]> {
  const terminal = aTerminal()
  const core = aCore({
    handlers: {
      organizations: { current: async () => ({ name: 'Nordlys' }) },
      offline: {
        plan: async () => plan,
        ...(report === undefined ? {} : { prepare: async () => report }),
      },
    },
  })
  const code = await command.run(core, parse([command], ['offline', 'prepare', ...words]), terminal)
  return [code, terminal.output.trim(), terminal.errors.trim()]
}

test('prints the cost in a dry run and reads nothing', async () => {
  expect(await prepare(['--dry-run'])).toEqual([
    0,
    '2 products of Nordlys: at most 40 requests of the metadata interface, about 3.0 MB.',
    '',
  ])
})

test('prints the cost first, reports what could not be read, and ends with 4', async () => {
  const failure = { kind: 'cancelled' } as const
  expect(await prepare([], { ...plan, prepared: 38, failure })).toEqual([
    4,
    '38 documents available offline.',
    '2 products of Nordlys: at most 40 requests of the metadata interface, about 3.0 MB.\nNot everything could be read. Stopped before it was complete.',
  ])
})

test('cancels its tasks on Ctrl+C', async () => {
  const terminal = aTerminal()
  const cancelled: unknown[] = []
  const core = aCore({
    handlers: {
      organizations: { current: async () => ({ name: 'Nordlys' }) },
      offline: {
        plan: async () => plan,
        prepare: async () => {
          terminal.interrupt()
          return { ...plan, prepared: 0, failure: { kind: 'cancelled' } }
        },
      },
      tasks: { cancel: async (given) => void cancelled.push(given) },
    },
  })
  const code = await command.run(core, parse([command], ['offline', 'prepare']), terminal)
  expect([code, cancelled]).toEqual([4, [{ id: null }]])
})

test('cut by Ctrl+C before a document is stored, ends with 130', async () => {
  const terminal = aTerminal()
  const core = aCore({
    handlers: {
      organizations: { current: async () => ({ name: 'Nordlys' }) },
      offline: {
        plan: async () => plan,
        prepare: async () => {
          terminal.interrupt()
          throw new Failed({ kind: 'cancelled' })
        },
      },
      // The owner may be lost at the same time.
      tasks: { cancel: () => Promise.reject(new Error('lost')) },
    },
  })
  const code = await command.run(core, parse([command], ['offline', 'prepare', '--json']), terminal)
  expect([code, terminal.output, terminal.said]).toEqual([130, '', ['{"kind":"cancelled"}']])
})
