import type { CoreClient } from './core-client.ts'

/**
 * An event may be missed while the owner of the data folder changes, and remaining times change without one.
 * Raise it if asking costs time.
 */
const lookEveryMs = 1_000

/** A job or download that a command follows. */
export function watchRecord(
  { onEvent }: Pick<CoreClient, 'onEvent'>,
  event: 'jobs.changed' | 'downloads.changed',
  id: string,
) {
  let wake = (): void => undefined
  const end = onEvent((name, payload) => {
    if (name === event && (payload as { readonly ids: readonly string[] }).ids.includes(id)) wake()
  })
  const timer = setInterval(() => wake(), lookEveryMs)
  return {
    /** The next change. Ask for it before the record is read. */
    changed: () => new Promise<void>((resolve) => (wake = resolve)),
    wake: (): void => wake(),
    stop: (): void => {
      clearInterval(timer)
      end()
    },
  }
}
