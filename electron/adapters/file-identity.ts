import { statSync } from 'node:fs'

/** Which file stands under a path; null: none, or none that can be looked at. */
export function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}
