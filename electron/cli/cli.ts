import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// The other files are loaded later: --version starts without them, and one that is damaged can be named.
const built = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const damaged = damagedFile()
if (damaged !== null) {
  // Not by the Terminal, which may be what is damaged.
  process.stderr.write(`${damaged} is missing or damaged. Install Headroom again.\n`)
  process.exitCode = 3
} else if (['version', '--version', '-V'].includes(words[0] ?? ''))
  (await import('./version.ts')).printVersion(words, textOf(join(built, 'commit')))
else process.exitCode = await (await import('./start.ts')).start(words, import.meta.dirname)

/** A file whose size is not that of the packed program; null: none, or this program was not packed. */
function damagedFile(): string | null {
  const folder = join(built, '..')
  const sizes = textOf(join(folder, 'sizes.json'))
  if (sizes === null) return null
  const wrong = Object.entries(JSON.parse(sizes) as Readonly<Record<string, number>>).find(([path, size]) => {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false })
    return found?.isFile() !== true || found.size !== size
  })
  return wrong === undefined ? null : join(folder, wrong[0])
}

/** null: it does not exist, or is empty. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null
  } catch {
    return null
  }
}
