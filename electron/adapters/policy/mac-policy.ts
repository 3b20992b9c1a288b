import type { PolicySource } from '../../core/platform.ts'
import { readOwnedFile, refused, watchPath, type OwnedPlace } from './owned-file.ts'
import type { RunProgram } from './system-program.ts'

/** Where device management puts the settings of a configuration profile. */
export const managedPreferences: OwnedPlace = {
  file: '/Library/Managed Preferences/io.headroom.console.plist',
  owner: 0,
  top: '/',
}

/** A property list, converted by the system from the judged bytes. */
export const macPolicy = (run: RunProgram, place = managedPreferences): PolicySource => ({
  async read() {
    const found = await readOwnedFile(place)
    if (found.kind !== 'found') return found
    const converted = await run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '-'], found.bytes)
    if (converted?.code !== 0) return refused(place.file, 'it is no property list that plutil can convert')
    return { ...found, bytes: Buffer.from(withoutPayload(converted.output.toString('utf8'))) }
  },
  watch: (changed) => watchPath(place.file, changed),
})

/** macOS may keep members that describe the profile itself. */
function withoutPayload(json: string): string {
  const members = JSON.parse(json) as object
  return JSON.stringify(
    Object.fromEntries(Object.entries(members).filter(([name]) => !name.startsWith('Payload'))),
    null,
    2,
  )
}
