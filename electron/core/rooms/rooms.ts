import type { DeviceSelection, ListGroup, WordCount } from '../../contract/api/devices.ts'
import { deviceLabel, devicesIn } from '../../contract/device-name.ts'
import { tokenOf } from '../../contract/fields/field.ts'
import { roomFields, type RoomGroupColumn } from '../../contract/fields/room.ts'
import { isTimeZone } from '../../contract/time-zone.ts'
import { Failed, foundOrNull } from '../../contract/failure.ts'
import { keyNamed } from '../../contract/filter/filter-reader.ts'
import { termsIn } from '../../contract/filter/filter-terms.ts'
import { roomVocabulary } from '../../contract/filter/vocabularies.ts'
import type { Room, RoomPage, RoomQuery, RoomRow, RoomSites } from '../../contract/api/rooms.ts'
import type { Clock } from '../platform.ts'
import { withMeant } from '../../contract/near-words.ts'
import { refuseIfNear } from '../lists/typed-names.ts'
import { groupsOf } from '../lists/groups.ts'
import { inOrder, matchingBeside, wordsIn } from '../lists/memory-list.ts'
import { countsOf, sliceOf, sliceRows } from '../lists/slice.ts'
import { idKey, recordMeant } from '../storage/record-ids.ts'
import { textOrNull } from '../storage/row-values.ts'
import { ResultCache, type RowsChanged } from '../storage/result-cache.ts'
import { folded } from '../../contract/filter/folded.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'
import { devicesOf, idsOfRooms, roomsOfDevices, queryMembers, queryRecords } from './room-devices.ts'
import { healthsWorstFirst } from './room-health.ts'
import { roomList, querySummaries, type RoomSummary } from './room-summaries.ts'
import { keepRoomNote, keepSeparator, queryRoomNotes, sitesOf, withNotes } from './room-notes.ts'

export { hasItsDevices, setRoomGone, roomRows, writeRoomRow } from './room-rows.ts'
export { whyOf } from './room-health.ts'
export {
  groupIdsToAsk,
  listedFirst,
  otherRoom,
  fetchRoomNow,
  rebootProblem,
  rebootRequest,
  fetchRoomForWrite,
  roomNotFound,
  statusCountsText,
  type RoomAsk,
  type RoomNow,
} from './room-now.ts'

/** Organizations whose summaries are cached: the current one and the previous one. */
const cachedSummaries = 2
/** The limit of the contract. */
const mostSuggestions = 20

/** A room of a selection. Its record is not read: the `firmwareStatus` of its devices may be missing. */
export type SelectedRoom = Omit<Room, 'createdAt' | 'raw'>

