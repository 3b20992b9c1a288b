import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { WebhookCheck } from '../../../electron/contract/api/webhooks.ts'
import { checkPayload } from '../../../electron/core/webhooks/schema-check.ts'
import { cases } from '../../setup/cases.ts'

const check = (schema: unknown, payload: unknown): WebhookCheck =>
  checkPayload({ schema: JSON.stringify(schema), payload: JSON.stringify(payload) })
const fits: WebhookCheck = {
  fits: true,
  checked: 'payload',
  problems: [],
  leftOut: 0,
  notChecked: [],
  unusable: null,
}

/** A schema as a portal might offer it: a list of events with two known kinds. */
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

  it('is reported with every place where it does not match', () => {
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
        { place: '/1', message: 'The value does not have required property "id".' },
        {
          place: '/1/eventType',
          message: 'The value does not match any of ["deviceStatusChanged","firmwareChanged"]. Found: "x"',
        },
        { place: '/1/eventTime', message: 'String does not match format "date-time". Found: "now"' },
        { place: '/1/data/deviceId', message: 'String does not match "^[0-9a-f-]+$". Found: "QQ"' },
        {
          place: '/1/data/status',
          message: 'The value does not match any of ["online","offline","rebooted"]. Found: "gone"',
        },
        {
          place: '/1/data/link',
          message: 'String does not match format "uri". Found: "portal"',
        },
        { place: '/1/extra', message: 'Not allowed here.' },
      ],
    })
  })

  it('is checked event by event against a schema of one event', () => {
    const one = { ...portal.$defs.event, $defs: portal.$defs }
    expect(check(one, [event, { ...event, id: '' }])).toEqual({
      ...fits,
      fits: false,
      checked: 'each-event',
      problems: [{ place: '/1/id', message: 'String is too short (0 < 1).' }],
    })
  })

  it.each<[string, unknown, WebhookCheck['checked']]>([
    ['a reference to an object', { $ref: '#/$defs/one', $defs: { one: { type: 'object' } } }, 'each-event'],
    ['members without a type', { required: ['id'] }, 'each-event'],
    ['an object or null', { type: ['object', 'null'] }, 'each-event'],
    ['an object or a list', { type: ['object', 'array'] }, 'payload'],
    ['an older draft', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }, 'each-event'],
    ['a draft that is no text', { $schema: 7, type: 'object' }, 'each-event'],
  ])('%s, %j, is checked as %s', (_, schema, checked) => {
    expect(check(schema, [event])).toEqual({ ...fits, checked })
  })

  it('with very many problems lists the first 200 and the number of the rest', () => {
    const { problems: reported, leftOut } = check(
      { items: { type: 'string' } },
      Array.from({ length: 450 }, () => 1),
    )
    expect({ reported: reported.length, leftOut }).toEqual({ reported: 200, leftOut: 250 })
  })
})

describe('Keywords that are not checked', () => {
  it('are listed with their place in the schema, and never taken as an error', () => {
    const schema = {
      type: 'object',
      nullable: true,
      'x-owner': 'rooms',
      description: 'An event',
      properties: {
        a: { format: 'colour', example: 'red' },
        b: { $ref: 'https://elsewhere.example.com/schema.json' },
        c: { $dynamicRef: '#text' },
        d: { pattern: '^\\@' },
      },
    }
    expect(check(schema, { a: 'x', b: 1, c: 2, d: 'x' })).toEqual({
      ...fits,
      notChecked: [
        '/nullable',
        '/properties/d/pattern',
        '/properties/c/$dynamicRef',
        '/properties/b/$ref (https://elsewhere.example.com/schema.json)',
        '/properties/a/format (colour)',
      ],
    })
  })
})

/**
 * Differences between the library and JSON Schema. A row is removed when its difference is fixed; none may be
 * added.
 */
describe('Gaps of the library', () => {
  test.each<[string, unknown, unknown, Partial<WebhookCheck>]>([
    ['an IPv4 address with a leading zero is no address', { format: 'ipv4' }, '010.0.0.1', { fits: true }],
    [
      'a dependency on a member that is named like a keyword',
      { dependencies: { type: { $ref: '#/$defs/x' } }, $defs: { x: { required: ['a'] } } },
      { type: 1, a: 1 },
      {
        unusable: { of: 'schema', message: 'The schema cannot be used: Error: Unresolved $ref "#/$defs/x".' },
      },
    ],
    [
      'half a character in a name',
      { additionalProperties: { type: 'number' } },
      { '\ud800': 1 },
      { unusable: { of: 'schema', message: 'The schema cannot be used: URIError: URI malformed' } },
    ],
  ])('%s', (_, schema, payload, answered) => {
    expect(check(schema, payload)).toEqual({ ...fits, fits: false, ...answered })
  })
})

describe('Invalid schemas', () => {
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
    ['a list as schema', '[]', '{}', { of: 'schema', message: 'A schema must be a JSON object.' }],
    [
      'a payload as schema',
      '{"id": 1}',
      '{}',
      {
        of: 'schema',
        message: 'This JSON contains no keywords of JSON Schema. Check that it is the schema file.',
      },
    ],
    [
      'an unknown type',
      '{"properties": {"a": {"type": "text"}}}',
      '{}',
      { of: 'schema', message: '/properties/a/type in the schema is not allowed by JSON Schema.' },
    ],
    [
      'a damaged pattern',
      '{"pattern": "("}',
      '{}',
      { of: 'schema', message: '/pattern in the schema is not allowed by JSON Schema.' },
    ],
    [
      'a $ref to nothing',
      '{"$ref": "#/$defs/x"}',
      '{}',
      { of: 'schema', message: 'The schema refers to #/$defs/x, which it does not contain.' },
    ],
    [
      'a $ref in a ring',
      '{"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#"}}}',
      '{}',
      { of: 'schema', message: 'The schema refers to itself without end, or finds too many problems.' },
    ],
  ])('%s', (_, schema, payload, unusable) => {
    expect(checkPayload({ schema, payload })).toEqual({ ...fits, fits: false, unusable })
  })

  it('any JSON as schema and payload never throws', () => {
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
      { numRuns: cases(1_000) },
    )
  })
})
