import type { PolicySource } from '../../core/platform.ts'
import { macPolicy } from './mac-policy.ts'
import { readOwnedFile, watchPath, type OwnedPlace } from './owned-file.ts'
import { runProgram } from './system-program.ts'
import { loadedLibraries, systemFolder, windowsPolicy } from './windows-policy.ts'

const linuxPlace: OwnedPlace = { file: '/etc/headroom/policy.json', owner: 0, top: '/' }

const linuxPolicy = (place = linuxPlace): PolicySource => ({
  read: () => readOwnedFile(place),
  watch: (changed) => watchPath(place.file, changed),
})

/** The place of this system. Nothing of the environment has a part in it. */
export function systemPolicy(): PolicySource {
  if (process.platform === 'darwin') return macPolicy(runProgram({}))
  if (process.platform !== 'win32') return linuxPolicy()
  const system = systemFolder(loadedLibraries())
  // PowerShell does not start without the folder of Windows.
  const windows = system === null ? {} : { SystemRoot: system.replace(/\\system32$/i, '') }
  return windowsPolicy(runProgram(windows), system)
}
