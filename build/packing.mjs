// What electron-builder runs around its own packing of one system.
import { chmodSync, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stagedFolder, writeCommandLine, writeSizes } from './command-line.mjs'
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
/**
 * On Linux a launcher takes the place of Electron's binary, which gets its fuses before. For Windows native modules were signed while they
 * were copied, which made them longer.
 */
export async function afterPack(context) {
  const { electronPlatformName, appOutDir, packager } = context
  if (electronPlatformName === 'win32')
    writeSizes(`win-${Arch[context.arch]}`, join(appOutDir, 'resources', 'cli', 'program'))
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

/**
 * Of the MSI, before it is compiled: the folder of the command line on the machine's PATH, which an uninstallation takes out, and the
 * folder of a policy, to which only Administrators and SYSTEM may write.
 */
export function msiProjectCreated(project) {
  const text = readFileSync(project, 'utf8')
  const end = '</ComponentGroup>'
  if (text.split(end).length !== 2) throw new Error('the MSI has another form: see msiProjectCreated')
  writeFileSync(
    project,
    text.replace(
      end,
      () => `<Component Id="CommandLineOnPath" Guid="{0F6E0A6B-3D0C-4E0E-9B7C-6C1E3B7C7A52}" KeyPath="yes">
        <CreateFolder/>
        <Environment Id="CommandLineOnPath" Name="PATH" Action="set" Part="last" System="yes" Permanent="no" Value="[APPLICATIONFOLDER]resources\\cli\\bin"/>
      </Component>
      <Component Id="PolicyFolder" Directory="POLICYFOLDER" Guid="{B5C7F6B0-2C55-4D0B-8C6E-3D0B1B7D2A41}" KeyPath="yes">
        <CreateFolder>
          <PermissionEx Sddl="O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)"/>
        </CreateFolder>
      </Component>
    ${end}
    <DirectoryRef Id="TARGETDIR">
      <Directory Id="CommonAppDataFolder">
        <Directory Id="POLICYFOLDER" Name="Headroom"/>
      </Directory>
    </DirectoryRef>`,
    ),
  )
}
