// The files of a release: their sums, and none of another version.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const released =
  /^(?:Headroom|headroom(?:-cli)?)-(\d+\.\d+\.\d+)\b.*\.(?:exe|msi|dmg|pkg|AppImage|deb|rpm|zip|tar\.xz|blockmap|cdx\.json)$/

const filesOf = (folder) =>
  (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
    const version = released.exec(name)?.[1]
    return version === undefined ? [] : [{ name, version }]
  })

/** Before packing. */
export function removeOtherVersions(folder, version) {
  for (const { name, version: its } of filesOf(folder)) if (its !== version) rmSync(join(folder, name))
}

/** After packing: SHA256SUMS, in the format of `sha256sum --check`. */
export async function writeSums(folder) {
  const lines = []
  for (const { name } of filesOf(folder).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, name)), hash)
    lines.push(`${hash.digest('hex')}  ${name}\n`)
  }
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}
