// What electron-builder runs around its own packing of one system.
import { chmodSync, copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { stagedFolder, writeCommandLine } from './command-line.mjs'
import { Arch } from 'electron-builder'
import { root } from './prepare.mjs'

/** The command line of the system that is packed, for `extraResources`. */
export async function beforePack({ packager, arch }) {
  const system = `${packager.platform.buildConfigurationKey}-${Arch[arch]}`
  // Only macOS can sign.
  if (process.platform !== 'darwin') packager.config.electronFuses.resetAdHocDarwinSignature = false
  await writeCommandLine(process.execPath, system, stagedFolder(system))
}

let fuses
/** On Linux a launcher takes the place of Electron's binary, which gets its fuses before. */
export async function afterPack(context) {
  const { electronPlatformName, appOutDir, packager } = context
  if (electronPlatformName !== 'linux') return
  fuses ??= packager.config.electronFuses
  await packager.addElectronFuses(context, await packager.generateFuseConfig(fuses))
  // The builder would look for them in the launcher.
  packager.config.electronFuses = null
  const launcher = join(appOutDir, packager.executableName)
  renameSync(launcher, `${launcher}.bin`)
  copyFileSync(join(root, 'build', 'launchers', 'headroom-window.sh'), launcher)
  chmodSync(launcher, 0o755)
}
