// The files over 400 lines: a question for review, not a failure (a cap would only be dodged).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folders = ['build', 'electron', 'renderer', 'tests']
const most = 400

/** Path and number of lines of each source file under `root` that has more, the longest first. */
export function longFiles(root) {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
    )
    .filter((path) => /\.(ts|vue|mjs|cjs|js)$/.test(path))
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > most)
    .sort((a, b) => b.lines - a.lines)
}
