/**
 * Writes electron/demo/data/checksums.json: run it when the bytes or the names of the demonstration's firmware files change. Takes minutes:
 * 30 GB are hashed.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { products } from '../../electron/demo/catalogue.ts'
import { firmwareBytes } from '../../electron/demo/firmware-files.ts'

const sums: Record<string, string> = {}
for (const product of products) {
  for (const { fileName, fileSize } of [...product.releases, ...product.bundledReleases]) {
    const hash = createHash('md5')
    for (const bytes of firmwareBytes(fileName, 0, fileSize)) hash.update(bytes)
    sums[fileName] ??= hash.digest('base64')
  }
}
const lines = Object.entries(sums).map(([name, sum]) => `  ${JSON.stringify(name)}: ${JSON.stringify(sum)}`)
writeFileSync(
  new URL('../../electron/demo/data/checksums.json', import.meta.url),
  `{\n${lines.join(',\n')}\n}\n`,
)
