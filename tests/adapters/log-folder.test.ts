import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeFolder } from '../../electron/adapters/home-folder.ts'
import { logFolder } from '../../electron/adapters/log-folder.ts'

const at = (...names: string[]): string => join(homedir(), ...names)

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, at('.local', 'state', 'headroom')],
  ['linux', { XDG_STATE_HOME: '/state' }, '/state/headroom'],
  ['darwin', {}, at('Library', 'Logs', 'Headroom')],
  ['win32', {}, at('AppData', 'Local', 'Headroom', 'logs')],
  ['linux', { HEADROOM_HOME: '/data' }, '/data/logs'],
  ['linux', { HEADROOM_HOME: '/data', XDG_STATE_HOME: '/state' }, '/data/logs'],
])('on %s with %o the log is in %s', (platform, environment, folder) => {
  expect(logFolder(homeFolder(environment, platform), environment, platform)).toBe(folder)
})

test('the log of any other data folder is in it', () => {
  expect(logFolder('/elsewhere', {}, 'linux')).toBe('/elsewhere/logs')
})
