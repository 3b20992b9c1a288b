// The files over 400 lines: a question for review, not a failure, because a limit would only be worked around.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folders = ['build', 'electron', 'renderer', 'tests']
const most = 400

/** Path and line count of each longer source file under `root`, longest first. */
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
