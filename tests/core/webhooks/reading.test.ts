import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ParsedWebhook } from '../../../electron/contract/api/webhooks.ts'
import { parsePayload } from '../../../electron/core/webhooks/reading.ts'
import { cases } from '../../setup/cases.ts'

const now = Date.UTC(2026, 10, 21, 14, 2)
const url =
  'https://rp-eastus2.eventgrid.azure.net:553/eventsubscriptions/rooms/validate?id=5BA1&t=2026-11-21T14:00:00.0000000Z&apiVersion=2018-05-01-preview&token=q%2F1%3D'
const read = (payload: unknown): ParsedWebhook =>
  parsePayload(typeof payload === 'string' ? payload : JSON.stringify(payload), now, {
    loopbackForTests: false,
  })

const eventGrid = {
  id: '2d1781af-3a4c-4d7c-bd0c-e34b19da4e66',
  topic: '/subscriptions/x/resourceGroups/rooms',
  subject: '',
  data: { validationCode: '512d38b6', validationUrl: url },
  eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
  eventTime: '2026-11-21T14:00:30.4556811Z',
  metadataVersion: '1',
  dataVersion: '1',
}

describe('The validation event in every known form', () => {
  test.each([
    ['a plain object', { validationUrl: url }, 'object', 'validationUrl'],
    ['a plain object with data', { data: { validationUrl: url } }, 'object', 'data.validationUrl'],
    ['an array of one', [{ validationUrl: url }], 'array', '[0].validationUrl'],
    ['an array of one with data', [{ data: { validationUrl: url } }], 'array', '[0].data.validationUrl'],
    ['Event Grid, as it is delivered', [eventGrid], 'event-grid', '[0].data.validationUrl'],
    ['Event Grid without its list', eventGrid, 'event-grid', 'data.validationUrl'],
    [
      'CloudEvents',
      { specversion: '1.0', id: '1', source: '/x', type: 'validation', data: { validationUrl: url } },
      'cloud-events',
      'data.validationUrl',
    ],
    [
      'CloudEvents in a list',
      [{ specversion: '1.0', id: '1', type: 'v', data: { validationUrl: url } }],
      'cloud-events',
      '[0].data.validationUrl',
    ],
    [
      'after another event',
      [{ eventType: 'other', topic: 't' }, { validationUrl: url }],
      'event-grid',
      '[1].validationUrl',
    ],
    ['with another case', { Data: { ValidationURL: url } }, 'object', 'Data.ValidationURL'],
  ])('%s', (_, payload, form, place) => {
    const { validation, ...rest } = read(payload)
    expect({
      form: rest.form,
      place: validation?.place,
      url: validation?.url,
      host: validation?.host,
      refused: validation?.refused,
    }).toEqual({
      form,
      place,
      url,
      host: 'rp-eastus2.eventgrid.azure.net:553',
      refused: null,
    })
  })

  it('shows the code and counts ten minutes from the time of the event', () => {
    expect(read([eventGrid]).validation).toEqual({
      place: '[0].data.validationUrl',
      url,
      host: 'rp-eastus2.eventgrid.azure.net:553',
      code: '512d38b6',
      eventAt: Date.UTC(2026, 10, 21, 14, 0, 30, 455),
      readAt: now,
      until: Date.UTC(2026, 10, 21, 14, 10, 30, 455),
      refused: null,
    })
  })

  test.each([
    ['without a time it counts from when it was pasted', {}, null, now + 600_000],
    ['with a time that cannot be read, too', { eventTime: 'yesterday' }, null, now + 600_000],
    ['a time without a zone is UTC', { eventTime: '2026-11-21T14:01:00' }, now - 60_000, now + 540_000],
    [
      'a time with an offset is converted',
      { time: '2026-11-21T15:01:00+01:00' },
      now - 60_000,
      now + 540_000,
    ],
    ['epoch milliseconds', { timestamp: now - 60_000 }, now - 60_000, now + 540_000],
    ['another number is no time', { timestamp: 7 }, null, now + 600_000],
    ['epoch seconds', { timestamp: (now - 60_000) / 1000 }, now - 60_000, now + 540_000],
    [
      'an event from the future does not lengthen the time',
      { eventTime: '2026-11-21T14:30:00Z' },
      Date.UTC(2026, 10, 21, 14, 30),
      now + 600_000,
    ],
    [
      'an old event is over',
      { eventTime: '2026-11-21T13:00:00Z' },
      Date.UTC(2026, 10, 21, 13),
      Date.UTC(2026, 10, 21, 13, 10),
    ],
  ])('%s', (_, members, eventAt, until) => {
    const { validation } = read([{ ...members, data: { validationUrl: url } }])
    expect({ eventAt: validation?.eventAt, until: validation?.until }).toEqual({ eventAt, until })
  })

  it('shows why an address may not be contacted, and keeps it readable', () => {
    expect(read({ validationUrl: 'http://example.com/validate' }).validation).toMatchObject({
      url: 'http://example.com/validate',
      host: null,
      refused: 'not-https',
    })
  })
})

