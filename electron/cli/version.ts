import packageJson from '../../package.json' with { type: 'json' }
import { contractVersion } from '../adapters/owner/wire.ts'
import type { Terminal } from './command.ts'
import { standardTerminal } from './terminal.ts'

/** `commit`: 40 hex digits; null: unknown, as in a source archive. */
export function printVersion(
  words: readonly string[],
  commit: string | null,
  terminal: Pick<Terminal, 'print'> = standardTerminal(),
): void {
  const { version } = packageJson
  const whole = { version, commit, node: process.versions.node, contract: contractVersion }
  const isJson = words.includes('--json') || words[words.indexOf('-o') + 1] === 'json'
  terminal.print(isJson ? JSON.stringify(whole) : `headroom ${version}`)
}
