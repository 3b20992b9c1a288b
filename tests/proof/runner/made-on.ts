import { spawnSync } from 'node:child_process'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../..')
/** What a result depends on, without the reports and other texts. */
export const sources = ['build', 'electron', 'renderer', 'tests', 'package-lock.json', 'vitest.config.ts']

/** The commit that is checked out. */
export function commit(): string {
  const git = (...args: string[]): string | null => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : null
  }
  const id = git('rev-parse', 'HEAD')
  if (id === null) return 'unknown, because git was not found'
  const changed = git('status', '--porcelain', '--', ...sources, ':!*.md')
  return changed === '' ? id : `${id} with uncommitted changes`
}

export const machine = (): string =>
  [
    cpus()[0]?.model.trim() ?? 'unknown processor',
    `${cpus().length} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release().replace(/-.*/, '')} ${arch()}`,
    `Node ${process.versions.node}`,
  ].join(', ')
