import { expect, it } from 'vitest'
import { settingsCommands } from '../../electron/cli/commands/settings.ts'
import { parse } from '../../electron/cli/grammar.ts'
import type { Setting } from '../../electron/contract/api/settings.ts'
import type { CoreClient } from '../../electron/cli/core-client.ts'
import { aCore } from './a-core.ts'
import { aTerminal, type HeardTerminal } from './a-terminal.ts'

const setting = (name: string): Setting => ({
  name,
  kind: 'on-off',
  value: true,
  locked: null,
  feature: null,
  raw: {},
})
/** A core whose cache has the documents of another product; those of the device's own product can be read. */
function openCore(): CoreClient {
  let isRead = false
  return aCore({
    handlers: {
      devices: {
        find: async () => ({ id: 'D1', productId: 9395 }),
        settings: async () => ({
          deviceId: 'D1',
          observedAt: 0,
          fromCache: true,
          source: 'observed' as const,
          raw: {},
          settings: [setting('audio'), setting('zoom')],
        }),
      },
      definitions: {
        settingNames: async ({ productIds }) => {
          isRead ||= productIds.includes(9395)
          const others = { productId: 1, settings: [['audio', 'Sound']] as const }
          const own = { productId: 9395, settings: [['zoom', 'Video']] as const }
          return { labels: [['zoom', 'Distance']] as const, groups: isRead ? [others, own] : [others] }
        },
      },
    },
  })
}
async function get(core: CoreClient, ...words: readonly string[]): Promise<HeardTerminal> {
  const given = parse(settingsCommands, ['settings', 'get', 'D1', ...words])
  const terminal = aTerminal()
  await settingsCommands.find(({ name }) => name === 'settings get')?.run(core, given, terminal)
  return terminal
}

it('lists settings in the order of the window, with label and group of their product', async () => {
  const core = openCore()
  const { settings } = JSON.parse((await get(core, '--json')).output) as { settings: readonly unknown[] }
  expect(settings).toEqual([
    { ...setting('zoom'), label: 'Distance', group: 'Video' },
    { ...setting('audio'), label: 'Audio', group: null },
  ])
  expect((await get(core)).output).toMatch(
    /Setting\s+Label\s+Group\s+Kind\s.*\nzoom\s+Distance\s+Video\s+on-off\s.*\naudio\s+Audio\s+–\s+on-off/,
  )
})

it('fetches documents that are not cached once and reports it, but fetches none with --kept', async () => {
  const core = openCore()
  const isSaid = async (...words: readonly string[]): Promise<boolean> =>
    (await get(core, ...words)).said.includes('Reading the names and groups of settings.')
  expect([await isSaid('--kept'), await isSaid(), await isSaid()]).toEqual([false, true, false])
})
