import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { Json, JsonObject } from '../../../electron/contract/json.ts'
import { deviceRows } from '../../../electron/core/devices/devices.ts'
import { openManagement } from '../../../electron/core/management/management.ts'
import { roomRows } from '../../../electron/core/rooms/rooms.ts'
import type { ServiceClient } from '../../../electron/core/service-client/service-client.ts'
import { openStore } from '../../../electron/core/storage/store.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { memoryDatabases, type DatabaseImages } from '../../memory-databases.ts'
import { cases } from '../../setup/cases.ts'

/**
 * A page is more than a fifth of all devices and than 10 records, less three unreadable ones: what a list
 * lacks without any sign of it is never less than the limit below which it counts as gone.
 */
const pageLength = 16
type List = 'MeetingRoom' | 'Personal' | 'rooms'
type Fleet = Readonly<Record<List, readonly JsonObject[]>>
/** Every third id consists of digits, so that it can come as a number. */
const device = (number: number): JsonObject =>
  aDevice(number, {
    groupId: number % 2 === 0 ? `group-${number % 4 === 0 ? 5 : 20}` : null,
    ...(number % 3 === 0 && { id: String(7_000_000 + number) }),
  })
const fleet: Fleet = {
  MeetingRoom: Array.from({ length: 3 * pageLength }, (_, number) => device(number)),
  Personal: Array.from({ length: pageLength }, (_, number) => device(100 + number)),
  /** Every eighth room has no group id: it cannot be looked up. */
  rooms: Array.from({ length: 2 * pageLength }, (_, number) =>
    aRoom(number, number % 8 === 7 ? { deviceGroupId: null } : {}),
  ),
}
/** An interrupted sync does not continue after this time. */
const resumedWithinMs = 30 * 60_000
const idOf = (record: JsonObject): string => record['id'] as string

interface Page {
  readonly items: readonly JsonObject[]
  readonly next: string | null
  readonly total: number
  /** The records of the first page as they were sent. */
  readonly first: readonly Json[]
  readonly token: string | null
  /** Chooses one of several forms. */
  readonly form: number
}
const formOf = <T>(forms: readonly T[], form: number): T => forms[form % forms.length]!
const failing = (failure: (call: { operation: string; host: string }) => Failure) => (): Failed =>
  new Failed(failure({ operation: 'ListDevices', host: 'h' }))
const refused =
  (...statuses: readonly number[]) =>
  ({ form }: Page): Failed =>
    failing((call) => ({ kind: 'refused', call, status: formOf(statuses, form), message: null }))()
const spelt =
  (spell: (id: string, at: number) => Json) =>
  ({ items, next }: Page): Json => ({
    items: items.map((item, at) => ({ ...item, id: spell(idOf(item), at) })),
    continuationToken: next,
  })

const spellings = {
  'ids in other case': spelt((id, at) => formOf([id.toLowerCase(), id.toUpperCase()], at)),
  'ids with blanks': spelt((id) => ` ${id}\u200B `),
  'ids as numbers': spelt((id) => (/^\d+$/.test(id) ? Number(id) : id)),
}
/** Nothing shows that these lack records, except how many. */
const silent = {
  'half a list without a token': ({ items }: Page) => ({ items }),
  'an empty list': ({ form }: Page) =>
    formOf<Json>([{ items: [] }, [], { items: [], continuationToken: null }], form),
  'an empty page in the middle': ({ next }: Page) => ({ items: [], continuationToken: next }),
}
/** Answers in place of a page. Each that lacks few records shows in itself that it does. */
const odd = {
  'null for a list': ({ next, form }) => ({ items: null, continuationToken: formOf([next, null], form) }),
  'no list': ({ form }) => formOf<Json>([{}, null, { foo: [] }, 'text', { message: 'sorry' }], form),
  'an error inside': () => ({ code: 13, message: 'unavailable', details: [] }),
  'an unreadable record': ({ items, next, form }) => ({
    items: (items as readonly Json[]).with(
      form % items.length,
      formOf<(item: JsonObject) => Json>(
        [
          () => null,
          () => 'text',
          () => ({}),
          (item): Json => ({ ...item, id: null }),
          (item): Json => ({ ...item, id: {}, serialNumber: null }),
          () => ({ firmwareVersion: `4.${form}` }),
        ],
        form,
      )(items[form % items.length]!),
    ),
    continuationToken: next,
  }),
  'a token of another type': ({ items, form }) => ({
    items,
    continuationToken: formOf<Json>([[], ' ', {}, true, 1.5], form),
  }),
  'the same token again': ({ items, token, next }) => ({ items, continuationToken: token ?? next ?? '0' }),
  'fewer records than their count': ({ items, next, form }) => ({
    items: items.slice(1 + (form % 9)),
    continuationToken: next,
  }),
  'a count too high': ({ items, next, total, form }) => ({
    items,
    continuationToken: next,
    count: total + 1 + form,
  }),
  'ids twice on a page': ({ items, next, form }) => {
    const times = 1 + (form % 7)
    return { items: [...items.slice(times), ...items.slice(-times)], continuationToken: next }
  },
  'ids again on a later page': ({ items, first, next, form }) => {
    const times = Math.min(first.length, 4 + (form % 5))
    return { items: [...first.slice(0, times), ...items.slice(times)], continuationToken: next }
  },
  ...spellings,
  ...silent,
  'a cut page': failing((call) => ({ kind: 'unreadable-answer', call, where: 'body', message: 'cut' })),
  'a broken connection': failing((call) => ({ kind: 'offline', call, message: 'ECONNRESET' })),
  'an error': failing((call) => ({ kind: 'service-unavailable', call, status: 500, message: null })),
  'a refusal': refused(400, 404, 405, 501),
  /** Rooms cannot be looked up either. */
  'another path of rooms': refused(404),
} satisfies Record<string, (page: Page) => Json | Failed>
type Kind = keyof typeof odd
const kinds = Object.keys(odd) as Kind[]