/** Rooms from the store. Sends no request. Rejects with Failed `cache-unusable`, `not-found` or `invalid`. */
export interface Rooms {
  /** Rooms that match; gone ones only if the filter includes them. */
  list(organizationId: string, query: RoomQuery): Promise<RoomPage>
  groups(
    organizationId: string,
    query: { readonly where: string; readonly by: RoomGroupColumn },
  ): Promise<readonly ListGroup[]>
  /**
   * By its own id in any spelling, or by the group id of any one of its devices. `unread-too`: with listed devices that were never
   * synced.
   */
  find(organizationId: string, idOrGroupId: string, devices?: 'known' | 'unread-too'): Promise<Room>
  position(
    organizationId: string,
    query: Pick<RoomQuery, 'where' | 'sort'> & { readonly id: string },
  ): Promise<{ readonly index: number | null; readonly total: number }>
  suggest(
    organizationId: string,
    query: { readonly key: string; readonly typed: string },
  ): Promise<readonly WordCount[]>
  /**
   * The rooms that a selection contains now, by name, each once regardless of which of its ids was named.
   * They are read in pages, with their devices, including listed ones that were never synced. Gone rooms are
   * included if they were named or requested. `unknown`: named ids that were never synced.
   */
  selected(
    organizationId: string,
    selection: DeviceSelection,
  ): Promise<{ readonly rooms: readonly SelectedRoom[]; readonly unknown: readonly string[] }>
  /** The rooms of these devices, without devices that are gone or in no room. Room ids by device id. */
  roomsOf(organizationId: string, deviceIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** IANA names by device id, for devices whose room's record names one. */
  zonesOf(organizationId: string, deviceIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Every room that matches now. For exports. */
  listed(organizationId: string, query: Pick<RoomQuery, 'where' | 'sort'>): Promise<readonly RoomRow[]>
  /** With devices and raw record, in the order of the ids; unknown ones are left out. For exports. */
  whole(organizationId: string, ids: readonly string[]): Promise<readonly Room[]>
  /** Names and serials of the devices of these rooms whose status is not online, by room. For exports. */
  notOnline(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** As `find`, also by its whole name. Rejects with Failed `invalid` if several have it, or `not-found`. */
  typed(organizationId: string, text: string): Promise<Room>
  totals(organizationId: string): Promise<{ readonly count: number; readonly asOf: number | null }>
  /**
   * A technician's note and site for a room; null: removes them. Rejects with Failed `not-found` for a room
   * that was never synced.
   */
  write(organizationId: string, id: string, what: 'note' | 'site', written: string | null): Promise<Room>
  sites(organizationId: string): Promise<RoomSites>
  chooseSites(organizationId: string, separator: RoomSites['separator']): Promise<RoomSites>
  /** Rows of rooms or devices, or compliance, changed: cached summaries are read again. */
  changed(organizationId: string, how?: RowsChanged): void
}

export function openRooms(deps: {
  readonly store: Store
  readonly workbook: Pick<Workbook, 'query' | 'write'>
  readonly clock: Clock
}): Rooms {
  const { store, workbook, clock } = deps
  const { database } = store
  /**
   * The rooms of an organization with their device counts. Counting 100,000 devices takes 120 ms,
   * longer than a list may, and every filter, sort and facet needs the counts of all rooms; with a few
   * thousand rooms in memory they respond at once.
   */
  const cache = new ResultCache(clock, cachedSummaries)
  const summaries = (organizationId: string): Promise<readonly RoomSummary[]> =>
    cache.get(organizationId, 'rooms', () => summariesOf(organizationId, null))
  const summariesOf = async (
    organizationId: string,
    only: readonly string[] | null,
  ): Promise<RoomSummary[]> => {
    const [found, notes] = await Promise.all([
      querySummaries(database, organizationId, only),
      queryRoomNotes(workbook, organizationId),
    ])
    return found.map((one) => ({ ...one, row: withNotes(one.row, notes) }))
  }

  const whole = async (organizationId: string, ids: readonly string[], unread = false): Promise<Room[]> => {
    const [found, records] = await Promise.all([
      summariesOf(organizationId, ids),
      queryRecords(database, organizationId, ids),
    ])
    const rooms = found.flatMap(({ row }) => {
      const record = records.get(row.id)
      return record === undefined ? [] : [{ id: row.id, row, record, observedAt: row.observedAt }]
    })
    const devices = await devicesOf(database, organizationId, rooms, unread)
    const byId = new Map(
      rooms.map(({ id, row, record: { timeZone, createdAt, raw } }) => [
        id,
        { ...row, timeZone, createdAt, devices: devices.get(id) ?? null, raw },
      ]),
    )
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  const one = async (organizationId: string, id: string, what: string, unread = false): Promise<Room> => {
    const [room] = await whole(organizationId, [id], unread)
    if (!room) throw Failed.notFound(what)
    return room
  }

  const inPages = async (
    organizationId: string,
    rooms: readonly RoomSummary[],
  ): Promise<readonly SelectedRoom[]> => {
    const pageAt = async (start: number): Promise<readonly SelectedRoom[]> => {
      const page = rooms.slice(start, start + sliceRows)
      const devices = await devicesOf(
        database,
        organizationId,
        page.map(({ row }) => row),
        true,
      )
      return page.map(({ row, timeZone }) => ({ ...row, timeZone, devices: devices.get(row.id) ?? null }))
    }
    const pages: SelectedRoom[] = []
    // Two at a time, because one is read on its thread while the other is assembled here.
    for (let start = 0; start < rooms.length; start += 2 * sliceRows)
      pages.push(...(await Promise.all([pageAt(start), pageAt(start + sliceRows)])).flat())
    return pages
  }

  const totals = async (organizationId: string): Promise<{ count: number; asOf: number | null }> => {
    const sql = `SELECT count(*) AS n, min(observed_at) AS at FROM raw_record WHERE organization_id = ? AND kind = 'room' AND gone_at IS NULL`
    const [row] = await database.query(sql, [organizationId])
    return { count: Number(row?.['n'] ?? 0), asOf: typeof row?.['at'] === 'number' ? row['at'] : null }
  }

  const matching = async (
    organizationId: string,
    { where, sort }: Pick<RoomQuery, 'where' | 'sort'>,
  ): Promise<RoomSummary[]> => {
    const context = { terms: termsIn(where, roomVocabulary), now: clock.now(), keys: [] }
    return inOrder(
      roomList,
      matchingBeside(roomList, await summaries(organizationId), context).matching,
      sort,
    )
  }

  const sites = async (organizationId: string): Promise<RoomSites> => {
    const [rooms, notes] = await Promise.all([
      summaries(organizationId),
      queryRoomNotes(workbook, organizationId),
    ])
    return sitesOf(
      rooms.map(({ row }) => row),
      notes,
    )
  }

  const find: Rooms['find'] = async (organizationId, what, devices = 'known') => {
    const sql = `SELECT COALESCE((SELECT y.id FROM room_row y WHERE y.organization_id = ?1 AND y.id IN ${recordMeant('room')}),
                                 (SELECT x.id FROM record_alias x WHERE x.organization_id = ?1 AND x.kind = 'room' AND x.alias = ?2)) AS id`
    const [row] = await database.query(sql, [organizationId, what, idKey(what)])
    const id = typeof row?.['id'] === 'string' ? row['id'] : what
    return one(organizationId, id, what, devices === 'unread-too')
  }

  return {
    async list(organizationId, query) {
      const { start, count } = sliceOf(query)
      const terms = termsIn(query.where, roomVocabulary)
      const [every, { count: all, asOf }] = await Promise.all([
        summaries(organizationId),
        totals(organizationId),
      ])
      // Statuses and health values are counted as if none of them were selected, so that another value can be
      // selected.
      const { matching: found, beside } = matchingBeside(roomList, every, {
        terms,
        now: clock.now(),
        keys: ['status', 'health'],
      })
      const rooms = inOrder(roomList, found, query.sort)
      const rows = rooms.slice(start, start + count).map(({ row }) => row)
      const members = await queryMembers(database, organizationId, rows)
      return {
        rows: rows.map((row) => ({ ...row, members: members.get(row.id) ?? null })),
        total: rooms.length,
        all,
        statuses: countsOf(beside.status.map(({ row }) => row.status)),
        health: inFixedOrder(countsOf(beside.health.map(({ row }) => row.health))),
        asOf,
      }
    },

    async groups(organizationId, { where, by }) {
      const found = await matching(organizationId, { where, sort: [] })
      const counted = found.map(({ row }) => ({
        label: row[by],
        count: 1,
        needing: row.health === 'trouble' || row.health === 'down' ? 1 : 0,
      }))
      return groupsOf('rooms', tokenOf(roomFields, by), { where, counted })
    },

    find,

    async typed(organizationId, text) {
      const known = await foundOrNull(find(organizationId, text))
      if (known !== null) return known
      const present = (await summaries(organizationId)).filter(({ row }) => !row.gone)
      const ids = present
        .filter(({ row }) => row.name?.toLowerCase() === text.toLowerCase())
        .map(({ row }) => row.id)
      const [id] = ids
      if (id === undefined) {
        const names = present.flatMap(({ row }) => row.name ?? [])
        refuseIfNear(
          'room',
          text,
          names.map((name) => ({ name, told: null })),
        )
        throw Failed.notFound(withMeant(text, text, names))
      }
      if (ids.length > 1)
        throw Failed.invalid(
          'room',
          `${ids.length} rooms are called "${text}": use one of these ids (${ids.join(', ')}).`,
        )
      return find(organizationId, id)
    },

    async position(organizationId, query) {
      const rooms = await matching(organizationId, query)
      const index = rooms.findIndex(({ row }) => row.id === query.id)
      return { index: index === -1 ? null : index, total: rooms.length }
    },

    async suggest(organizationId, { key, typed }) {
      const known = keyNamed(roomVocabulary, key)
      if (known === undefined) throw Failed.invalid('key', `Rooms have no filter called ${key}.`)
      const wanted = folded(typed).trim()
      const rooms = (await summaries(organizationId)).filter((room) => known.key === 'gone' || !room.row.gone)
      return countsOf(rooms.flatMap(wordsIn(roomList, known.key)))
        .filter(({ word }) => folded(word).includes(wanted))
        .slice(0, mostSuggestions)
    },

    listed: async (organizationId, query) => (await matching(organizationId, query)).map(({ row }) => row),

    async notOnline(organizationId, ids) {
      const rooms = await whole(organizationId, ids)
      return new Map(
        rooms.map((room) => [
          room.id,
          devicesIn(room)
            .filter(({ status }) => status !== 'online')
            .map(deviceLabel),
        ]),
      )
    },

    whole: (organizationId, ids) => whole(organizationId, ids),

    async selected(organizationId, selection) {
      const byName = [{ column: 'name', descending: false }] as const
      if (selection.kind === 'matching') {
        const except = new Set(selection.except)
        const rooms = (await matching(organizationId, { where: selection.where, sort: byName })).filter(
          ({ row }) => !except.has(row.id),
        )
        return { rooms: await inPages(organizationId, rooms), unknown: [] }
      }
      const own = await idsOfRooms(database, organizationId, selection.ids)
      const named = new Set(own.values())
      const rooms = inOrder(
        roomList,
        (await summaries(organizationId)).filter(({ row }) => named.has(row.id)),
        byName,
      )
      return {
        rooms: await inPages(organizationId, rooms),
        unknown: [...new Set(selection.ids)].filter((id) => !own.has(id)),
      }
    },

    roomsOf: (organizationId, deviceIds) => roomsOfDevices(database, organizationId, deviceIds),

    async zonesOf(organizationId, deviceIds) {
      const roomsOf = await roomsOfDevices(database, organizationId, deviceIds)
      const rows = await database.query(
        'SELECT id, time_zone FROM room_row WHERE organization_id = ? AND id IN (SELECT value FROM json_each(?))',
        [organizationId, JSON.stringify([...new Set(roomsOf.values())])],
      )
      const zones = new Map(rows.map((row) => [String(row['id']), textOrNull(row['time_zone'])]))
      return new Map(
        [...roomsOf].flatMap(([device, room]) => {
          const zone = zones.get(room) ?? null
          return zone !== null && isTimeZone(zone) ? [[device, zone] as const] : []
        }),
      )
    },

    totals,

    async write(organizationId, id, what, written) {
      await one(organizationId, id, id)
      await keepRoomNote(workbook, organizationId, id, what, written)
      cache.changed(organizationId, 'settled')
      return one(organizationId, id, id)
    },

    sites,

    async chooseSites(organizationId, separator) {
      await keepSeparator(workbook, organizationId, separator)
      cache.changed(organizationId, 'settled')
      return sites(organizationId)
    },

    changed(organizationId, how = 'settled') {
      cache.changed(organizationId, how)
      // Recompute summaries eagerly; errors surface at the next request.
      if (how === 'settled' && cache.has(organizationId, 'rooms'))
        summaries(organizationId).catch(() => undefined)
    },
  }
}

/** Health has a few values with their own order: the worst first. */
const inFixedOrder = (counts: readonly WordCount[]): readonly WordCount[] =>
  healthsWorstFirst.flatMap((word) => counts.find((one) => one.word === word) ?? [])
