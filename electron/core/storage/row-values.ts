import type { SqlValue } from '../platform.ts'

/** A value of a row; null: none, or of another type. */
export const textOrNull = (value: SqlValue | undefined): string | null =>
  typeof value === 'string' ? value : null
export const numberOrNull = (value: SqlValue | undefined): number | null =>
  typeof value === 'number' ? value : null

/** The JSON of a row; null: none, or damaged. */
export function jsonOrNull(value: SqlValue | undefined): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : null
  } catch {
    return null
  }
}
