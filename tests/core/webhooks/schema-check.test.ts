import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { WebhookCheck } from '../../../electron/contract/webhook.ts'
import { checkPayload } from '../../../electron/core/webhooks/schema-check.ts'

const check = (schema: unknown, payload: unknown): WebhookCheck =>
  checkPayload({ schema: JSON.stringify(schema), payload: JSON.stringify(payload) })
const problems = (schema: unknown, payload: unknown): string[] =>
  check(schema, payload).problems.map(({ place, message }) => `${place} ${message}`.trim())
const fits: WebhookCheck = {
  fits: true,
  checked: 'payload',
  problems: [],
  leftOut: 0,
  notChecked: [],
  unusable: null,
}

/** As a portal might offer it: a list of events, of which two kinds are known. */
const portal = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://portal.example.com/webhooks/payload.json',
  title: 'Room events',
  type: 'array',
  minItems: 1,
  items: { $ref: '#/$defs/event' },
  $defs: {
    event: {
      type: 'object',
      required: ['id', 'eventType', 'eventTime', 'data'],
      properties: {
        id: { type: 'string', minLength: 1 },
        eventType: { enum: ['deviceStatusChanged', 'firmwareChanged'] },
        eventTime: { type: 'string', format: 'date-time' },
        subject: { type: ['string', 'null'] },
        data: { $ref: '#/$defs/data' },
      },
      additionalProperties: false,
    },
    data: {
      type: 'object',
      properties: {
        deviceId: { type: 'string', pattern: '^[0-9a-f-]+$' },
        status: { enum: ['online', 'offline', 'rebooted'] },
        link: { type: 'string', format: 'uri' },
      },
      required: ['deviceId'],
    },
  },
}
const event = {
  id: '1',
  eventType: 'deviceStatusChanged',
  eventTime: '2026-11-21T14:02:00.1234567Z',
  subject: null,
  data: { deviceId: '4f-2', status: 'offline' },
}

describe('A payload of the portal', () => {
  it('fits its schema', () => {
    expect(check(portal, [event, { ...event, id: '2' }])).toEqual(fits)
  })

  it('is told every place where it does not fit', () => {
    const { id: _, ...withoutId } = event
    expect(
      check(portal, [
        event,
        {
          ...withoutId,
          eventType: 'x',
          eventTime: 'now',
          extra: 1,
          data: { deviceId: 'QQ', status: 'gone', link: 'portal' },
        },
      ]),
    ).toEqual({
      ...fits,
      fits: false,
      problems: [
        { place: '/1', message: 'the member "id" is missing' },
        { place: '/1/eventType', message: 'is "x", allowed: "deviceStatusChanged", "firmwareChanged"' },
        { place: '/1/eventTime', message: 'is "now", must be a date and time such as 2026-11-21T14:02:00Z' },
        { place: '/1/data/deviceId', message: 'is "QQ", which does not match "^[0-9a-f-]+$"' },
        { place: '/1/data/status', message: 'is "gone", allowed: "online", "offline", "rebooted"' },
        {
          place: '/1/data/link',
          message: 'is "portal", must be an address with a scheme, such as https://example.com/',
        },
        { place: '/1/extra', message: 'is not allowed here' },
      ],
    })
  })

  it('is held event by event against a schema of one event', () => {
    const one = { ...portal.$defs.event, $defs: portal.$defs }
    expect(check(one, [event, { ...event, id: '' }])).toEqual({
      ...fits,
      fits: false,
      checked: 'each-event',
      problems: [{ place: '/1/id', message: 'has 0 characters, must have at least 1' }],
    })
  })

  it('with very many problems is told the first 200 and the number of the rest', () => {
    const { problems: told, leftOut } = check(
      { items: { type: 'string' } },
      Array.from({ length: 450 }, () => 1),
    )
    expect({ told: told.length, leftOut }).toEqual({ told: 200, leftOut: 250 })
  })
})

