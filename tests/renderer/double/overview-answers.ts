import type { ChangeKind } from '../../../electron/contract/api/changes.ts'
import type { Device, FirmwareWord } from '../../../electron/contract/api/devices.ts'
import type { Overview, ProductFirmware } from '../../../electron/contract/api/overview.ts'
import type { Room, RoomHealth } from '../../../electron/contract/api/rooms.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import type { ChangeDouble } from './change-answers.ts'
import { counted } from './filtering.ts'
import { healthOrder } from './room-answers.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PRODUCTS_AT_MOST = 12

/** Work to do, counted over the fleet in memory. */
export function overviewAnswers(
  options: { readonly nowAt: number; readonly asOf: number | null; readonly staleAfterInHours: () => number },
  devices: readonly Device[],
  rooms: readonly Room[],
  changes: ChangeDouble,
): Pick<AllHandlers, 'overview'> {
  const live = devices.filter((device) => !device.gone)
  const liveRooms = rooms.filter((room) => !room.gone)
  const health = (word: RoomHealth): number => liveRooms.filter((room) => room.health === word).length
  const word = (one: FirmwareWord, of: readonly Device[] = live): number =>
    of.filter((device) => device.firmware.word === one).length
  const words = (of: readonly Device[]) => ({
    current: word('current', of),
    behind: word('behind', of),
    ahead: word('ahead', of),
    revoked: word('revoked', of),
    unknown: word('unknown', of),
  })
  const products = [...Map.groupBy(live, (device) => device.productName)]
    .filter((entry): entry is [string, Device[]] => entry[0] !== null)
    .map(([productName, own]): ProductFirmware => ({ productName, ...words(own) }))
    .toSorted((a, b) => b.behind + b.revoked - a.behind - a.revoked)
  const older = (atLeastInMs: number): number =>
    live.filter((device) => device.lastSeenAt !== null && options.nowAt - device.lastSeenAt >= atLeastInMs)
      .length
  const ages = [HOUR, DAY, 7 * DAY, null]

  return {
    overview: {
      get: async (): Promise<Overview> => {
        const sinceLooked = changes.sinceLooked()
        return {
          asOf: options.asOf,
          deviceCount: live.length,
          roomCount: liveRooms.length,
          changes: {
            since: changes.lookedAt(),
            total: sinceLooked.length,
            kinds: counted(sinceLooked, (change) => change.kind).map((one) => ({
              word: one.word as ChangeKind,
              count: one.count,
            })),
          },
          rooms: {
            health: {
              ok: health('ok'),
              trouble: health('trouble'),
              down: health('down'),
              unknown: health('unknown'),
            },
            worst: liveRooms
              .filter((room) => room.health === 'down' || room.health === 'trouble')
              .toSorted(
                (a, b) =>
                  healthOrder.indexOf(a.health) - healthOrder.indexOf(b.health) ||
                  (b.deviceCount ?? 0) - (b.onlineCount ?? 0) - (a.deviceCount ?? 0) + (a.onlineCount ?? 0),
              )
              .slice(0, 8)
              .map((room) => ({
                id: room.id,
                name: room.name,
                location: room.location,
                health: room.health,
                deviceCount: room.deviceCount,
                onlineCount: room.onlineCount,
              })),
          },
          firmware: {
            words: words(live),
            products: products.slice(0, PRODUCTS_AT_MOST),
            others: Math.max(0, products.length - PRODUCTS_AT_MOST),
          },
          statuses: counted(live, (device) => device.status),
          lastSeen: [DAY, 7 * DAY, 30 * DAY].map((atLeastInMs) => ({
            atLeastInMs,
            count: older(atLeastInMs),
          })),
          neverSeen: live.filter((device) => device.lastSeenAt === null).length,
          ages: ages.map((upToInMs, i) => ({
            upToInMs,
            count: live.filter((device) => {
              const age = options.nowAt - device.observedAt
              return age >= (ages[i - 1] ?? 0) && (upToInMs === null || age < upToInMs)
            }).length,
          })),
          stale: live.filter(
            (device) => options.nowAt - device.observedAt > options.staleAfterInHours() * HOUR,
          ).length,
          goneLately: devices.filter(
            (device) => device.goneAt !== null && options.nowAt - device.goneAt < 7 * DAY,
          ).length,
          unreadable: devices.length === 0 ? 0 : 2,
        }
      },
    },
  }
}
