import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { Json, JsonObject } from '../../../electron/contract/json.ts'
import { openManagement } from '../../../electron/core/management/management.ts'
import type { ServiceClient } from '../../../electron/core/service-client/service-client.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'

interface AskedFor {
  readonly list: 'MeetingRoom' | 'Personal' | 'all' | 'rooms'
  readonly token: string | null
  /** From the other end. */
  readonly descending: boolean
}
interface Answered {
  readonly json: Json
  readonly headers?: Readonly<Record<string, string>>
}

const devicesOf: Readonly<Record<AskedFor['list'], readonly JsonObject[]>> = {
  MeetingRoom: Array.from({ length: 350 }, (_, number) => aDevice(number)),
  Personal: Array.from({ length: 10 }, (_, number) => aDevice(1000 + number)),
  all: [],
  rooms: Array.from({ length: 3 }, (_, number) => aRoom(number)),
}
/** A correct page: the records from the position in the token on. */
const paged = ({
  list,
  token,
}: Pick<AskedFor, 'list' | 'token'>): { items: readonly JsonObject[]; next: string | null } => {
  const all = devicesOf[list]
  const start = Number(token ?? 0)
  return { items: all.slice(start, start + 100), next: start + 100 < all.length ? String(start + 100) : null }
}
const asItShouldBe = (requested: Pick<AskedFor, 'list' | 'token'>): Answered => {
  const { items, next } = paged(requested)
  return { json: { items, continuationToken: next } }
}

let clock: FakeClock
let home: TemporaryHome
let store: Store
let sync: Sync
let client: { send: ServiceClient['send'] } & Omit<ServiceClient, 'send'>
let answer: (requested: AskedFor) => Answered | Failure
const requested: string[] = []

