import { describe, expect, test } from 'vitest'
import { commands } from '../../electron/cli/run-command.ts'
import { parse, UsageError } from '../../electron/cli/grammar.ts'
import { redactionOf } from '../../electron/cli/redaction.ts'

const keys = [
  'feedc0de5e47e1e15e47e1e1feedc0de',
  'FEEDC0DE5E47E1E15E47E1E1FEEDC0DE',
  'aB3+/dEf5hIjKlMnOpQrStUv==',
  'my-own"key',
]

/** The message about arguments that cannot be parsed. */
function saidOf(words: readonly string[]): string {
  try {
    parse(commands, words)
    return ''
  } catch (error) {
    if (error instanceof UsageError) return redactionOf(words, null)(error.message)
    throw error
  }
}

describe.each(keys)('the key %s in the wrong place is not repeated', (key) => {
  test.each([
    ['as an operand', ['key', 'set', 'primary', key]],
    ['as the command', ['key', key]],
    ['after the organization', ['--organization', 'Fjord', 'key', 'set', 'primary', key]],
    ['as an option', ['key', 'set', `--${key}`]],
    ['as the value of an unknown option', ['key', 'set', `--key=${key}`]],
    ['as the value of an option without values', ['key', 'set', `--stdin=${key}`]],
  ])('%s', (_, words) => {
    const said = saidOf(words)
    expect({ silent: said === '', key: said.includes(key) }).toEqual({ silent: false, key: false })
  })
})

test.each<[string, readonly string[], string | null, string]>([
  [
    'There is no command "feedc0de5e47e1e15e47e1e1feedc0de".',
    ['feedc0de5e47e1e15e47e1e1feedc0de'],
    null,
    'There is no command "[not repeated]".',
  ],
  ['no organization "a-key"', ['org', 'use', 'a-key'], 'a-key', 'no organization "[not repeated]"'],
  [
    '{"message":"no \\"odd\\\\key-1\\""}',
    ['key', 'check', 'odd\\key-1'],
    null,
    '{"message":"no \\"[not repeated]\\""}',
  ],
  [
    'There is no device "DD9ECD6296804500D744A03C47526EA8B7C0A1C68".',
    ['device', 'DD9ECD6296804500D744A03C47526EA8B7C0A1C68'],
    null,
    'There is no device "DD9ECD6296804500D744A03C47526EA8B7C0A1C68".',
  ],
  [
    'Cannot use /media/ada/Stick2026/Aarhus: it cannot be written to.',
    ['kit', 'make', '--to', '/media/ada/Stick2026/Aarhus'],
    null,
    'Cannot use /media/ada/Stick2026/Aarhus: it cannot be written to.',
  ],
  ['There is no command "kez".', ['kez', 'set'], null, 'There is no command "kez".'],
  [
    'The secondary key is primary',
    ['key', 'set', 'secondary', '--stdin'],
    null,
    'The secondary key is primary',
  ],
])('%j after %j is printed as given', (message, words, key, said) => {
  expect(redactionOf(words, key)(message)).toBe(said)
})
