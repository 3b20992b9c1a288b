import { Failed, isKind } from '../contract/failure.ts'
import { flag, type ExitCode, type Terminal } from './command.ts'
import type { CoreClient } from './core-client.ts'
import type { ParsedCommand } from './grammar.ts'
import { sentence } from './texts.ts'

/** The result of work that Ctrl+C cancels; null: it did. Otherwise it rejects as the work does. */
export async function unlessInterrupted<T>(
  { handlers }: CoreClient,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<T | null> {
  let isInterrupted = false
  const stop = terminal.onInterrupt(() => {
    isInterrupted = true
    // An owner that is lost meanwhile cancels what its clients began.
    handlers.tasks.cancel({ id: null }).catch(() => undefined)
  })
  try {
    return await work()
  } catch (error) {
    if (isInterrupted && error instanceof Failed && isKind(error.failure, 'cancelled')) return null
    throw error
  } finally {
    stop()
  }
}

/** Nothing was done. */
export function endCut(given: ParsedCommand, terminal: Terminal): ExitCode {
  const failure = { kind: 'cancelled' } as const
  terminal.say(flag(given, 'json') ? JSON.stringify(failure) : sentence(failure))
  return 130
}
