import { statSync } from 'node:fs'

/** Identity of the file under a path; null: there is none, or it cannot be examined. */
export function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}
