import { homedir } from 'node:os'
import { join } from 'node:path'

/** Whether a data folder is the one that nobody chose. */
export const isUsualFolder = (
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): boolean => (environment['HEADROOM_HOME'] ?? '') === '' && home === homeFolder(environment, platform)

/**
 * The data folder of window and command line; `HEADROOM_HOME` replaces it. On Windows it is a local one: a roaming folder is copied at each
 * sign-in, and a company may keep it on a share, where it could not be locked.
 */
export function homeFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const given = (name: string, otherwise: string): string => environment[name] || otherwise
  const home = homedir()
  const usual =
    platform === 'win32'
      ? given('LOCALAPPDATA', join(home, 'AppData', 'Local'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : given('XDG_CONFIG_HOME', join(home, '.config'))
  return given('HEADROOM_HOME', join(usual, 'Headroom'))
}
