import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeFolder } from '../../electron/adapters/home-folder.ts'

const local = join('C:', 'Users', 'ann', 'AppData', 'Local')
test.each([
  ['win32', { LOCALAPPDATA: local, APPDATA: join('C:', 'Roaming') }, join(local, 'Headroom')],
  ['win32', {}, join(homedir(), 'AppData', 'Local', 'Headroom')],
  ['darwin', {}, join(homedir(), 'Library', 'Application Support', 'Headroom')],
  ['linux', {}, join(homedir(), '.config', 'Headroom')],
  ['linux', { XDG_CONFIG_HOME: '/settings' }, '/settings/Headroom'],
  ['linux', { HEADROOM_HOME: '', XDG_CONFIG_HOME: '/settings' }, '/settings/Headroom'],
  ['win32', { HEADROOM_HOME: '/elsewhere', LOCALAPPDATA: local }, '/elsewhere'],
] as const)('on %s with %j the data folder is %s', (platform, environment, folder) => {
  expect(homeFolder(environment, platform)).toBe(folder)
})
