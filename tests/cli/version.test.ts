import { expect, test } from 'vitest'
import { printVersion } from '../../electron/cli/version.ts'
import { aTerminal } from './a-terminal.ts'

const commit = '0123456789abcdef0123456789abcdef01234567'

const printed = (words: readonly string[], of: string | null): string => {
  const terminal = aTerminal()
  printVersion(words, of, terminal)
  return terminal.output
}

test('the version for people is one line', () => {
  expect(printed(['--version'], commit)).toMatch(/^headroom \d+\.\d+\.\d+\n$/)
})

test.each([
  [['--version', '--json'], commit],
  [['version', '-o', 'json'], commit],
  [['-V', '--json'], null],
])('%j with the commit %j is one JSON document', (words, of) => {
  expect(JSON.parse(printed(words, of))).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: of,
    node: process.versions.node,
    contract: expect.any(Number),
  })
})
