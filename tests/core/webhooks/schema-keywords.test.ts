import { describe, expect, it, test } from 'vitest'
import type { WebhookCheck } from '../../../electron/contract/api/webhooks.ts'
import { checkPayload } from '../../../electron/core/webhooks/schema-check.ts'

const check = (schema: unknown, payload: unknown): WebhookCheck =>
  checkPayload({ schema: JSON.stringify(schema), payload: JSON.stringify(payload) })
const problems = (schema: unknown, payload: unknown): string[] =>
  check(schema, payload).problems.map(({ place, message }) => `${place} ${message}`.trim())

describe('Each keyword', () => {
  test.each<[string, unknown, unknown, unknown, string]>([
    ['type', { type: 'string' }, 'a', 1, 'Type "number" is invalid. Expected "string". Found: 1'],
    [
      'type of several',
      { type: ['string', 'null'] },
      null,
      [],
      'Type "array" is invalid. Expected "string", "null". Found: []',
    ],
    [
      'whole numbers',
      { type: 'integer' },
      2.0,
      2.5,
      'Type "number" is invalid. Expected "integer". Found: 2.5',
    ],
    [
      'null is no object',
      { type: 'object' },
      {},
      null,
      'Type "null" is invalid. Expected "object". Found: null',
    ],
    [
      'enum with objects',
      { enum: [{ a: 1, b: 2 }] },
      { b: 2, a: 1 },
      { a: 1 },
      'The value does not match any of [{"a":1,"b":2}]. Found: {"a":1}',
    ],
    [
      'const',
      { const: [1, { a: null }] },
      [1, { a: null }],
      [1],
      'The value does not match [1,{"a":null}]. Found: [1]',
    ],
    ['multipleOf', { multipleOf: 0.1 }, 0.3, 0.35, '0.35 is not a multiple of 0.1.'],
    ['minimum', { minimum: 3 }, 3, 2, '2 is less than 3.'],
    ['maximum', { maximum: 3 }, 3, 4, '4 is greater than 3.'],
    ['exclusiveMinimum', { exclusiveMinimum: 3 }, 4, 3, '3 is less than or equal to 3.'],
    ['exclusiveMaximum', { exclusiveMaximum: 3 }, 2, 3, '3 is greater than or equal to 3.'],
    [
      'exclusiveMinimum of draft 4',
      { minimum: 3, exclusiveMinimum: true },
      4,
      3,
      '3 is less than or equal to 3.',
    ],
    ['minLength in characters', { minLength: 2 }, '😀😀', '😀', 'String is too short (1 < 2).'],
    ['maxLength in characters', { maxLength: 1 }, '😀', 'ab', 'String is too long (2 > 1).'],
    ['pattern', { pattern: '^\\p{Lu}' }, 'Ä', 'ä', 'String does not match "^\\\\p{Lu}". Found: "ä"'],
    [
      'format date',
      { format: 'date' },
      '2028-02-29',
      '2026-02-29',
      'String does not match format "date". Found: "2026-02-29"',
    ],
    [
      'format uuid',
      { format: 'uuid' },
      '2d1781af-3a4c-4d7c-bd0c-e34b19da4e66',
      'x',
      'String does not match format "uuid". Found: "x"',
    ],
    [
      'format ipv4',
      { format: 'ipv4' },
      '10.0.0.1',
      '10.0.0.256',
      'String does not match format "ipv4". Found: "10.0.0.256"',
    ],
    [
      'format email',
      { format: 'email' },
      'a@example.com',
      'a@',
      'String does not match format "email". Found: "a@"',
    ],
    [
      'items',
      { items: { type: 'number' } },
      [1, 2],
      [1, 'a'],
      '/1 Type "string" is invalid. Expected "number". Found: "a"',
    ],
    [
      'items as a list',
      { items: [{ type: 'number' }], additionalItems: false },
      [1],
      [1, 2],
      '/1 Not allowed here.',
    ],
    ['prefixItems', { prefixItems: [{ type: 'number' }], items: false }, [1], [1, 2], '/1 Not allowed here.'],
    ['minItems', { minItems: 1 }, [0], [], 'Array has too few items (0 < 1).'],
    ['maxItems', { maxItems: 1 }, [0], [0, 1], 'Array has too many items (2 > 1).'],
    [
      'uniqueItems',
      { uniqueItems: true },
      [1, '1'],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'Duplicate items at indexes 0 and 1.',
    ],
    ['contains', { contains: { const: 1 } }, [0, 1], [0], 'Array does not contain item matching schema.'],
    [
      'maxContains',
      { contains: { const: 1 }, maxContains: 1 },
      [1],
      [1, 1],
      'Array may contain at most 1 items matching schema. 2 items were found.',
    ],
    [
      'properties',
      { properties: { 'a/b~': { type: 'number' } } },
      { 'a/b~': 1 },
      { 'a/b~': 'x' },
      '/a~1b~0 Type "string" is invalid. Expected "number". Found: "x"',
    ],
    [
      'patternProperties',
      { patternProperties: { '^n': { type: 'number' } } },
      { n: 1, x: 'a' },
      { n: 'a' },
      '/n Type "string" is invalid. Expected "number". Found: "a"',
    ],
    [
      'additionalProperties',
      {
        properties: { a: true },
        patternProperties: { '^x': true },
        additionalProperties: { type: 'number' },
      },
      { a: 'a', x1: 'a', b: 1 },
      { b: 'a' },
      '/b Type "string" is invalid. Expected "number". Found: "a"',
    ],
    [
      'propertyNames',
      { propertyNames: { maxLength: 2 } },
      { ab: 1 },
      { abc: 1 },
      'Property name "abc" does not match schema.',
    ],
    [
      'required',
      { required: ['__proto__', 'a'] },
      JSON.parse('{"__proto__": 1, "a": 1}'),
      { a: 1 },
      'The value does not have required property "__proto__".',
    ],
    ['minProperties', { minProperties: 1 }, { a: 1 }, {}, 'The value does not have at least 1 properties.'],
    [
      'maxProperties',
      { maxProperties: 1 },
      { a: 1 },
      { a: 1, b: 1 },
      'The value has more than 1 properties.',
    ],
    [
      'dependentRequired',
      { dependentRequired: { a: ['b'] } },
      { b: 1 },
      { a: 1 },
      'The value has "a" but does not have "b".',
    ],
    [
      'dependencies of draft 7',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { a: 1, b: 1 },
      { c: 1 },
      'The value does not have required property "d".',
    ],
    ['allOf', { allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, 4, '4 is greater than 3.'],
    ['not', { not: { type: 'string' } }, 1, 'a', 'The value matched "not" schema.'],
    [
      'if, then',
      { if: { required: ['a'] }, then: { required: ['b'] } },
      {},
      { a: 1 },
      'The value does not have required property "b".',
    ],
    [
      'if, else',
      { if: { required: ['a'] }, else: { required: ['b'] } },
      { a: 1 },
      {},
      'The value does not have required property "b".',
    ],
    [
      'unevaluatedProperties',
      { anyOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1 },
      { b: 1 },
      '/b Not allowed here.',
    ],
    [
      'unevaluatedItems',
      { prefixItems: [true], unevaluatedItems: false },
      [1],
      [1, 2],
      '/1 Not allowed here.',
    ],
    [
      '$ref to a schema by its $id',
      { $ref: 'item.json', $defs: { x: { $id: 'item.json', type: 'null' } } },
      null,
      1,
      'Type "number" is invalid. Expected "null". Found: 1',
    ],
    ['a schema that is false', { properties: { a: false } }, {}, { a: 1 }, '/a Not allowed here.'],
    [
      '$ref to an anchor',
      { $ref: '#text', $defs: { x: { $anchor: 'text', type: 'string' } } },
      'a',
      1,
      'Type "number" is invalid. Expected "string". Found: 1',
    ],
    [
      '$ref with escapes',
      { $ref: '#/definitions/a~1b%20c', definitions: { 'a/b c': { type: 'string' } } },
      'a',
      1,
      'Type "number" is invalid. Expected "string". Found: 1',
    ],
    [
      '$ref to itself',
      { required: ['a'], properties: { next: { $ref: '#' } } },
      { a: 1, next: { a: 1 } },
      { a: 1, next: {} },
      '/next The value does not have required property "a".',
    ],
  ])('%s', (_, schema, good, bad, said) => {
    expect({ good: problems(schema, good), bad: problems(schema, bad) }).toEqual({ good: [], bad: [said] })
  })

  it('ignores values of another type', () => {
    const schema = {
      minimum: 5,
      minLength: 5,
      minItems: 5,
      minProperties: 5,
      pattern: 'x',
      required: ['a'],
      format: 'uuid',
      multipleOf: 7,
    }
    expect([problems(schema, true), problems(schema, null)]).toEqual([[], []])
  })

  it('anyOf and oneOf report the nearest alternative', () => {
    const kinds = [
      { type: 'null' },
      { properties: { kind: { const: 'a' }, size: { type: 'number' } }, required: ['kind', 'size'] },
    ]
    expect([
      problems({ anyOf: kinds }, { kind: 'a' }),
      problems({ oneOf: kinds }, { kind: 'a' }),
      problems({ oneOf: [{ minimum: 1 }, { maximum: 9 }] }, 5),
    ]).toEqual([
      ['The value does not match any subschemas.', 'The value does not have required property "size".'],
      [
        'The value does not match exactly one subschema (0 matches).',
        'The value does not have required property "size".',
      ],
      ['The value does not match exactly one subschema (2 matches).'],
    ])
  })

  it('beside $ref applies from 2019-09 and is ignored up to draft 7', () => {
    const schema = {
      properties: { a: { $ref: '#/definitions/t', minLength: 3 } },
      definitions: { t: { type: 'string' } },
    }
    expect([
      problems(schema, { a: 'x' }),
      problems({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, { a: 'x' }),
    ]).toEqual([['/a String is too short (1 < 3).'], []])
  })
})
