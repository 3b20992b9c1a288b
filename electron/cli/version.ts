import packageJson from '../../package.json' with { type: 'json' }
import { contractVersion } from '../adapters/owner/wire.ts'

/** `commit`: 40 hex digits; null: unknown, as in a source archive. */
export function printVersion(words: readonly string[], commit: string | null): void {
  const { version } = packageJson
  const whole = { version, commit, node: process.versions.node, contract: contractVersion }
  const isJson = words.includes('--json') || words[words.indexOf('-o') + 1] === 'json'
  process.stdout.write(isJson ? `${JSON.stringify(whole)}\n` : `headroom ${version}\n`)
}