beforeEach(async () => {
  requested.length = 0
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
  client = {
    send: async ({ operation, path, body }) => {
      if (operation === 'GetRoom') throw new Failed({ kind: 'not-found', call: null, what: path })
      const wanted = (body ?? {}) as JsonObject
      const token = typeof wanted['continuationToken'] === 'string' ? wanted['continuationToken'] : null
      const list =
        operation === 'ListMeetingRooms'
          ? 'rooms'
          : ((wanted['deviceClientType'] ?? 'all') as AskedFor['list'])
      const descending = wanted['sortDescending'] === true
      requested.push(`${list} ${descending ? 'from the other end' : (token ?? 'first')}`)
      const answered = answer({ list, token, descending })
      if ('kind' in answered) throw new Failed(answered)
      return { status: 200, headers: {}, text: '', receivedAt: clock.now(), attempts: 1, ...answered }
    },
    onReach: () => () => undefined,
    retrying: () => 0,
  }
  answer = asItShouldBe
  sync = await openSync({
    clock,
    management: openManagement(client, { managementVersion: 2, host: 'h' }),
    store,
    organizationId: 'org',
  })
  await sync.run()
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

const whole = { complete: true, devices: [360, 0], rooms: [3, 0], notes: [], failure: null }
async function synced() {
  const { complete, devices, rooms } = await sync.run()
  const { notes, lastFailure } = sync.state()
  const failure =
    lastFailure?.kind === 'unreadable-answer'
      ? `${lastFailure.where}: ${lastFailure.message}`
      : (lastFailure?.kind ?? null)
  return { complete, devices: [devices.read, devices.gone], rooms: [rooms.read, rooms.gone], notes, failure }
}
/** Each page has another envelope. */
const inEnvelope =
  (envelope: (items: readonly Json[], next: string | null) => Answered): typeof answer =>
  (wanted) => {
    const { items, next } = paged(wanted)
    return envelope(items, next)
  }

describe('pages in an unknown envelope', () => {
  it.each<[string, (items: readonly Json[], next: string | null) => Answered]>([
    ['version 1 spelling', (items, next) => ({ json: { Items: items, ContinuationToken: next } })],
    [
      'another name for both',
      (items, next) => ({
        json: { value: items, nextLink: next === null ? null : `https://h/x?continuationToken=${next}` },
      }),
    ],
    [
      'one level deeper',
      (items, next) => ({ json: { data: { items }, paging: { nextContinuationToken: next } } }),
    ],
    [
      'the token in a header',
      (items, next) => ({ json: items, headers: { 'x-continuation-token': next ?? '' } }),
    ],
    [
      'a number for a token',
      (items, next) => ({ json: { items, continuationToken: next === null ? null : Number(next) } }),
    ],
    ['two lists', (items, next) => ({ json: { facets: [{ id: 1 }], results: items, next } })],
    ['an envelope in a list', (items, next) => ({ json: [{ items, continuationToken: next }] })],
    ['names that say nothing', (items, next) => ({ json: { foo: items, continuationToken: next } })],
    [
      'counts of the page, the stream and all streams',
      (items, next) => ({
        json: {
          items,
          continuationToken: next,
          count: items.length,
          '@odata.count': items.length < 4 ? 3 : items.length === 10 ? 10 : 350,
          meta: { totalCount: items.length < 4 ? 3 : 360 },
        },
      }),
    ],
  ])('are read completely: %s', async (_, envelope) => {
    answer = inEnvelope(envelope)
    expect(await synced()).toEqual(whole)
  })

  it('are read completely when one stream is empty and only the other shows where lists are', async () => {
    answer = ({ list, token }) => {
      const { items, next } = paged({ list, token })
      return list === 'Personal' ? { json: { foo: [] } } : { json: { foo: items, continuationToken: next } }
    }
    expect(await synced()).toEqual({ ...whole, devices: [350, 10] })
  })
})

describe('a sync is incomplete, and nothing is gone, when pages', () => {
  const incomplete = (read: readonly [number, number], failure: string) => ({
    complete: false,
    devices: [read[0], 0],
    rooms: [read[1], 0],
    notes: [],
    failure,
  })

  it.each<[string, typeof answer, object]>([
    [
      'name their next page in an unpublished way',
      inEnvelope((items, next) => ({ json: { items, nextThing: next } })),
      incomplete([110, 3], 'nextThing: It may lead to more pages, but its meaning is not published.'),
    ],
    [
      'name their next page twice, once by an unknown name',
      inEnvelope((items, next) => ({ json: { items, continuationToken: next, pageCursor: next } })),
      incomplete([360, 3], 'pageCursor: It may lead to more pages, but its meaning is not published.'),
    ],
    [
      'name two different next pages',
      inEnvelope((items, next) => ({
        json: { items, continuationToken: next, paging: { nextToken: next === null ? null : `${next}0` } },
      })),
      incomplete([110, 3], 'continuationToken, paging.nextToken: They name different continuation tokens.'),
    ],
    [
      'contain an error and an empty list',
      ({ list, token }) =>
        list === 'MeetingRoom' && token === '100'
          ? { json: { code: 13, message: 'unavailable', details: [] } }
          : asItShouldBe({ list, token }),
      incomplete([110, 3], 'body: an error message inside a successful answer'),
    ],
    [
      'contain an empty list in an unknown place',
      ({ list, token }) =>
        list === 'MeetingRoom' && token === '300' ? { json: { foo: [] } } : asItShouldBe({ list, token }),
      incomplete([310, 3], 'foo: An empty list was found where no list of records is known.'),
    ],
    [
      'of rooms contain an empty list in an unknown place',
      (wanted) => (wanted.list === 'rooms' ? { json: { foo: [] } } : asItShouldBe(wanted)),
      incomplete([360, 0], 'foo: An empty list was found where no list of records is known.'),
    ],
    ...(
      [
        ['are null', () => ({ json: { items: null } }), [10, 3], 'items: It is null in place of a list.'],
        ...[[], ' ', {}].map((continuationToken) => [
          `have the token ${JSON.stringify(continuationToken)}`,
          ({ items }: ReturnType<typeof paged>) => ({ json: { items, continuationToken } }),
          [110, 3],
          'continuationToken: The continuation token is neither text nor a whole number.',
        ]),
        [
          'are empty beside a count',
          () => ({ json: { items: [], totalCount: 350 } }),
          [10, 3],
          'totalCount: It says 350, but 10 records came.',
        ],
        [
          'are fewer than their count, one level down and in capitals',
          ({ items }) => ({
            json: { items: items.slice(1), paging: { TOTAL: 350 }, continuationToken: null },
          }),
          [109, 3],
          'paging.TOTAL: It says 350, but 109 records came.',
        ],
        [
          'all have one id',
          ({ items }) => ({ json: { items: items.map(() => aDevice(0)), continuationToken: null } }),
          [11, 3],
          'items: 99 records came twice on one page, so others may be missing.',
        ],
        [
          'have an id twice, once as a number',
          ({ items }) => ({
            json: {
              items: [...items, aDevice(5, { id: 5 }), aDevice(5, { id: '5' })],
              continuationToken: null,
            },
          }),
          [111, 3],
          'items: 1 record came twice on one page, so others may be missing.',
        ],
        [
          'repeat more records than there are pages',
          ({ items, next }) => ({
            json: {
              items: [...devicesOf.MeetingRoom.slice(0, 3), ...items.slice(3)],
              continuationToken: next,
            },
          }),
          [351, 3],
          'items: 9 records came again on later pages, so others may be missing.',
        ],
      ] as [string, (page: ReturnType<typeof paged>) => Answered, [number, number], string][]
    ).map(([name, odd, read, failure]): [string, typeof answer, object] => [
      name,
      (wanted) => (wanted.list === 'MeetingRoom' ? odd(paged(wanted)) : asItShouldBe(wanted)),
      incomplete(read, failure),
    ]),
    [
      'of rooms have one of them twice',
      (wanted) =>
        wanted.list === 'rooms' ? { json: { items: [aRoom(1), aRoom(1)] } } : asItShouldBe(wanted),
      incomplete([360, 1], 'items: 1 record came twice on one page, so others may be missing.'),
    ],
  ])('%s', async (_, odd, expected) => {
    answer = odd
    const reported = await synced()
    const goneNow = await store.database.query(
      'SELECT count(*) AS n FROM raw_record WHERE gone_at IS NOT NULL',
    )
    expect([reported, goneNow]).toEqual([expected, [{ n: 0 }]])
  })

  it('of the previous sync were uncertain: the next sync reads them again', async () => {
    answer = inEnvelope((items, next) => ({ json: { items, nextThing: next } }))
    await synced()
    answer = asItShouldBe
    requested.length = 0
    expect([await synced(), requested.toSorted()]).toEqual([
      whole,
      [
        'MeetingRoom 100',
        'MeetingRoom 200',
        'MeetingRoom 300',
        'MeetingRoom first',
        'Personal first',
        'rooms first',
      ],
    ])
  })
})

describe('a sync is complete when', () => {
  it('one row comes again on each next page', async () => {
    answer = (wanted) => {
      const { items, next } = paged(wanted)
      const again = devicesOf[wanted.list][Number(wanted.token ?? 0) - 1]
      return { json: { items: again === undefined ? items : [again, ...items], continuationToken: next } }
    }
    expect(await synced()).toEqual(whole)
  })

  it('both client types list all devices, with the count of all', async () => {
    answer = (wanted) => {
      if (wanted.list === 'rooms') return asItShouldBe(wanted)
      const { items, next } = paged({ ...wanted, list: 'MeetingRoom' })
      return { json: { items, continuationToken: next, totalCount: 350 } }
    }
    expect(await synced()).toEqual({ ...whole, devices: [350, 10] })
  })

  it('it continues an interrupted one, and counts are those of all pages', async () => {
    const withCount = (wanted: AskedFor): Answered => {
      const { items, next } = paged(wanted)
      return { json: { items, continuationToken: next, total: devicesOf[wanted.list].length } }
    }
    answer = (wanted) =>
      wanted.token === '200'
        ? { kind: 'service-unavailable', call: { operation: 'x', host: 'h' }, status: 500, message: null }
        : withCount(wanted)
    await synced()
    requested.length = 0
    answer = withCount
    expect([await synced(), requested.filter((one) => one.startsWith('MeetingRoom'))]).toEqual([
      whole,
      ['MeetingRoom 200', 'MeetingRoom 300'],
    ])
  })
})

describe('a full last page without an end mark', () => {
  const oneFullPage = (wanted: AskedFor): Answered => ({ json: { items: paged(wanted).items } })
  const note =
    'The last page of devices was full and did not say that it is the last, so devices that are not listed are not marked as gone.'

  /** The first 300 devices of meeting rooms; only the last page names no next one. */
  const inFullPages = (wanted: AskedFor): Answered =>
    wanted.token === '200' ? oneFullPage(wanted) : asItShouldBe(wanted)

  it('is the end if the list begins with its last record when it is read from the other end', async () => {
    answer = (wanted) =>
      wanted.descending
        ? { json: { items: devicesOf[wanted.list].slice(200, 300).toReversed(), continuationToken: 'more' } }
        : inFullPages(wanted)
    requested.length = 0
    expect([await synced(), requested.filter((one) => one.endsWith('end'))]).toEqual([
      { ...whole, devices: [310, 50] },
      ['MeetingRoom from the other end'],
    ])
  })

  it('of rooms is settled in the same way, so that one of 101 can be gone', async () => {
    const rooms = Array.from({ length: 101 }, (_, number) => aRoom(number))
    let listed = rooms
    answer = (wanted) => {
      if (wanted.list !== 'rooms') return asItShouldBe(wanted)
      const items = wanted.descending ? listed.toReversed() : listed
      return wanted.token === null
        ? { json: { items: items.slice(0, 100), ...(items.length > 100 && { continuationToken: '100' }) } }
        : { json: { items: items.slice(100) } }
    }
    await synced()
    listed = rooms.toSpliced(50, 1)
    expect(await synced()).toEqual({ ...whole, rooms: [100, 1] })
  })

  const refusal: Failure = {
    kind: 'refused',
    call: { operation: 'ListDevices', host: 'h' },
    status: 400,
    message: 'no such order',
  }
  it.each<[string, (page: ReturnType<typeof paged>) => Answered | Failure]>([
    ['begins with another record', ({ items }) => ({ json: { items } })],
    ['begins with a record that cannot be read', () => ({ json: { items: [null] } })],
    ['is empty', () => ({ json: { items: [] } })],
    ['is refused', () => refusal],
    ['is no list', () => ({ json: { message: 'sorry' } })],
  ])('is not settled if the page from the other end %s: nothing is gone, said once', async (_, odd) => {
    answer = (wanted) => (wanted.descending ? odd(paged(wanted)) : inFullPages(wanted))
    const first = await synced()
    const again = await openSync({
      clock,
      management: openManagement(client, { managementVersion: 2, host: 'h' }),
      store,
      organizationId: 'org',
    })
    await again.run()
    const { notes, lastFailure } = again.state()
    await again.close()
    expect([first, await synced(), notes, lastFailure]).toEqual([
      { ...whole, devices: [310, 0], notes: [note] },
      { ...whole, devices: [310, 0] },
      [],
      null,
    ])
  })

  it('of version 1, which has no order, is not settled and asks for no other page', async () => {
    await sync.close()
    sync = await openSync({
      clock,
      management: openManagement(client, { managementVersion: 1, host: 'h' }),
      store,
      organizationId: 'org',
    })
    requested.length = 0
    answer = (wanted) =>
      wanted.list === 'all' ? { json: { items: devicesOf.MeetingRoom.slice(0, 100) } } : asItShouldBe(wanted)
    expect([await synced(), requested]).toMatchObject([
      { complete: true, devices: [100, 0], notes: [note] },
      ['all first', 'all first', 'rooms first'],
    ])
  })

  it('is complete, and nothing is gone', async () => {
    answer = oneFullPage
    expect(await synced()).toEqual({ ...whole, devices: [110, 0], notes: [note] })
  })

  it('is not an end when another stream has to be read again', async () => {
    answer = (wanted) =>
      wanted.list === 'Personal'
        ? { kind: 'service-unavailable', call: { operation: 'x', host: 'h' }, status: 500, message: null }
        : oneFullPage(wanted)
    await synced()
    answer = (wanted) =>
      wanted.list === 'Personal' ? { json: { items: [], continuationToken: null } } : oneFullPage(wanted)
    expect(await synced()).toMatchObject({ complete: true, devices: [100, 0], notes: [note] })
  })

  it('ends when it says so', async () => {
    answer = (wanted) =>
      wanted.token === '200'
        ? { json: { items: paged(wanted).items, continuationToken: null } }
        : asItShouldBe(wanted)
    expect(await synced()).toEqual({ ...whole, devices: [310, 50] })
  })
})

describe('a rejected page', () => {
  const refused = (message: string): Failure => ({
    kind: 'refused',
    call: { operation: 'ListDevices', host: 'h' },
    status: 400,
    message,
  })

  it('other than the first is reported with its error, and no other stream is read', async () => {
    answer = (wanted) =>
      wanted.list === 'MeetingRoom' && wanted.token === '200'
        ? refused('bad continuation token')
        : asItShouldBe(wanted)
    requested.length = 0
    const reported = await synced()
    expect([reported, sync.state().lastFailure, requested.filter((one) => one.startsWith('all'))]).toEqual([
      {
        complete: false,
        devices: [210, 0],
        rooms: [3, 0],
        notes: [
          'The service refused a later page of the client type MeetingRoom. The records read before it are kept.',
        ],
        failure: 'refused',
      },
      refused('bad continuation token'),
      [],
    ])
  })

  it('that is the first is attributed to the client type', async () => {
    answer = (wanted) =>
      wanted.list === 'Personal'
        ? refused('no such type')
        : asItShouldBe({ ...wanted, list: wanted.list === 'all' ? 'MeetingRoom' : wanted.list })
    expect(await synced()).toEqual({
      ...whole,
      devices: [350, 10],
      notes: ['The service refused the client type Personal, so all devices were read without this filter.'],
    })
  })
})

it('a list whose end was in doubt is read again from its beginning when an interrupted sync continues', async () => {
  answer = (wanted) =>
    wanted.list === 'rooms'
      ? { json: { items: devicesOf.rooms, continuationToken: [] } }
      : wanted.token === '100'
        ? { kind: 'offline', call: { operation: 'ListDevices', host: 'h' }, message: 'ENOTFOUND' }
        : asItShouldBe(wanted)
  const interrupted = await synced()
  answer = asItShouldBe
  requested.length = 0
  const { complete } = await synced()
  expect([interrupted.complete, complete, requested.toSorted()]).toEqual([
    false,
    true,
    ['MeetingRoom 100', 'MeetingRoom 200', 'MeetingRoom 300', 'rooms first'],
  ])
})

it.each<[string, (page: ReturnType<typeof paged>, token: string | null) => Answered]>([
  [
    'repeats a record',
    ({ items, next }, token) => ({
      json: { items: token === null ? items.with(1, items[0]!) : items, continuationToken: next },
    }),
  ],
  [
    'has fewer records than its count',
    ({ items, next }, token) => ({
      json: { items: token === null ? items.slice(1) : items, continuationToken: next, total: 10 },
    }),
  ],
])('a list that %s is read again when the interrupted sync continues', async (_, odd) => {
  answer = (wanted) =>
    wanted.list === 'Personal'
      ? odd(paged(wanted), wanted.token)
      : wanted.token === '100'
        ? { kind: 'offline', call: { operation: 'ListDevices', host: 'h' }, message: 'ENOTFOUND' }
        : asItShouldBe(wanted)
  await synced()
  answer = asItShouldBe
  expect(await synced()).toEqual(whole)
})

it('a list whose first page repeats a record is read from there when the interrupted sync continues', async () => {
  answer = (wanted) => {
    const { items, next } = paged(wanted)
    if (wanted.list === 'MeetingRoom' && wanted.token === '100')
      return { kind: 'offline', call: { operation: 'ListDevices', host: 'h' }, message: 'ENOTFOUND' }
    return wanted.list === 'MeetingRoom'
      ? { json: { items: items.with(1, items[0]!), continuationToken: next } }
      : asItShouldBe(wanted)
  }
  await synced()
  answer = asItShouldBe
  expect(await synced()).toEqual(whole)
})

it('rooms without devices are looked up, not gone, when the service refuses to list rooms', async () => {
  client.send = ((send) => async (request) => {
    if (request.operation !== 'GetRoom') return send(request)
    const json = aRoom(Number(/\d+$/.exec(request.path)?.[0]))
    return { status: 200, headers: {}, text: '', receivedAt: clock.now(), attempts: 1, json }
  })(client.send)
  answer = (wanted) =>
    wanted.list === 'rooms'
      ? {
          kind: 'refused',
          call: { operation: 'ListMeetingRooms', host: 'h' },
          status: 404,
          message: null,
        }
      : asItShouldBe(wanted)
  expect(await synced()).toMatchObject({ complete: true, rooms: [3, 0] })
})
