import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../electron/contract/json.ts'
import { parseEnvelope, type RecordsOf } from '../../../electron/core/management/page-envelope.ts'
import { cases } from '../../setup/cases.ts'

const record = { id: 'a' }
const read = (json: Json, of: RecordsOf = 'device', before: readonly string[] = []) =>
  parseEnvelope(json, {}, of, new Set(before))
const list = (json: Json, of: RecordsOf = 'device', before: readonly string[] = []) => {
  const { envelope, problem } = read(json, of, before)
  return envelope === null ? problem : [envelope.listAt, envelope.items.length, envelope.surelyTheList]
}

describe('the list of a page', () => {
  it.each<[string, Json, RecordsOf, [string, number, boolean]]>([
    ['items', { items: [record] }, 'device', ['items', 1, true]],
    ['items in capitals', { Items: [record] }, 'device', ['Items', 1, true]],
    ['items without records', { items: [null, 'text'] }, 'device', ['items', 2, true]],
    ['items that are null', { items: null, continuationToken: null }, 'device', ['items', 0, true]],
    ['one level deeper', { data: { items: [record] } }, 'device', ['data.items', 1, true]],
    [
      'two levels deeper',
      { response: { data: { devices: [record] } } },
      'device',
      ['response.data.devices', 1, true],
    ],
    ['another name', { rooms: [record], total: 1 }, 'room', ['rooms', 1, true]],
    ['a name with a meaning', { deviceList: [] }, 'device', ['deviceList', 0, true]],
    ['a name without meaning, with records', { foo: [record] }, 'device', ['foo', 1, true]],
    ['a name without meaning, empty', { foo: [] }, 'device', ['foo', 0, false]],
    ['a bare list', [record], 'device', ['', 1, true]],
    ['a bare list, empty', [], 'device', ['', 0, false]],
    ['an envelope in a list', [{ items: [record], continuationToken: 'x' }], 'device', ['items', 1, true]],
    ['a record with a list of its own, bare', [{ id: 'a', items: [record] }], 'device', ['', 1, true]],
    ['two lists: the known name', { facets: [record], items: [] }, 'device', ['items', 0, true]],
    [
      'two lists: the one with records',
      { results: [], devices: [record], warnings: ['x'] },
      'device',
      ['devices', 1, true],
    ],
    [
      'two lists: the one of the requested kind',
      { devices: [record], meetingRooms: [record] },
      'room',
      ['meetingRooms', 1, true],
    ],
    [
      'two lists without a known name: the one with records',
      { first: [7], second: [record] },
      'device',
      ['second', 1, true],
    ],
    [
      'a status that is a text',
      { status: 'ok', code: 200, message: 'Done', title: 'Devices', items: [record] },
      'device',
      ['items', 1, true],
    ],
    [
      'members of errors that contain no error',
      { error: null, errors: [], success: true, items: [record] },
      'device',
      ['items', 1, true],
    ],
  ])('%s', (_, json, of, expected) => {
    expect(list(json, of)).toEqual(expected)
  })

  it.each<[string, JsonObject, RecordsOf, string[]]>([
    ['at the top, in any case', { TotalCount: 3, count: '1' }, 'device', ['TotalCount 3', 'count 1']],
    ['with a prefix', { '@odata.count': 2 }, 'device', ['@odata.count 2']],
    ['one level down', { paging: { total: 3 } }, 'device', ['paging.total 3']],
    ['of the records', { totalDevices: 3, itemCount: 2 }, 'device', ['totalDevices 3', 'itemCount 2']],
    ['of other records', { deviceCount: 3, roomCount: 2 }, 'room', ['roomCount 2']],
    ['two levels down', { a: { b: { count: 9 } } }, 'device', []],
    [
      'of pages, offline devices, or nothing',
      { pageCount: 3, totalPages: 9, offlineCount: 4, total: null },
      'device',
      [],
    ],
    ['unknown, or no number', { total: -1, count: 'many', totalCount: 1.5 }, 'device', []],
    ['in a record', { items: [{ id: 'a', count: 9 }] }, 'device', []],
  ])('states counts: %s', (_, envelope, of, expected) => {
    const { counts = [] } = read({ items: [record], ...envelope }, of).envelope ?? {}
    expect(counts.map(({ where, said }) => `${where} ${said}`)).toEqual(expected)
  })

  it('is recognized at a known place, also when it is empty', () => {
    expect([
      list({ foo: [] }, 'device', ['foo']),
      list({ foo: [], bar: [] }, 'device', ['bar']),
      list([], 'device', ['']),
    ]).toEqual([
      ['foo', 0, true],
      ['bar', 0, true],
      ['', 0, true],
    ])
  })

  it.each<[string, Json, string]>([
    ['text in place of the envelope', 'Rate limit is exceeded', 'the whole answer'],
    ['null', null, 'the whole answer'],
    ['an empty object', {}, 'items'],
    ['no list', { continuationToken: 'x' }, 'items'],
    ['items that are an object', { items: {} }, 'items'],
    ['a null list under a name without meaning', { foo: null }, 'items'],
    ['two empty lists under names without meaning', { first: [], second: [] }, 'items'],
    ['two lists of records under names without meaning', { first: [record], second: [record] }, 'items'],
    ['a list with only an error', { details: [] }, 'items'],
  ])('is absent: %s', (_, json, where) => {
    expect(read(json)).toMatchObject({ envelope: null, problem: { where } })
  })

  const anError = 'an error message inside a successful answer'
  it.each<[string, Json, string]>([
    ['a code with a message and an empty list', { code: 13, message: 'unavailable', details: [] }, 'body'],
    ['a title with a status and an empty list', { title: 'Oops', status: 500, details: [] }, 'body'],
    ['a title with a status that is text', { title: 'Oops', status: '503', items: [] }, 'body'],
    ['a status code', { statusCode: 429, items: [] }, 'body'],
    ['a status code in capitals', { StatusCode: 500, Items: [record] }, 'body'],
    ['an error', { error: { reason: 'x' }, items: [record] }, 'body'],
    ['an error that is text', { error: 'down', items: [] }, 'body'],
    ['several errors', { errors: [{ message: 'x' }], data: { items: [] } }, 'body'],
    ['no success', { success: false, items: [] }, 'body'],
    ['no success, as text', { isSuccess: 'False', items: [] }, 'body'],
    ['a status that is a text', { status: 'error', items: [] }, 'body'],
    ['an error one level deeper', { result: { code: 'Down', message: 'try later', items: [] } }, 'result'],
    ['an error beside the list', { meta: { statusCode: 500 }, items: [] }, 'meta'],
    [
      'an error that contains the list, two levels deeper',
      { a: { b: { success: false, items: [] } } },
      'a.b',
    ],
    ['an error in a list', [{ statusCode: 500, message: 'x' }], 'body'],
    ['an envelope of an error in a list', [{ code: 13, message: 'x', items: [] }], 'body'],
  ])('is an error page: %s', (_, json, where) => {
    expect(read(json)).toEqual({ envelope: null, problem: { where, message: anError } })
  })

  it('never throws for any response', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom<RecordsOf>('device', 'room'), (json, of) => {
        const { envelope, problem } = read(json as Json, of)
        expect((envelope === null) !== (problem === null)).toBe(true)
      }),
      { numRuns: cases(2_000) },
    )
  })
})
