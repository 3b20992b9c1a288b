import { describe, expect, it } from 'vitest'
import { sentence, swapSentence } from '../../electron/cli/sentences.ts'

describe('what was not found', () => {
  it.each([
    ['nosuch', '"nosuch" was not found.'],
    ['a product called Evolve9', 'A product called Evolve9 was not found.'],
    ['Device was not found.', 'Device was not found.'],
  ])('%s: an id stays as it was typed', (what, said) => {
    expect(sentence({ kind: 'not-found', call: null, what })).toBe(said)
  })
})

describe('what did not come in time', () => {
  const call = { operation: 'GetGnpSchemaVersions', host: 'cdn.example.com' }
  it.each([
    [
      undefined,
      'cdn.example.com did not answer GetGnpSchemaVersions within 10 s. Nothing was changed; try again.',
    ],
    [
      'the list of schema versions',
      'cdn.example.com did not send the list of schema versions within 10 s. Nothing was changed; try again.',
    ],
  ])('%s: is named', (what, said) => {
    expect(
      sentence({ kind: 'timed-out', call, afterInMs: 10_000, ...(what === undefined ? {} : { what }) }),
    ).toBe(said)
  })
})

describe('a key that was refused', () => {
  const failure = { kind: 'key-refused', slot: 'primary', message: 'Access denied' } as const
  it('is told where the other one is sent in its place', () => {
    const done = 'Nordlys goes on with the secondary key. Replace the primary one.'
    expect(swapSentence({ id: 'key-swapped:n', failure, since: 1, done })).toBe(
      `The service refused the primary subscription key: Access denied. ${done}`,
    )
  })
  it('is the failure of the command where there is no other one', () => {
    expect(swapSentence({ id: 'key-refused:n', failure, since: 1, done: null })).toBeNull()
  })
})
