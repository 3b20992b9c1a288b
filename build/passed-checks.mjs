// Which checks need not run again: those that passed with exactly these files. Deleting what is kept here is always safe.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { remembered, root } from './prepare.mjs'

const hashOf = (content) => createHash('sha256').update(content).digest('hex')
const stampOf = (folder, { name }) => join(folder, name.replaceAll(' ', '-'))

let files
/** Path and content hash of every file that git tracks or would add; empty without git. */
function contents() {
  files ??= spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
    .stdout?.split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .sort()
    .map((path) => [path, hashOf(readFileSync(join(root, path)))])
  return files ?? []
}

/** Hash of everything that decides the result of a check: its arguments, the Node it runs on, and the files that it reads. */
const keyOf = ({ args, reads }, listed) =>
  hashOf(JSON.stringify([args, process.version, listed.filter(([path]) => reads.test(path))]))

const folder = join(remembered, 'passed')
/** Whether this check passed with the files as they are now. */
export function passedBefore(check, listed = contents(), kept = folder) {
  const stamp = stampOf(kept, check)
  return listed.length > 0 && existsSync(stamp) && readFileSync(stamp, 'utf8') === keyOf(check, listed)
}

/** Remembers that this check passed with the files as they were when the command began. */
export function passes(check, listed = contents(), kept = folder) {
  mkdirSync(kept, { recursive: true })
  writeFileSync(stampOf(kept, check), keyOf(check, listed))
}
