import type { StatusKind } from '../components/status-kind.ts'

/** A status of the service as a mark: 4xx means a wrong call, 5xx a failure of the service; null: no response. */
export function markOfCall(status: number | null): StatusKind {
  if (status === null) return 'unknown'
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'ok'
}
