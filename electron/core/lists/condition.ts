import type { SqlValue } from '../platform.ts'

/** A condition on a row. Typed text is always a parameter. */
export interface Condition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

export const condition = (sql: string, ...parameters: SqlValue[]): Condition => ({ sql, parameters })

export const anyOf = (conditions: readonly Condition[]): Condition => joined(conditions, ' OR ', '0')

export const allOf = (conditions: readonly Condition[]): Condition => joined(conditions, ' AND ', '1')

/** True if the condition is false or unknown: `!` includes unknown values. */
export const isNotTrue = ({ sql, parameters }: Condition): Condition => ({
  sql: `((${sql}) IS NOT TRUE)`,
  parameters,
})

function joined(conditions: readonly Condition[], word: string, none: string): Condition {
  return {
    sql: conditions.length === 0 ? none : `(${conditions.map(({ sql }) => sql).join(word)})`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  }
}
