import { describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { openManagement, TokenTrail } from '../../../electron/core/management/management.ts'
import type { ServiceClient, ServiceRequest } from '../../../electron/core/service-client/service-client.ts'

function answering(json: Json): { client: ServiceClient; sent: ServiceRequest[] } {
  const sent: ServiceRequest[] = []
  const client: ServiceClient = {
    send: (request) => {
      sent.push(request)
      return Promise.resolve({ status: 200, headers: {}, json, text: JSON.stringify(json), receivedAt: 7, attempts: 2 })
    },
    onReach: () => () => undefined,
    retrying: () => 0,
  }
  return { client, sent }
}

const asked = { pageSize: 100, lane: 'refresh', signal: null } as const
const shown = ({ method, path, body, operation, writes }: ServiceRequest) => ({ method, path, body, operation, writes })
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof Failed ? error.failure : error),
  )

describe('what is sent', () => {
  const page = { items: [], continuationToken: null }

  it.each([
    [
      'version 2, first page',
      2,
      'MeetingRoom',
      null,
      { method: 'POST', path: '/devices/api/devices', operation: 'ListDevices', body: { deviceClientType: 'MeetingRoom', pageSize: 100 } },
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
    ['version 2, every device', 2, 'all', null, { method: 'POST', path: '/devices/api/devices', operation: 'ListDevices', body: { pageSize: 100 } }],
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
      { method: 'GET', path: '/devices/api/devices?DeviceClientType=&PageSize=100', operation: 'ListDevicesV1', body: null },
    ],
  ] as const)('%s', async (_, managementVersion, stream, token, expected) => {
    const { client, sent } = answering(page)
    await openManagement(client, { managementVersion }).devicePage({ ...asked, stream, token })
    expect(sent.map(shown)).toEqual([{ ...expected, writes: false }])
  })

  it('the list of rooms', async () => {
    const { client, sent } = answering(page)
    await openManagement(client, { managementVersion: 2 }).roomPage({ ...asked, token: 't' })
    expect(sent.map(shown)).toEqual([
      {
        method: 'POST',
        path: '/meetingrooms/api/meetingrooms',
        operation: 'ListMeetingRooms',
        body: { sortDescending: false, pageSize: 100, continuationToken: 't' },
        writes: false,
      },
    ])
  })

  it('a room, its group id encoded', async () => {
    const { client, sent } = answering({ id: 'r' })
    const room = await openManagement(client, { managementVersion: 2 }).room({ groupId: 'a/b ?c', lane: 'refresh', signal: null })
    expect([sent[0]?.path, room]).toEqual(['/meetingrooms/api/meetingrooms/a%2Fb%20%3Fc', { raw: { id: 'r' }, receivedAt: 7, calls: 2 }])
  })

  it.each(['.', '..'])('nothing for a group id that no address can hold: %s', async (groupId) => {
    const { client, sent } = answering({})
    expect(await failure(openManagement(client, { managementVersion: 2 }).room({ groupId, lane: 'refresh', signal: null }))).toMatchObject({
      kind: 'not-found',
    })
    expect(sent).toEqual([])
  })
})

describe('what comes back', () => {
  const read = (json: Json, token: string | null = null) =>
    openManagement(answering(json).client, { managementVersion: 2, host: 'h' }).devicePage({ ...asked, stream: 'all', token })

  it.each([
    ['a page with a token', { items: [1], continuationToken: 'next', total: 5 }, { items: [1], nextToken: 'next' }],
    ['an empty page with a token goes on', { items: [], continuationToken: 'next' }, { items: [], nextToken: 'next' }],
    ['a null token ends', { items: [{}], continuationToken: null }, { items: [{}], nextToken: null }],
    ['a missing token ends', { items: [] }, { items: [], nextToken: null }],
    ['an empty token ends', { items: [], continuationToken: '' }, { items: [], nextToken: null }],
  ] as const)('%s', async (_, json, expected) => {
    expect(await read(json)).toEqual({ ...expected, receivedAt: 7, calls: 2 })
  })

  it.each([
    ['text in place of the envelope', 'Rate limit is exceeded', 'the whole answer'],
    ['null', null, 'the whole answer'],
    ['no items', { continuationToken: 'x' }, 'items'],
    ['two lists, neither of them items', { first: [], second: [] }, 'items'],
    ['items that are null', { items: null }, 'items'],
    ['items that are an object', { items: {} }, 'items'],
    ['a token that is a number', { items: [], continuationToken: 5 }, 'continuationToken'],
    ['the token that was sent', { items: [], continuationToken: 'sent' }, 'continuationToken'],
  ] as const)('%s is an error with its place', async (_, json, where) => {
    expect(await failure(read(json, 'sent'))).toMatchObject({ kind: 'unreadable-answer', where, call: { operation: 'ListDevices', host: 'h' } })
  })

  it.each([
    ['a bare list', [{ id: 'a' }], null],
    ['a list under another name', { rooms: [{ id: 'a' }], continuationToken: 'next' }, 'next'],
  ] as const)('%s is read as a page', async (_, json, nextToken) => {
    expect(await read(json as unknown as Json, 'sent')).toMatchObject({ items: [{ id: 'a' }], nextToken })
  })

  it('a token seen before ends the stream with an error, whatever came between', () => {
    const trail = new TokenTrail('ListDevices', 'h')
    for (const token of ['a', 'b', null]) trail.follow(token)
    expect(() => trail.follow('a')).toThrow(Failed)
  })
})
