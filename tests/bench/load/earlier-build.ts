import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
/** The build for comparing filters: the last one before targets were defined as ratios to it. */
const commit = '5509934'
const folder = join(root, 'node_modules/.cache/headroom', `build-${commit}`)

export type EarlierBuild = { readonly folder: string } | { readonly folder: null; readonly reason: string }

/** Makes the earlier build from this repository's history with its own lock file, once; later runs reuse it. */
export function earlierBuild(): EarlierBuild {
  if (!existsSync(folder)) {
    const beginning = `${folder}-${process.pid}`
    mkdirSync(beginning, { recursive: true })
    const archive = join(beginning, 'source.tar')
    const reason =
      failureOf('git', ['archive', `--output=${archive}`, commit], root) ??
      failureOf('tar', ['-xf', archive], beginning)
    if (reason !== null) {
      rmSync(beginning, { recursive: true })
      return { folder: null, reason: `no source of ${commit}: ${reason}` }
    }
    rmSync(archive)
    renameSync(beginning, folder)
  }
  const reason = failureOf(process.execPath, [join(folder, 'build/build.mjs')], folder)
  return reason === null ? { folder } : { folder: null, reason: `${commit} could not be built: ${reason}` }
}

/** The last line of a program before it failed; null: it did not fail. */
function failureOf(command: string, words: readonly string[], cwd: string): string | null {
  const { status, stderr, error } = spawnSync(command, words, { cwd, encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr.trim().split('\n').at(-1) ?? `exit code ${status}`)
}
