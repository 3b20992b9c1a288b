// A folder in the shape of Electron's, with a binary that starts nothing: packing works where Electron's own cannot be had, and what was
// packed is incomplete.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './prepare.mjs'

/** Electron's binary has this text before its fuses: a version, their number, then one character for each. */
export const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const fuses = Buffer.concat([Buffer.from(fuseMark), Buffer.from([1, 9]), Buffer.from('1'.repeat(9))])
/** Of the installed package: there is none before `prepare`. */
export const electronVersion = () =>
  JSON.parse(readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8')).version
/** What a stand-in for Electron's binary contains. */
export const standInMark = 'placeholder: electron'
const placeholder = () => Buffer.concat([Buffer.from(`${standInMark} ${electronVersion()}\n`), fuses])

/** Where the program of a system lies that electron-builder packed into `release`: Electron's own file with the fuses, and the resources. */
export function packedPlaces(release, system) {
  const [os, arch] = system.split('-')
  const suffix = arch === 'x64' ? '' : `-${arch}`
  if (os === 'mac') {
    const inside = join(release, `mac${suffix}`, 'Headroom.app', 'Contents')
    const framework = join(inside, 'Frameworks', 'Electron Framework.framework', 'Electron Framework')
    return { electron: framework, resources: join(inside, 'Resources') }
  }
  const folder = join(release, `${os}${suffix}-unpacked`)
  const electron = join(folder, os === 'win' ? 'Headroom.exe' : 'headroom-window.bin')
  return { electron, resources: join(folder, 'resources') }
}

/** Writes the folder of a system anew. */
export function writeElectronFolder(system, folder) {
  rmSync(folder, { recursive: true, force: true })
  const write = (path, content) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chmodSync(file, 0o755)
  }
  write('version', electronVersion())
  write('LICENSE', '')
  if (system.startsWith('win-')) write('electron.exe', windowsProgram(system))
  else if (system.startsWith('mac-')) writeMacApplication(write)
  else write('electron', placeholder())
}

/** Without code. It takes resources: the icon, and the hash of the archive. */
function windowsProgram(system) {
  // electron-builder's own.
  const ofBuilder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib'))
  const { NtExecutable, NtExecutableResource, Resource } = ofBuilder('resedit')
  const program = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(program)
  const english = { lang: 1033, codepage: 1200 }
  const version = Resource.VersionInfo.createEmpty()
  version.setFileVersion(0, 0, 0, 0, english.lang)
  version.setStringValues(english, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(program)
  program.setExtraData(placeholder())
  const bytes = Buffer.from(program.generate())
  const machine = bytes.readUInt32LE(0x3c) + 4
  bytes.writeUInt16LE(system.endsWith('arm64') ? 0xaa64 : 0x8664, machine)
  return bytes
}

function writeMacApplication(write) {
  const property = (name) => `<key>${name}</key><string>Electron</string>`
  const list = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>${['CFBundleExecutable', 'CFBundleName', 'CFBundleIdentifier'].map(property).join('')}</dict></plist>
`
  const inside = join('Electron.app', 'Contents')
  const frameworks = join(inside, 'Frameworks')
  write(join(inside, 'Info.plist'), list)
  write(join(inside, 'MacOS', 'Electron'), placeholder())
  write(join(inside, 'Resources', 'electron.icns'), '')
  write(join(frameworks, 'Electron Framework.framework', 'Electron Framework'), placeholder())
  for (const name of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const helper = `Electron Helper${name}`
    write(join(frameworks, `${helper}.app`, 'Contents', 'Info.plist'), list)
    write(join(frameworks, `${helper}.app`, 'Contents', 'MacOS', helper), placeholder())
  }
}
