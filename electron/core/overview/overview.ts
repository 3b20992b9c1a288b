import { Failed } from '../../contract/failure.ts'
import type { CompareWith } from '../../contract/firmware.ts'
import type { Workbook } from '../storage/workbook.ts'
import type { ProductNotCompared } from '../../contract/api/firmware.ts'
import type { Overview } from '../../contract/api/overview.ts'
import type { RoomHealth, RoomSort } from '../../contract/api/rooms.ts'
import type { SyncReport } from '../../contract/api/sync.ts'
import type { Changes } from '../changes/changes.ts'
import type { Clock, Database } from '../platform.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Store } from '../storage/store.ts'
import { ageSums, deviceSums } from './device-sums.ts'
import type { Handlers } from '../../contract/rpc-client.ts'

/** What the firmware's side says of its comparison. */
export interface Compared {
  readonly with: CompareWith
  /** Products that it could not compare. */
  readonly not: readonly ProductNotCompared[]
}
const withLatest: Compared = { with: 'latest', not: [] }

/** Work to do, from the cache alone. Rejects with Failed `cache-unusable`. */
export interface OverviewReader {
  get(organizationId: string, staleAfterInMs: number, compared?: Compared): Promise<Overview>
}

export interface OverviewParts {
  readonly store: Store
  readonly rooms: Pick<Rooms, 'list'>
  readonly changes: Pick<Changes, 'news' | 'window'>
  readonly clock: Clock
}

/** Contract. */
const worstAtMost = 8
/** The worst health first; in it those with the fewest devices online. */
const worstFirst: RoomSort = [
  { column: 'health', descending: false },
  { column: 'onlineCount', descending: false },
]
/** The filter of `goneLately`: see the README. */
const goneLately = 'kind:gone of:device age:<7d'

export function openOverview({ store, rooms, changes, clock }: OverviewParts): OverviewReader {
  const { database } = store
  return {
    async get(organizationId, staleAfterInMs, compared = withLatest) {
      const now = clock.now()
      const [news, lately, worst, devices, ages, unreadable] = await Promise.all([
        changes.news(organizationId),
        changes.window(organizationId, { where: goneLately, since: null, group: null, start: 0, count: 0 }),
        rooms.list(organizationId, {
          where: 'health:down,trouble',
          sort: worstFirst,
          start: 0,
          count: worstAtMost,
        }),
        deviceSums(database, organizationId, now),
        ageSums(database, organizationId, now, staleAfterInMs),
        unreadableOf(database, organizationId),
      ])
      const health: Record<RoomHealth, number> = { ok: 0, trouble: 0, down: 0, unknown: 0 }
      for (const { word, count } of worst.health) health[word as RoomHealth] = count
      return {
        ...devices,
        firmware: {
          ...devices.firmware,
          ...(compared.with === 'latest' ? {} : { comparedWith: compared.with }),
          ...(compared.not.length === 0 ? {} : { notCompared: compared.not }),
        },
        asOf: worst.asOf === null ? ages.asOf : Math.min(worst.asOf, ages.asOf ?? worst.asOf),
        roomCount: worst.all,
        changes: news,
        rooms: {
          health,
          worst: worst.rows.map(({ id, name, location, health: own, deviceCount, onlineCount }) => ({
            id,
            name,
            location,
            health: own,
            deviceCount,
            onlineCount,
          })),
        },
        ages: ages.ages,
        stale: ages.stale,
        goneLately: lately.total,
        unreadable,
      }
    },
  }
}

/** Records of the last sync that could not be read, as the status bar counts them. */
async function unreadableOf(database: Database, organizationId: string): Promise<number> {
  const sql =
    'SELECT report FROM sync_report WHERE organization_id = ? AND report IS NOT NULL ORDER BY id DESC LIMIT 1'
  const [row] = await database.read(sql, [organizationId])
  if (row === undefined) return 0
  const { devices, rooms } = JSON.parse(String(row['report'])) as SyncReport
  return devices.unreadable + rooms.unreadable
}

export const overviewHandlers = ({
  overview,
  workbook,
  currentId,
  compared,
}: {
  readonly overview: OverviewReader
  readonly workbook: Workbook
  readonly currentId: () => Promise<string>
  readonly compared: () => Promise<Compared>
}): Handlers<'overview'> => ({
  get: async () => {
    const [id, { staleAfterInHours }, known] = await Promise.all([
      currentId(),
      workbook.preferences(),
      compared().catch(noneWithoutSession),
    ])
    return overview.get(id, staleAfterInHours * 3_600_000, known)
  },
})

/** The overview is there without a session too: a demonstration that does not start. */
const noneWithoutSession = (error: unknown): Compared => {
  if (error instanceof Failed) return withLatest
  throw error
}
