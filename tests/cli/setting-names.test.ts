import { expect, it } from 'vitest'
import { settingsCommands } from '../../electron/cli/commands/settings.ts'
import { parse } from '../../electron/cli/grammar.ts'
import type { Setting } from '../../electron/contract/api/settings.ts'
import { aCore } from './a-core.ts'
import { aTerminal } from './a-terminal.ts'

const setting = (name: string): Setting => ({
  ...{ name, kind: 'on-off', value: true, locked: null, feature: null, raw: {} },
})
const core = aCore({
  sessions: { currentOrganization: async () => ({ id: 'o' }) },
  shared: { devices: { get: async () => ({ id: 'D1', productId: 9395 }) } },
  handlers: {
    devices: {
      settings: async () => ({
        ...{ deviceId: 'D1', observedAt: 0, fromCache: true, source: 'observed' as const, raw: {} },
        settings: [setting('audio'), setting('zoom')],
      }),
    },
    definitions: {
      settingNames: async () => ({
        labels: [['zoom', 'Distance']] as const,
        groups: [
          { productId: 1, settings: [['audio', 'Sound']] as const },
          { productId: 9395, settings: [['zoom', 'Video']] as const },
        ],
      }),
    },
  },
})
async function get(...words: readonly string[]): Promise<string> {
  const given = parse(settingsCommands, ['settings', 'get', 'D1', ...words])
  const terminal = aTerminal()
  await settingsCommands.find(({ name }) => name === 'settings get')?.run(core, given, terminal)
  return terminal.output
}

it('settings stand in the order of the window, with the label and the group of their own product', async () => {
  const { settings } = JSON.parse(await get('--json')) as { settings: readonly unknown[] }
  expect(settings).toEqual([
    { ...setting('zoom'), label: 'Distance', group: 'Video' },
    { ...setting('audio'), label: 'Audio', group: null },
  ])
  expect(await get()).toMatch(
    /Setting\s+Label\s+Group\s+Kind\s.*\nzoom\s+Distance\s+Video\s+on-off\s.*\naudio\s+Audio\s+–\s+on-off/,
  )
})
