import { text } from '../locales/i18n.ts'
import { formatAge } from './format.ts'
import { markOfStatus, wordOfStatus, type MarkKind } from './status-kind.ts'

export interface Observed {
  readonly status: string
  /** No longer listed by the service. */
  readonly gone: unknown
  /** Epoch milliseconds. */
  readonly observedAt: number
}

/**
 * The mark and the words of a status: once it was observed longer ago than the limit it is no longer claimed, so it loses its colour
 * and says its age. What is gone stays gone.
 */
export function statusShown(
  { status, gone, observedAt }: Observed,
  nowAt: number,
  staleAfterInMs: number,
): { readonly kind: MarkKind; readonly label: string } {
  const now = gone ? 'gone' : status
  if (gone || nowAt - observedAt <= staleAfterInMs)
    return { kind: markOfStatus(now), label: wordOfStatus(now) }
  return {
    kind: 'unknown',
    label: text('components.statusWas', { status: wordOfStatus(status), age: formatAge(observedAt, nowAt) }),
  }
}
