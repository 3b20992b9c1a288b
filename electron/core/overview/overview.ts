import type { CompareWith } from '../../contract/firmware.ts'
import type { Comparing, ProductNotCompared } from '../../contract/api/firmware.ts'
import type { Overview, ProductFirmware, SiteRooms } from '../../contract/api/overview.ts'
import type { RoomHealth, RoomSort } from '../../contract/api/rooms.ts'
import { roomHealths, roomTroubles } from '../../contract/fields/room.ts'
import type { Changes } from '../changes/changes.ts'
import type { Clock } from '../platform.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Store } from '../storage/store.ts'
import { ageSums, deviceSums } from './device-sums.ts'

/** The results of comparing firmware. */
export interface Compared {
  readonly with: CompareWith
  /** Products that it could not compare. */
  readonly not: readonly ProductNotCompared[]
  readonly comparing: Comparing | null
  /** The name of a product in the catalogue; null: its devices name it. */
  readonly nameOf: (productId: number) => string | null
}
/** Without a session. */
export const withLatest: Compared = { with: 'latest', not: [], comparing: null, nameOf: () => null }

/** Work to do, from the cache alone. Rejects with Failed `cache-unusable`. */
export interface OverviewReader {
  get(organizationId: string, staleAfterInMs: number, compared?: Compared): Promise<Overview>
}

export interface OverviewDeps {
  readonly store: Store
  readonly rooms: Pick<Rooms, 'list' | 'groups'>
  readonly changes: Pick<Changes, 'news'>
  readonly clock: Clock
}

/** Contract. */
const worstAtMost = 12
/** Contract. */
const sitesAtMost = 12
/** The worst health first; of equal ones the room that went offline last. */
const worstFirst: RoomSort = [
  { column: 'health', descending: false },
  { column: 'offlineSinceAt', descending: true },
]

export function openOverview({ store, rooms, changes, clock }: OverviewDeps): OverviewReader {
  const { database } = store
  return {
    async get(organizationId, staleAfterInMs, compared = withLatest) {
      const now = clock.now()
      const countOf = async (where: string): Promise<number> =>
        (await rooms.list(organizationId, { where, sort: [], start: 0, count: 0 })).total
      const [news, worst, offline, revoked, disconnected, fault, sites, devices, ages] = await Promise.all([
        changes.news(organizationId),
        rooms.list(organizationId, {
          where: 'health:down,trouble',
          sort: worstFirst,
          start: 0,
          count: worstAtMost,
        }),
        countOf(roomTroubles.offline),
        countOf(roomTroubles.revoked),
        countOf(roomTroubles.disconnected),
        countOf(roomTroubles.fault),
        sitesOf(rooms, organizationId),
        deviceSums(database, organizationId, now),
        ageSums(database, organizationId, now, staleAfterInMs),
      ])
      const health = noRooms()
      for (const { word, count } of worst.health) health[word as RoomHealth] = count
      const named = <One extends ProductNotCompared | ProductFirmware>(one: One): One => ({
        ...one,
        productName: compared.nameOf(one.productId) ?? one.productName,
      })
      return {
        ...devices,
        firmware: {
          ...devices.firmware,
          products: devices.firmware.products.map(named),
          ...(compared.with === 'latest' ? {} : { comparedWith: compared.with }),
          ...(compared.not.length === 0 ? {} : { notCompared: compared.not.map(named) }),
          ...(compared.comparing === null ? {} : { comparing: compared.comparing }),
        },
        asOf: worst.asOf === null ? ages.asOf : Math.min(worst.asOf, ages.asOf ?? worst.asOf),
        roomCount: worst.all,
        changes: news,
        rooms: {
          health,
          trouble: { offline, revoked, disconnected, fault },
          sites: sites.slice(0, sitesAtMost),
          otherSites: {
            count: Math.max(0, sites.length - sitesAtMost),
            rooms: sites.slice(sitesAtMost).reduce((sum, one) => sum + roomsIn(one), 0),
          },
          worst: worst.rows,
        },
        stale: ages.stale,
      }
    },
  }
}

const noRooms = (): Record<RoomHealth, number> => ({ ok: 0, trouble: 0, down: 0, unknown: 0 })
const roomsIn = ({ health }: SiteRooms): number => health.ok + health.trouble + health.down + health.unknown
const inNeed = ({ health }: SiteRooms): number => health.down + health.trouble

/**
 * Rooms by site and health: sites with most rooms in trouble or down first, then with most rooms; of equal
 * ones, rooms without a site come last.
 */
async function sitesOf(rooms: Pick<Rooms, 'groups'>, organizationId: string): Promise<readonly SiteRooms[]> {
  const [all, ...byHealth] = await Promise.all(
    ['', ...roomHealths.map((word) => `health:${word}`)].map((where) =>
      rooms.groups(organizationId, { where, by: 'site' }),
    ),
  )
  return (all ?? [])
    .map(({ key, label, where }): SiteRooms => {
      const health = noRooms()
      for (const [index, word] of roomHealths.entries())
        health[word] = byHealth[index]?.find((one) => one.key === key)?.count ?? 0
      return { name: label, where, health }
    })
    .sort((a, b) => inNeed(b) - inNeed(a))
}
