import { homedir } from 'node:os'
import { join } from 'node:path'
import { isUsualFolder } from './home-folder.ts'

/** Where each system looks for logs; those of a chosen data folder are in it. */
export function logFolder(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'win32' || !isUsualFolder(home, environment, platform)) return join(home, 'logs')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Logs', 'Headroom')
  return join(environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'headroom')
}
