import type { PowerSaveBlocker } from 'electron'

/**
 * Keeps the computer awake while a job runs; with a closed lid it sleeps all the same. Returns what to call whenever jobs changed.
 */
export function stayAwake(
  blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>,
  isRunning: () => boolean,
): () => void {
  let held: number | null = null
  return () => {
    if (isRunning() === (held !== null)) return
    if (held === null) held = blocker.start('prevent-app-suspension')
    else {
      blocker.stop(held)
      held = null
    }
  }
}
