import { homedir } from 'node:os'
import { join } from 'node:path'
import { openHttpTransport } from '../adapters/http-transport.ts'
import { openNodePlatform, type NodePlatformDeps } from '../adapters/node-platform.ts'
import { Failed } from '../contract/failure.ts'
import type { Platform } from '../core/platform.ts'

/**
 * Electron's userData folder, so that app and command line share one data folder. `HEADROOM_HOME` replaces
 * it.
 */
export function homeFolder(): string {
  const moved = process.env['HEADROOM_HOME']
  if (moved !== undefined && moved !== '') return moved
  if (process.platform === 'win32')
    return join(process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Headroom')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Headroom')
  return join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'Headroom')
}

const noDesktop = async (): Promise<never> => {
  throw Failed.invalid('desktop', 'The command line has no desktop.')
}

export function commandLinePlatform({
  version,
  ...parts
}: Pick<
  NodePlatformDeps,
  'home' | 'workerUrl' | 'demonstration' | 'keyFromEnvironment' | 'notWhole' | 'dataFolder'
> & {
  readonly version: string
}): Platform {
  return openNodePlatform({
    ...parts,
    transport: openHttpTransport({ environment: process.env }),
    desktop: {
      openOutside: noDesktop,
      copy: noDesktop,
      saveAs: noDesktop,
      chooseFolder: noDesktop,
      showFile: noDesktop,
    },
    about: { version, shell: 'none' },
    environment: process.env,
  })
}
