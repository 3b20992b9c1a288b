import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

const markOf = (path: string): string => `${path}-closed`

/** What the file under this path is now: another one, or one that was written by something else, differs. */
function identityAndState(path: string): string {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [dev, ino, size, mtimeNs].join(' ')
}

/** Notes that the file was closed whole, everything in it; a log that was left says otherwise. Where that cannot be noted, it is checked the next time. */
export function noteClosedWhole(path: string): void {
  try {
    if (!existsSync(`${path}-wal`)) writeFileSync(markOf(path), identityAndState(path), { mode: 0o600 })
  } catch {
    forgetClosedWhole(path)
  }
}

/** Whether nothing has happened to the file since it was noted. */
export function wasClosedWhole(path: string): boolean {
  try {
    return !existsSync(`${path}-wal`) && readFileSync(markOf(path), 'utf8') === identityAndState(path)
  } catch {
    return false
  }
}

/** Before the file is opened: whatever ends the program then, it is checked the next time. */
export function forgetClosedWhole(path: string): void {
  try {
    rmSync(markOf(path), { force: true })
  } catch {
    // What cannot be removed is no longer true once the file is written.
  }
}
