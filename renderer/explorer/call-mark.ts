import type { MarkKind } from '../components/status-kind.ts'

/** A status of the service as a mark: 4xx says that the call was wrong, 5xx that the service failed; null: no answer came. */
export function markOfCall(status: number | null): MarkKind {
  if (status === null) return 'unknown'
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'ok'
}