describe('Each keyword', () => {
  test.each<[string, unknown, unknown, unknown, string]>([
    ['type', { type: 'string' }, 'a', 1, 'should be text, is 1'],
    ['type of several', { type: ['string', 'null'] }, null, [], 'should be text or null, is a list'],
    ['whole numbers', { type: 'integer' }, 2.0, 2.5, 'should be a whole number, is 2.5'],
    ['null is no object', { type: 'object' }, {}, null, 'should be an object, is null'],
    [
      'enum with objects',
      { enum: [{ a: 1, b: 2 }] },
      { b: 2, a: 1 },
      { a: 1 },
      'is {"a":1}, allowed: {"a":1,"b":2}',
    ],
    ['const', { const: [1, { a: null }] }, [1, { a: null }], [1], 'is [1], must be [1,{"a":null}]'],
    ['multipleOf', { multipleOf: 0.1 }, 0.3, 0.35, 'is 0.35, must be a multiple of 0.1'],
    ['minimum', { minimum: 3 }, 3, 2, 'is 2, must be at least 3'],
    ['maximum', { maximum: 3 }, 3, 4, 'is 4, must be at most 3'],
    ['exclusiveMinimum', { exclusiveMinimum: 3 }, 4, 3, 'is 3, must be more than 3'],
    ['exclusiveMaximum', { exclusiveMaximum: 3 }, 2, 3, 'is 3, must be less than 3'],
    [
      'exclusiveMinimum of draft 4',
      { minimum: 3, exclusiveMinimum: true },
      4,
      3,
      'is 3, must be more than 3',
    ],
    ['minLength in characters', { minLength: 2 }, '😀😀', '😀', 'has 1 character, must have at least 2'],
    ['maxLength in characters', { maxLength: 1 }, '😀', 'ab', 'has 2 characters, may have at most 1'],
    ['pattern', { pattern: '^\\p{Lu}' }, 'Ä', 'ä', 'is "ä", which does not match "^\\\\p{Lu}"'],
    [
      'format date',
      { format: 'date' },
      '2028-02-29',
      '2026-02-29',
      'is "2026-02-29", must be a date such as 2026-11-21',
    ],
    [
      'format uuid',
      { format: 'uuid' },
      '2d1781af-3a4c-4d7c-bd0c-e34b19da4e66',
      'x',
      'is "x", must be a UUID',
    ],
    ['format ipv4', { format: 'ipv4' }, '10.0.0.1', '10.0.0.256', 'is "10.0.0.256", must be an IPv4 address'],
    ['format email', { format: 'email' }, 'a@example.com', 'a@', 'is "a@", must be an e-mail address'],
    ['items', { items: { type: 'number' } }, [1, 2], [1, 'a'], '/1 should be a number, is "a"'],
    [
      'items as a list',
      { items: [{ type: 'number' }], additionalItems: false },
      [1],
      [1, 2],
      '/1 is not allowed here',
    ],
    [
      'prefixItems',
      { prefixItems: [{ type: 'number' }], items: false },
      [1],
      [1, 2],
      '/1 is not allowed here',
    ],
    ['minItems', { minItems: 1 }, [0], [], 'has 0 elements, must have at least 1'],
    ['maxItems', { maxItems: 1 }, [0], [0, 1], 'has 2 elements, may have at most 1'],
    [
      'uniqueItems',
      { uniqueItems: true },
      [1, '1'],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      '/1 stands in the list before',
    ],
    [
      'contains',
      { contains: { const: 1 } },
      [0, 1],
      [0],
      'has 0 elements of the kind of which at least 1 must be there',
    ],
    [
      'maxContains',
      { contains: { const: 1 }, maxContains: 1 },
      [1],
      [1, 1],
      'has 2 elements of the kind of which at most 1 may be there',
    ],
    [
      'properties',
      { properties: { 'a/b~': { type: 'number' } } },
      { 'a/b~': 1 },
      { 'a/b~': 'x' },
      '/a~1b~0 should be a number, is "x"',
    ],
    [
      'patternProperties',
      { patternProperties: { '^n': { type: 'number' } } },
      { n: 1, x: 'a' },
      { n: 'a' },
      '/n should be a number, is "a"',
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
      '/b should be a number, is "a"',
    ],
    [
      'propertyNames',
      { propertyNames: { maxLength: 2 } },
      { ab: 1 },
      { abc: 1 },
      '/abc has a name that does not fit: has 3 characters, may have at most 2',
    ],
    [
      'required',
      { required: ['__proto__', 'a'] },
      JSON.parse('{"__proto__": 1, "a": 1}'),
      { a: 1 },
      'the member "__proto__" is missing',
    ],
    ['minProperties', { minProperties: 1 }, { a: 1 }, {}, 'has 0 members, must have at least 1'],
    ['maxProperties', { maxProperties: 1 }, { a: 1 }, { a: 1, b: 1 }, 'has 2 members, may have at most 1'],
    [
      'dependentRequired',
      { dependentRequired: { a: ['b'] } },
      { b: 1 },
      { a: 1 },
      'has "a", so "b" must be there too',
    ],
    [
      'dependencies of draft 7',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { a: 1, b: 1 },
      { c: 1 },
      'the member "d" is missing',
    ],
    ['allOf', { allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, 4, 'is 4, must be at most 3'],
    ['not', { not: { type: 'string' } }, 1, 'a', 'is what the schema rules out'],
    [
      'if, then',
      { if: { required: ['a'] }, then: { required: ['b'] } },
      {},
      { a: 1 },
      'the member "b" is missing',
    ],
    [
      'if, else',
      { if: { required: ['a'] }, else: { required: ['b'] } },
      { a: 1 },
      {},
      'the member "b" is missing',
    ],
    ['a schema that is false', { properties: { a: false } }, {}, { a: 1 }, '/a is not allowed here'],
    [
      '$ref to an anchor',
      { $ref: '#text', $defs: { x: { $anchor: 'text', type: 'string' } } },
      'a',
      1,
      'should be text, is 1',
    ],
    [
      '$ref with escapes',
      { $ref: '#/definitions/a~1b%20c', definitions: { 'a/b c': { type: 'string' } } },
      'a',
      1,
      'should be text, is 1',
    ],
    [
      '$ref to itself',
      { required: ['a'], properties: { next: { $ref: '#' } } },
      { a: 1, next: { a: 1 } },
      { a: 1, next: {} },
      '/next the member "a" is missing',
    ],
  ])('%s', (_, schema, good, bad, said) => {
    expect({ good: problems(schema, good), bad: problems(schema, bad) }).toEqual({ good: [], bad: [said] })
  })

  it('says nothing of values of another type', () => {
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

  it('anyOf and oneOf tell the alternative that comes nearest', () => {
    const kinds = [
      { type: 'null' },
      { properties: { kind: { const: 'a' }, size: { type: 'number' } }, required: ['kind', 'size'] },
    ]
    expect([
      problems({ anyOf: kinds }, { kind: 'a' }),
      problems({ oneOf: kinds }, { kind: 'a' }),
      problems({ oneOf: [{ minimum: 1 }, { maximum: 9 }] }, 5),
    ]).toEqual([
      ['fits none of 2 alternatives', 'the member "size" is missing'],
      ['fits none of 2 alternatives', 'the member "size" is missing'],
      ['fits 2 alternatives, must fit exactly one'],
    ])
  })

  it('beside $ref counts from 2019 on and is ignored up to draft 7', () => {
    const schema = {
      properties: { a: { $ref: '#/definitions/t', minLength: 3 } },
      definitions: { t: { type: 'string' } },
    }
    expect([
      problems(schema, { a: 'x' }),
      problems({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, { a: 'x' }),
    ]).toEqual([['/a has 1 character, must have at least 3'], []])
  })
})

describe('What is not checked', () => {
  it('is told with its place in the schema, and never taken as a misfit', () => {
    const schema = {
      type: 'object',
      unevaluatedProperties: false,
      nullable: true,
      'x-owner': 'rooms',
      description: 'An event',
      properties: {
        a: { format: 'colour', example: 'red' },
        b: { $ref: 'https://elsewhere.example.com/schema.json' },
      },
    }
    expect(check(schema, { a: 'x', b: 1, c: 2 })).toEqual({
      ...fits,
      notChecked: [
        '/unevaluatedProperties',
        '/nullable',
        '/properties/b/$ref (https://elsewhere.example.com/schema.json)',
        '/properties/a/format (colour)',
      ],
    })
  })

  it('a pattern that would never end is stopped and told', () => {
    const { fits: fitting, notChecked } = check({ items: { pattern: '^(a+)+$' } }, [`${'a'.repeat(60)}!`])
    expect({ fitting, notChecked }).toEqual({
      fitting: true,
      notChecked: ['/items/pattern (takes too long)'],
    })
  })
})

describe('What cannot be used', () => {
  test.each<[string, string, string, WebhookCheck['unusable']]>([
    [
      'a damaged schema',
      '{"type": }',
      '{}',
      { of: 'schema', message: 'Line 1, column 10: a value is missing' },
    ],
    [
      'a damaged payload',
      '{"type": "object"}',
      '{',
      {
        of: 'payload',
        message: 'Line 1, column 2: the text ends too early, a name in double quotes or } is missing',
      },
    ],
    ['a list as schema', '[]', '{}', { of: 'schema', message: 'A schema file is an object; this is not.' }],
    [
      'a payload as schema',
      '{"id": 1}',
      '{}',
      {
        of: 'schema',
        message: 'This is JSON, but it asks nothing that JSON Schema knows: is it the schema file?',
      },
    ],
    [
      'an unknown type',
      '{"properties": {"a": {"type": "text"}}}',
      '{}',
      { of: 'schema', message: '/properties/a/type in the schema is not what JSON Schema allows there.' },
    ],
    [
      'a damaged pattern',
      '{"pattern": "("}',
      '{}',
      { of: 'schema', message: '/pattern in the schema is not what JSON Schema allows there.' },
    ],
    [
      'a $ref to nothing',
      '{"$ref": "#/$defs/x"}',
      '{}',
      { of: 'schema', message: 'The schema refers to #/$defs/x, which it does not have.' },
    ],
    [
      'a $ref in a ring',
      '{"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#"}}}',
      '{}',
      { of: 'schema', message: 'The schema leads back to itself without end.' },
    ],
    [
      'alternatives that multiply',
      JSON.stringify({
        $ref: '#/$defs/x',
        $defs: {
          x: {
            anyOf: Array.from({ length: 4 }, () => ({
              properties: { a: { $ref: '#/$defs/x' } },
              required: ['b'],
            })),
          },
        },
      }),
      `${'{"a":'.repeat(30)}{}${'}'.repeat(30)}`,
      { of: 'schema', message: 'Holding this payload against this schema would take too long.' },
    ],
  ])('%s', (_, schema, payload, unusable) => {
    expect(checkPayload({ schema, payload })).toEqual({ ...fits, fits: false, unusable })
  })

  it('whatever JSON is given as schema and payload, nothing is thrown', () => {
    const word = fc.constantFrom(
      'type',
      'properties',
      'items',
      'required',
      'enum',
      'anyOf',
      '$ref',
      'format',
      'pattern',
      'not',
      'if',
      'then',
      '$defs',
      'minimum',
      'uniqueItems',
    )
    const schema = fc.letrec((tie) => ({
      schema: fc.dictionary(
        word,
        fc.oneof(
          { maxDepth: 4 },
          fc.constantFrom('string', 'object', '#', '#/items', 'date-time', true, 3),
          tie('schema'),
          fc.array(tie('schema'), { maxLength: 3 }),
          fc.jsonValue({ maxDepth: 1 }),
        ),
      ),
    })).schema
    fc.assert(
      fc.property(schema, fc.jsonValue({ maxDepth: 4 }), (given, payload) => {
        expect(typeof check(given, payload).fits).toBe('boolean')
      }),
      { numRuns: 1_000 },
    )
  })
})
