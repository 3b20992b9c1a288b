import { describe, expect, it, test } from 'vitest'
import { openSchemaChecks } from '../../electron/adapters/schema-checks.ts'
import type { WebhookCheck } from '../../electron/contract/api/webhooks.ts'

const checks = openSchemaChecks(new URL('../../electron/adapters/database-worker.ts', import.meta.url))
const check = (
  schema: unknown,
  payload: string,
  signal = new AbortController().signal,
): Promise<WebhookCheck | null> => checks.check({ schema: JSON.stringify(schema), payload }, signal)

const endless = {
  $ref: '#/$defs/x',
  $defs: {
    x: { anyOf: [1, 2, 3, 4].map(() => ({ properties: { a: { $ref: '#/$defs/x' } }, required: ['b'] })) },
  },
}
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`

describe('A check on its own thread', () => {
  test.each<[string, unknown, string]>([
    ['a pattern that takes years', { items: { pattern: '^(a+)+$' } }, `["${'a'.repeat(60)}!"]`],
    ['alternatives that multiply', endless, nested(90)],
  ])('with %s ends in time and leaves others alone', async (_, schema, payload) => {
    const stop = new AbortController()
    const checking = check(schema, payload, stop.signal)
    const other = await check({ type: 'array' }, '[]')
    stop.abort()
    expect({ held: await checking, other: other?.fits }).toEqual({ held: null, other: true })
  })

  it('does not begin when its signal was aborted before', async () => {
    expect(await check({ type: 'array' }, '[]', AbortSignal.abort())).toBe(null)
  })

  it('ends when it runs out of memory', async () => {
    const numbers = Array.from({ length: 250_000 }, () => 1)
    const schema = { items: { enum: ['x'.repeat(400_000)] } }
    expect(await check(schema, JSON.stringify(numbers))).toBe(null)
  })

  test.each<[string, unknown, string, Partial<WebhookCheck>]>([
    [
      'a schema that only refers to itself',
      { $ref: '#/$defs/x', $defs: { x: { $ref: '#' } } },
      '{}',
      {
        unusable: {
          of: 'schema',
          message: 'The schema refers to itself without end, or finds too many problems.',
        },
      },
    ],
    ['a payload of the maximum depth', { properties: { a: { $ref: '#' } } }, nested(99), { fits: true }],
    [
      'half a million problems',
      { properties: { a: { items: { $ref: '#/$defs/x' } } }, $defs: { x: { type: 'string' } } },
      `{"a":[${'1,'.repeat(499_995)}1]}`,
      { problems: 200, leftOut: 499_796 } as object,
    ],
  ])('answers for %s', async (_, schema, payload, answered) => {
    const found = await check(schema, payload)
    expect(found && { ...found, problems: found.problems.length }).toEqual({
      fits: false,
      checked: 'payload',
      problems: 0,
      leftOut: 0,
      notChecked: [],
      unusable: null,
      ...answered,
    })
  })
})
