import { homedir } from 'node:os'
import { join } from 'node:path'

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
