import { describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { openManagement, TokenTrail } from '../../../electron/core/management/management.ts'
import type { ServiceClient, ServiceRequest } from '../../../electron/core/service-client/service-client.ts'
import { failureOf } from '../../failure-of.ts'

function answering(
  json: Json,
  headers: Readonly<Record<string, string>> = {},
): { client: ServiceClient; sent: ServiceRequest[] } {
  const sent: ServiceRequest[] = []
  const client: ServiceClient = {
    send: (request) => {
      sent.push(request)
      return Promise.resolve({
        status: 200,
        headers,
        json,
        text: JSON.stringify(json),
        receivedAt: 7,
        attempts: 2,
      })
    },
    onReach: () => () => undefined,
    retrying: () => 0,
  }
  return { client, sent }
}

const requested = { pageSize: 100, lane: 'refresh', signal: null } as const
const visible = ({ method, path, body, operation, writes }: ServiceRequest) => ({
  method,
  path,
  body,
  operation,
  writes,
})

describe('sends', () => {
  const page = { items: [], continuationToken: null }

  it.each([
    [
      'version 2, first page',
      2,
      'MeetingRoom',
      null,
      {
        method: 'POST',
        path: '/devices/api/devices',
        operation: 'ListDevices',
        body: { deviceClientType: 'MeetingRoom', pageSize: 100 },
      },
    ],
    [
      'version 2, a later page',
      2,
      'Personal',
      'a+/=&b',
      {
        method: 'POST',
        path: '/devices/api/devices',
        operation: 'ListDevices',
        body: { deviceClientType: 'Personal', pageSize: 100, continuationToken: 'a+/=&b' },
      },
    ],
    [
      'version 2, every device',
      2,
      'all',
      null,
      { method: 'POST', path: '/devices/api/devices', operation: 'ListDevices', body: { pageSize: 100 } },
    ],
    [
      'version 1, a later page: the token is encoded',
      1,
      'Personal',
      'a+/=&b',
      {
        method: 'GET',
        path: '/devices/api/devices?DeviceClientType=Personal&PageSize=100&ContinuationToken=a%2B%2F%3D%26b',
        operation: 'ListDevicesV1',
        body: null,
      },
    ],
    [
      'version 1, every device',
      1,
      'all',
      null,
      {
        method: 'GET',
        path: '/devices/api/devices?DeviceClientType=&PageSize=100',
        operation: 'ListDevicesV1',
        body: null,
      },
    ],
  ] as const)('%s', async (_, managementVersion, stream, token, expected) => {
    const { client, sent } = answering(page)
    await openManagement(client, { managementVersion }).devicePage({ ...requested, stream, token })
    expect(sent.map(visible)).toEqual([{ ...expected, writes: false }])
  })

  it('the list of rooms', async () => {
    const { client, sent } = answering(page)
    await openManagement(client, { managementVersion: 2 }).roomPage({ ...requested, token: 't' })
    expect(sent.map(visible)).toEqual([
      {
        method: 'POST',
        path: '/meetingrooms/api/meetingrooms',
        operation: 'ListMeetingRooms',
        body: { sortDescending: false, pageSize: 100, continuationToken: 't' },
        writes: false,
      },
    ])
  })

  it('a room, with its group id encoded', async () => {
    const { client, sent } = answering({ id: 'r' })
    const room = await openManagement(client, { managementVersion: 2 }).room({
      groupId: 'a/b ?c',
      lane: 'refresh',
      signal: null,
    })
    expect([sent[0]?.path, room]).toEqual([
      '/meetingrooms/api/meetingrooms/a%2Fb%20%3Fc',
      { raw: { id: 'r' }, receivedAt: 7, calls: 2 },
    ])
  })

  it.each([
    ['.', { kind: 'not-found' }],
    ['..', { kind: 'not-found' }],
    ['', { kind: 'invalid', field: 'groupId' }],
    ['g\ud800', { kind: 'invalid', field: 'groupId' }],
  ])('nothing for a group id that does not fit an address: %j', async (groupId, expected) => {
    const { client, sent } = answering({})
    expect(
      await failureOf(
        openManagement(client, { managementVersion: 2 }).room({ groupId, lane: 'refresh', signal: null }),
      ),
    ).toMatchObject(expected)
    expect(sent).toEqual([])
  })
})

describe('responses', () => {
  const read = (json: Json, token: string | null = null, headers = {}) =>
    openManagement(answering(json, headers).client, { managementVersion: 2, host: 'h' }).devicePage({
      ...requested,
      pageSize: 3,
      stream: 'all',
      token,
    })

  it.each([
    [
      'a page with a token',
      { items: [1], continuationToken: 'next', total: 5 },
      { items: [1], nextToken: 'next', counts: [{ where: 'total', said: 5 }] },
    ],
    [
      'an empty page with a token continues',
      { items: [], continuationToken: 'next' },
      { items: [], nextToken: 'next' },
    ],
    ['a null token ends', { items: [{}], continuationToken: null }, { items: [{}], nextToken: null }],
    ['a missing token ends', { items: [] }, { items: [], nextToken: null }],
    ['an empty token ends', { items: [], continuationToken: '' }, { items: [], nextToken: null }],
    [
      'a token that is a number is its digits',
      { items: [], continuationToken: 5 },
      { items: [], nextToken: '5' },
    ],
    [
      'a full page that names no token, not even as null, may not be the last',
      { items: [1, 2, 3] },
      { items: [1, 2, 3], nextToken: null, mayHaveMore: true },
    ],
    [
      'a full page with a null token ends',
      { items: [1, 2, 3], paging: { next: null } },
      { items: [1, 2, 3], nextToken: null },
    ],
  ] as const)('%s', async (_, json, expected) => {
    expect(await read(json)).toEqual({ ...expected, receivedAt: 7, calls: 2 })
  })

  it.each([
    ['text in place of the envelope', 'Rate limit is exceeded', 'the whole answer'],
    ['null', null, 'the whole answer'],
    ['no items', { continuationToken: 'x' }, 'items'],
    ['two lists, neither of them items', { first: [], second: [] }, 'items'],
    ['items that are an object', { items: {} }, 'items'],
    ['an error that holds an empty list', { code: 13, message: 'unavailable', details: [] }, 'body'],
    ['a token that was sent as a number', { items: [], continuationToken: 5 }, 'continuationToken', '5'],
    ['the token that was sent', { items: [], continuationToken: 'sent' }, 'continuationToken'],
  ] as const)('%s is an error with its place', async (_, json, where, sent: string = 'sent') => {
    expect(await failureOf(read(json, sent))).toMatchObject({
      kind: 'unreadable-answer',
      where,
      call: { operation: 'ListDevices', host: 'h' },
    })
  })

  it.each([
    ['a bare list', [{ id: 'a' }], null],
    ['a list under another name', { rooms: [{ id: 'a' }], continuationToken: 'next' }, 'next'],
  ] as const)('%s is parsed as a page', async (_, json, nextToken) => {
    expect(await read(json as unknown as Json, 'sent')).toMatchObject({ items: [{ id: 'a' }], nextToken })
  })

  it('every record of a page is stored as received, anywhere in the page', async () => {
    const items = [0, 1, 2].map((number) => ({
      id: `D${number}`,
      name: 'PanaCast 50',
      computer: { computerName: 'HALL-PC' },
    }))
    expect((await read({ items, continuationToken: null }, null)).items).toEqual(items)
  })

  it('a token in a response header is followed', async () => {
    expect(await read({ items: [] }, null, { 'x-continuation-token': 'next' })).toEqual({
      items: [],
      nextToken: 'next',
      receivedAt: 7,
      calls: 2,
    })
  })

  it('an unusable continuation is reported with its name, and the page is read', async () => {
    const { doubt, ...page } = await read({ items: [1], nextThing: 'x' })
    expect([page, doubt?.failure]).toEqual([
      { items: [1], nextToken: null, receivedAt: 7, calls: 2 },
      {
        kind: 'unreadable-answer',
        call: { operation: 'ListDevices', host: 'h' },
        where: 'nextThing',
        message: 'It may lead to more pages, but its meaning is not published.',
      },
    ])
  })

  it('null in place of the list is reported, because records may be missing', async () => {
    expect((await read({ items: null })).doubt?.failure).toMatchObject({
      kind: 'unreadable-answer',
      where: 'items',
      message: 'It is null in place of a list.',
    })
  })

  it('an empty list of an unknown name is accepted when another page has records there', async () => {
    const answers: Json[] = [{ foo: [] }, { foo: [{ id: 'a' }] }, { foo: [] }]
    const { client } = answering(null)
    const management = openManagement(
      {
        ...client,
        send: () =>
          Promise.resolve({
            status: 200,
            headers: {},
            json: answers.shift() ?? null,
            text: '',
            receivedAt: 7,
            attempts: 1,
          }),
      },
      { managementVersion: 2, host: 'h' },
    )
    const page = () => management.devicePage({ ...requested, stream: 'all', token: null })
    const first = await page()
    const before = first.emptyList?.()?.failure
    await page()
    expect([before, first.emptyList?.(), (await page()).emptyList]).toEqual([
      {
        kind: 'unreadable-answer',
        call: { operation: 'ListDevices', host: 'h' },
        where: 'foo',
        message: 'An empty list was found where no list of records is known.',
      },
      null,
      undefined,
    ])
  })

  it.each([
    [
      'a room',
      { id: 'r', code: 'R1', message: 'Mind the step' },
      { id: 'r', code: 'R1', message: 'Mind the step' },
    ],
    ['a room in a list', [{ id: 'r' }], { id: 'r' }],
    ['something other than a room', { name: 'x' }, { name: 'x' }],
  ])('%s is returned as received', async (_, json, raw) => {
    const { client } = answering(json)
    expect(
      (
        await openManagement(client, { managementVersion: 2 }).room({
          groupId: 'g',
          lane: 'refresh',
          signal: null,
        })
      ).raw,
    ).toEqual(raw)
  })

  it('an error in place of a room is an error', async () => {
    const { client } = answering([{ code: 13, message: 'unavailable', details: [] }])
    expect(
      await failureOf(
        openManagement(client, { managementVersion: 2, host: 'h' }).room({
          groupId: 'g',
          lane: 'refresh',
          signal: null,
        }),
      ),
    ).toEqual({
      kind: 'unreadable-answer',
      call: { operation: 'GetRoom', host: 'h' },
      where: 'body',
      message: 'an error message inside a successful answer',
    })
  })

  it('a repeated token ends the stream with an error, even after others', () => {
    const trail = new TokenTrail('ListDevices', 'h')
    for (const token of ['a', 'b', null]) trail.follow(token)
    expect(() => trail.follow('a')).toThrow(Failed)
  })

  it('pages without new records are counted from the last page with new records', () => {
    const trail = new TokenTrail('ListDevices', 'h')
    const readPage = (page: number, fresh: number): void => {
      trail.met(fresh, 0)
      trail.follow(`token ${page}`)
    }
    for (let page = 1; page <= 1_000; page++) readPage(page, page % 40 === 0 ? 1 : 0)
    for (let page = 1_001; page <= 1_050; page++) readPage(page, 0)
    expect(() => readPage(1_051, 0)).toThrow(Failed)
  })

  it('an endless list is reported at the limit, across several writes', async () => {
    const trail = new TokenTrail('ListDevices', 'h')
    trail.met(1, 3)
    for (let page = 1; page <= 55; page++) trail.met(0, 3)
    const expected = {
      message: 'More than 53 pages in a row contained nothing new: the list would never end.',
    }
    expect(await failureOf(Promise.resolve().then(() => trail.follow('one more')))).toMatchObject(expected)
  })

  it('a stream ends with an error after 20,000 pages, even if each brings something new', async () => {
    const trail = new TokenTrail('ListDevices', 'h')
    for (let page = 1; page <= 20_000; page++) {
      trail.met(1, page)
      trail.follow(`token ${page}`)
    }
    trail.met(1, 20_001)
    const expected = {
      kind: 'unreadable-answer',
      where: 'continuationToken',
      message: 'It continues after 20000 pages: the list would never end.',
    }
    expect(await failureOf(Promise.resolve().then(() => trail.follow('one more')))).toMatchObject(expected)
  })
})
