import { text } from '../locales/i18n.ts'
import { formatAge } from './format.ts'
import { markOfStatus, wordOfStatus, type StatusKind } from './status-kind.ts'

export interface Observed {
  readonly status: string
  /** No longer listed by the service. */
  readonly gone: unknown
  /** Epoch milliseconds. */
  readonly observedAt: number
}

/**
 * The mark and the text of a status: an observation older than the limit loses its colour and shows its age.
 * A gone item is always shown as gone.
 */
export function visibleStatus(
  { status, gone, observedAt }: Observed,
  nowAt: number,
  staleAfterInMs: number,
): { readonly kind: StatusKind; readonly label: string } {
  const now = gone ? 'gone' : status
  if (gone || nowAt - observedAt <= staleAfterInMs)
    return { kind: markOfStatus(now), label: wordOfStatus(now) }
  return {
    kind: 'unknown',
    label: text('components.statusWas', { status: wordOfStatus(status), age: formatAge(observedAt, nowAt) }),
  }
}
