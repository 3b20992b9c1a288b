import type { MarkKind } from './status-kind.ts'

/** One line of EventList.vue: what happened, when, and a quiet line about it. */
export interface EventLine {
  readonly id: number
  readonly kind: MarkKind
  readonly label: string
  readonly at: number
  readonly what: string | null
}