interface Fuzz {
  readonly kind: Kind
  readonly list: List
  readonly page: number
  readonly form: number
}
const fuzzes = fc
  .record({
    kind: fc.constantFrom(...kinds),
    list: fc.constantFrom<List>('MeetingRoom', 'Personal', 'rooms'),
    page: fc.nat(2),
    form: fc.nat(30),
  })
  .map(({ list, page, ...rest }): Fuzz => {
    if (rest.kind === 'ids again on a later page')
      return {
        ...rest,
        list: list === 'Personal' ? 'rooms' : list,
        page: list === 'MeetingRoom' && page > 0 ? page : 1,
      }
    if (rest.kind === 'another path of rooms') return { ...rest, list: 'rooms', page: 0 }
    return { ...rest, list, page: page % (fleet[list].length / pageLength) }
  })
const fuzzedSyncs = fc.array(
  fc.record({
    fuzz: fc
      .uniqueArray(fuzzes, {
        minLength: 1,
        maxLength: 3,
        selector: ({ list, page }) => `${list} ${page}`,
      })
      // A refused client type makes the sync read the devices again: in another spelling they are two records.
      .filter((all) => {
        const kindsOfDevices = all.filter(({ list }) => list !== 'rooms').map(({ kind }) => kind)
        return !kindsOfDevices.includes('a refusal') || !kindsOfDevices.some((kind) => kind in spellings)
      }),
    /** The next sync, if this one is interrupted. */
    continues: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
)

function recordsOf(page: Json): readonly Json[] {
  const items = page !== null && typeof page === 'object' && 'items' in page ? page['items'] : null
  return Array.isArray(items)
    ? (items as readonly Json[]).filter((item) => typeof (item as JsonObject | null)?.['id'] === 'string')
    : []
}

/** A service that answers with pages of these records, but in place of some with odd ones. */
function aService(clock: FakeClock) {
  const service = {
    listed: fleet,
    fuzz: [] as readonly Fuzz[],
    used: new Map<Kind, number>(),
    firstPages: new Map<string, readonly Json[]>(),
  }
  /** From then on every page of these states the number of records. */
  const counted = new Set<string>()
  const said = (list: string, page: Json, totalCount: number): Json =>
    counted.has(list) && page !== null && typeof page === 'object' && 'items' in page
      ? { ...page, totalCount }
      : page
  const answer = (list: List | 'all', token: string | null): Json => {
    const { listed, firstPages } = service
    const all = list === 'all' ? [...listed.MeetingRoom, ...listed.Personal] : listed[list]
    const page = Number(token ?? 0)
    const [from, to] = [page * pageLength, (page + 1) * pageLength]
    const next = to < all.length ? String(page + 1) : null
    const fuzz = service.fuzz.find((one) => one.list === list && one.page === page)
    const items = all.slice(from, to)
    if (page === 0) firstPages.set(list, items)
    if (fuzz === undefined || items.length < pageLength / 2)
      return said(list, { items, continuationToken: next }, all.length)
    service.used.set(fuzz.kind, (service.used.get(fuzz.kind) ?? 0) + 1)
    const first = firstPages.get(list) ?? []
    const given = odd[fuzz.kind]({ items, next, total: all.length, first, token, form: fuzz.form })
    if (given instanceof Failed) throw given
    if (page === 0) firstPages.set(list, recordsOf(given))
    if (fuzz.kind === 'fewer records than their count') counted.add(list)
    return said(list, given, all.length)
  }
  const client: ServiceClient = {
    send: async ({ operation, path, body }) => {
      const { continuationToken, deviceClientType } = (body ?? {}) as JsonObject
      const room = (): Json => {
        const found = service.listed.rooms.find(({ deviceGroupId }) =>
          path.endsWith(`/${deviceGroupId as string}`),
        )
        const isMoved = service.fuzz.some(({ kind }) => kind === 'another path of rooms')
        if (found === undefined || isMoved) throw new Failed({ kind: 'not-found', call: null, what: path })
        return found
      }
      const json =
        operation === 'GetRoom'
          ? room()
          : answer(
              operation === 'ListMeetingRooms' ? 'rooms' : ((deviceClientType ?? 'all') as List | 'all'),
              typeof continuationToken === 'string' ? continuationToken : null,
            )
      return { status: 200, headers: {}, text: '', receivedAt: clock.now(), attempts: 1, json }
    },
    onReach: () => () => undefined,
    retrying: () => 0,
  }
  return Object.assign(service, { management: openManagement(client, { managementVersion: 2, host: 'h' }) })
}

/** A mirror of the fleet, and the service of the fleet. */
async function aMirror(from: DatabaseImages | null) {
  const clock = new FakeClock()
  const service = aService(clock)
  const databases = memoryDatabases(from)
  const store = await openStore({ clock, databases }, [roomRows, deviceRows])
  const sync = await openSync({ clock, management: service.management, store, organizationId: 'org' })
  return {
    clock,
    service,
    databases,
    /** Whether it was complete. */
    sync: (fuzz: readonly Fuzz[] = []): Promise<boolean> => {
      service.fuzz = fuzz
      service.firstPages.clear()
      return sync.run().then(
        ({ complete }) => complete,
        (error: unknown) => {
          if (error instanceof Failed) return false
          throw error
        },
      )
    },
    ids: async (where: string): Promise<readonly string[]> =>
      (await store.database.query(`SELECT id FROM raw_record WHERE ${where} ORDER BY id`)).map(({ id }) =>
        String(id),
      ),
    async close(): Promise<void> {
      await sync.close()
      await store.close()
    },
  }
}

let synced: DatabaseImages
beforeAll(async () => {
  const mirror = await aMirror(null)
  expect(await mirror.sync()).toBe(true)
  synced = mirror.databases.image()
  await mirror.close()
})
const everything = Object.values(fleet).flat().map(idOf).sort()

test('no answer of the service marks a record as gone that it still has', async () => {
  const used = new Map<Kind, number>()
  const syncs = { complete: 0, incomplete: 0 }
  await fc.assert(
    fc.asyncProperty(fuzzedSyncs, async (rounds) => {
      const mirror = await aMirror(synced)
      mirror.service.used = used
      for (const { fuzz, continues } of rounds) {
        // Two spellings of an id in one sync are two records, and how many are missing is counted once a sync.
        const isAlone = !continues || fuzz.some(({ kind }) => kind in spellings || kind in silent)
        if (isAlone) mirror.clock.jumpWall(resumedWithinMs)
        const complete = await mirror.sync(fuzz)
        syncs[complete ? 'complete' : 'incomplete']++
        // A second spelling beside a record is gone when it is no longer listed: the service never had it.
        const gone = await mirror.ids('gone_at IS NOT NULL')
        expect(gone.filter((id) => everything.includes(id))).toEqual([])
        if (isAlone) mirror.clock.jumpWall(resumedWithinMs)
      }
      mirror.clock.jumpWall(resumedWithinMs)
      expect([await mirror.sync(), await mirror.ids('gone_at IS NULL')]).toEqual([true, everything])
      await mirror.close()
    }),
    { numRuns: cases(5_200) },
  )
  expect(kinds.filter((kind) => !used.has(kind))).toEqual([])
  expect(Math.min(syncs.complete, syncs.incomplete)).toBeGreaterThan(0)
})

test('every record that the service lost is gone after the next complete sync, and no other', async () => {
  const used = new Map<Kind, number>()
  let lost = 0
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...everything), { minLength: 1, maxLength: 9 }),
      fc.option(fuzzes),
      async (ids, fuzz) => {
        const mirror = await aMirror(synced)
        mirror.service.used = used
        const left = (list: List) => fleet[list].filter((record) => !ids.includes(idOf(record)))
        mirror.service.listed = {
          MeetingRoom: left('MeetingRoom'),
          Personal: left('Personal'),
          rooms: left('rooms'),
        }
        if (fuzz !== null) {
          await mirror.sync([fuzz])
          expect(ids).toEqual(expect.arrayContaining([...(await mirror.ids('gone_at IS NOT NULL'))]))
          mirror.clock.jumpWall(resumedWithinMs)
        }
        expect([await mirror.sync(), await mirror.ids('gone_at IS NOT NULL')]).toEqual([true, ids.toSorted()])
        lost += ids.length
        await mirror.close()
      },
    ),
    { numRuns: cases(500) },
  )
  expect(Math.min(lost, used.size)).toBeGreaterThan(0)
})
