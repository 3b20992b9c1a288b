import { resolve } from 'node:path'

/** The program that opens the window in tests: the one that npm test found, else the stand-in. */
export const shellExecutable =
  process.env['HEADROOM_SHELL'] ?? resolve(import.meta.dirname, '../electron-stand-in/electron')

/** `electron` or `stand-in`. */
export const shellMode = process.env['HEADROOM_SHELL_MODE'] ?? 'stand-in'

const asRoot = process.platform === 'linux' && process.getuid?.() === 0
const withoutDisplay =
  process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']

/** The arguments that the shell needs on this machine. */
export const shellArguments: readonly string[] = [
  ...(asRoot ? ['--no-sandbox'] : []),
  ...(withoutDisplay ? ['--ozone-platform=headless'] : []),
]
