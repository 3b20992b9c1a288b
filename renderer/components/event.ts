import type { StatusKind } from './status-kind.ts'

/** One entry of EventList.vue: event, time, and a secondary line. */
export interface EventLine {
  readonly id: number
  readonly kind: StatusKind
  readonly label: string
  readonly at: number
  readonly what: string | null
}
