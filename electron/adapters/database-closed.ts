import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

const markOf = (path: string): string => `${path}-closed`

/**
 * Identifies the file under this path and its content: a replaced or changed file
 * gives another value.
 */
function identityAndState(path: string): string {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [dev, ino, size, mtimeNs].join(' ')
}

/**
 * Records that the file was closed completely; a leftover log shows otherwise. If this cannot be recorded,
 * the file is checked at the next start.
 */
export function noteClosedWhole(path: string): void {
  try {
    if (!existsSync(`${path}-wal`)) writeFileSync(markOf(path), identityAndState(path), { mode: 0o600 })
  } catch {
    forgetClosedWhole(path)
  }
}

/** Whether the file is unchanged since that was recorded. */
export function wasClosedWhole(path: string): boolean {
  try {
    return !existsSync(`${path}-wal`) && readFileSync(markOf(path), 'utf8') === identityAndState(path)
  } catch {
    return false
  }
}

/**
 * Called before the file is opened: if the program is killed afterwards, the file is checked at the next
 * start.
 */
export function forgetClosedWhole(path: string): void {
  try {
    rmSync(markOf(path), { force: true })
  } catch {
    // A mark that cannot be removed no longer matches once the file is written.
  }
}