describe('A validation address', () => {
  test.each<[string, unknown, string | null]>([
    ['in an undocumented member', { payload: { validationUrl: url } }, 'payload.validationUrl'],
    ['several levels deep', { a: { b: { c: [{ d: { ValidationURL: url } }] } } }, 'a.b.c[0].d.ValidationURL'],
    ['in a list in a list', [[{ validationUrl: url }]], '[0][0].validationUrl'],
    [
      'in events of an envelope',
      { events: [{ id: 1 }, { data: { validationUrl: url } }] },
      'events[1].data.validationUrl',
    ],
    [
      'in JSON inside a text',
      { body: JSON.stringify({ data: { validationUrl: url } }) },
      'body.data.validationUrl',
    ],
    [
      'nearest to the top',
      { deep: { validationUrl: 'https://other.example/' }, validationUrl: url },
      'validationUrl',
    ],
    [
      'in data before other members',
      { other: { validationUrl: 'https://other.example/' }, data: { validationUrl: url } },
      'data.validationUrl',
    ],
    [
      'after one that is no text',
      { validationUrl: null, data: { validationUrl: url } },
      'data.validationUrl',
    ],
    ['not at all', { payload: { url }, note: '{"validationUrl": cut off' }, null],
    [
      'too deep',
      Array.from({ length: 20 }).reduce<object>((inner) => ({ a: inner }), { validationUrl: url }),
      null,
    ],
  ])('is found anywhere: %s', (_, payload, place) => {
    const { validation } = read(payload)
    expect([validation?.place ?? null, validation?.url ?? url]).toEqual([place, url])
  })

  it('has the nearest time and code', () => {
    const inner = { validationUrl: url, validationCode: 512 }
    expect(read({ eventTime: '2026-11-21T14:01:00Z', payload: { event: inner } }).validation).toMatchObject({
      code: '512',
      eventAt: now - 60_000,
    })
  })
})

describe('Events of a payload', () => {
  it('are sorted by time, those without a time last, with every member kept', () => {
    const payload = [
      {
        eventType: 'firmwareChanged',
        eventTime: '2026-11-21T13:59:00Z',
        subject: 'rooms/2',
        data: { version: '2.9.2' },
        tenant: 7,
      },
      { eventType: 'noted', note: { deep: [1, null] } },
      { id: 4, type: 'statusChanged', time: '2026-11-21T13:58:00Z', data: 'offline' },
    ]
    expect(read(payload).events).toEqual([
      {
        place: '[2]',
        id: '4',
        type: 'statusChanged',
        subject: null,
        at: Date.UTC(2026, 10, 21, 13, 58),
        data: 'offline',
        others: {},
      },
      {
        place: '[0]',
        id: null,
        type: 'firmwareChanged',
        subject: 'rooms/2',
        at: Date.UTC(2026, 10, 21, 13, 59),
        data: { version: '2.9.2' },
        others: { tenant: 7 },
      },
      {
        place: '[1]',
        id: null,
        type: 'noted',
        subject: null,
        at: null,
        data: null,
        others: { note: { deep: [1, null] } },
      },
    ])
  })

  it('include members that cannot be parsed', () => {
    expect(read({ id: { a: 1 }, eventTime: 'soon', subject: null }).events).toEqual([
      {
        place: '',
        id: null,
        type: null,
        subject: null,
        at: null,
        data: null,
        others: { id: { a: 1 }, eventTime: 'soon', subject: null },
      },
    ])
  })

  it('are limited to 5,000, with the number of further ones', () => {
    const { events, leftOut } = read(Array.from({ length: 5_003 }, (_, id) => ({ id })))
    expect({ events: events.length, leftOut }).toEqual({ events: 5_000, leftOut: 3 })
  })

  it('count elements that are no events among the further ones', () => {
    expect(read([1, null, { id: 'a' }, 'text', []])).toMatchObject({ leftOut: 4, events: [{ id: 'a' }] })
  })
})

