import { runIn } from '../../electron/cli/run-command.ts'
import { openSchemaChecks } from '../../electron/adapters/schema-checks.ts'
import type { Core } from '../../electron/core/app.ts'
import { asClient } from './a-core.ts'
import { aTerminal, type TerminalGiven } from './a-terminal.ts'

export interface Said {
  readonly code: number
  readonly output: string
  readonly errors: string
}

const schemas = openSchemaChecks(new URL('../../electron/adapters/database-worker.ts', import.meta.url))

/** Runs a command line in this process on a core that remains open afterwards. */
export async function runOn(core: Core, words: readonly string[], given: TerminalGiven = {}): Promise<Said> {
  const terminal = aTerminal(given)
  const demonstration = { serve: async () => 0 }
  const { clock, policySource, about } = core.shared.platform
  const reset = (): Promise<never> => Promise.reject(new Error('a reset needs a program of its own'))
  const alone = { clock, schemas, policySource, home: about.home, reset }
  const code = await runIn({ terminal, demonstration, open: async () => asClient(core), alone }, words)
  return { code, output: terminal.output, errors: terminal.errors }
}