describe('Invalid payloads', () => {
  test.each([
    ['nothing', '', 'The text is empty.'],
    ['white space', ' \n\t', 'The text is empty.'],
    ['a missing comma', '[\n  {"a": 1}\n  {"b": 2}\n]', 'Line 3, column 3: a comma or ] is missing'],
    ['truncated text', '{"a": [1, 2', 'Line 1, column 12: the text ends too early, a comma or ] is missing'],
    ['single quotes', "{'a': 1}", 'Line 1, column 2: a name in double quotes or } is missing'],
    ['a comma too many', '{"a": 1,}', 'Line 1, column 9: a name in double quotes is missing'],
    [
      'a line end in a text',
      '{"a": "x\ny"}',
      'Line 1, column 9: a string contains a line break or a control character',
    ],
    ['a text without end', '{"a": "x', 'Line 1, column 9: a string has no closing quotation mark'],
    ['a wrong escape', '{"a": "\\x"}', 'Line 1, column 8: the character after \\ is not allowed in JSON'],
    ['a leading zero', '{"a": 012}', 'Line 1, column 7: a value is missing'],
    ['text after the end', '{} {}', 'Line 1, column 4: there is more text after the end'],
    ['a page of HTML', '<!doctype html>', 'Line 1, column 1: a value is missing'],
    ['a number', '7', 'This is JSON, but neither an event nor a list of events.'],
    ['null', 'null', 'This is JSON, but neither an event nor a list of events.'],
    ['Windows line ends', '{\r\n"a": 1\r\n"b": 2}', 'Line 3, column 1: a comma or } is missing'],
  ])('%s', (_, text, problem) => {
    expect(read(text)).toEqual({ form: null, validation: null, events: [], leftOut: 0, problem })
  })

  it('a million characters are parsed, one more is not', () => {
    const padded = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`
    expect([read(padded(1_000_000)).problem, read(padded(1_000_001)).problem]).toEqual([
      null,
      'The text is longer than 1,000,000 characters.',
    ])
  })

  it('half a million brackets are rejected as too deep, without a crash', () => {
    expect(read('['.repeat(500_000)).problem).toBe('Line 1, column 101: it is nested deeper than 100 levels')
  })

  it('300,000 objects inside one are read without a crash', () => {
    const { events, validation, problem } = read(`{"data":[${'{},'.repeat(300_000)}{}]}`)
    expect([events.length, validation, problem]).toEqual([1, null, null])
  })

  it('a byte order mark is skipped', () => {
    expect(read('\uFEFF{"validationUrl":"https://example.com/"}').validation?.host).toBe('example.com')
  })
})

describe('Any pasted text', () => {
  it('with arbitrary JSON is parsed without a throw, every event accounted for', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const reading = read(text)
        const value: unknown = JSON.parse(text)
        if (Array.isArray(value)) expect(reading.events.length + reading.leftOut).toBe(value.length)
      }),
      { numRuns: cases(500) },
    )
  })

  it('with an arbitrary validation address is parsed or rejected, never thrown', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 2 }), fc.string(), (odd, text) => {
        expect([null, 'string']).toContain(
          read({ data: { validationUrl: text, validationCode: odd }, eventTime: odd }).validation === null
            ? null
            : 'string',
        )
      }),
      { numRuns: cases(500) },
    )
  })

  it('is damaged exactly when JSON.parse rejects it', () => {
    const mutated = fc
      .tuple(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', '"', ',', '{', ']', '\\', '0', ' ', 'x', '\n', '-', '.', 'e', '\u0001', 'é'),
      )
      .map(
        ([text, at, put]) =>
          `${text.slice(0, at % (text.length + 1))}${put}${text.slice((at % (text.length + 1)) + 1)}`,
      )
    fc.assert(
      fc.property(mutated, (text) => {
        let parses = true
        try {
          JSON.parse(text)
        } catch {
          parses = false
        }
        const { problem } = read(text)
        expect(
          problem === null || problem === 'This is JSON, but neither an event nor a list of events.',
        ).toBe(parses && text.trim() !== '')
      }),
      { numRuns: cases(3_000) },
    )
  })
})
