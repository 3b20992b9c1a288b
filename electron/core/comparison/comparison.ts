import type { Comparison } from '../../contract/api/comparison.ts'
import type { DeviceRow } from '../../contract/api/devices.ts'
import { deviceLabel, deviceTitle } from '../../contract/device-name.ts'
import type { Room, RoomDevice } from '../../contract/api/rooms.ts'
import { picked } from '../../contract/picked.ts'
import type { EndpointTemplates } from '../../contract/template.ts'
import type { Devices } from '../devices/devices.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { CachedSettings } from '../settings/settings.ts'
import { compareSides, type DeviceToCompare, type Possible, type SideToCompare } from './compare.ts'

export interface ComparisonDeps {
  readonly organizationId: string
  readonly templates: EndpointTemplates
  readonly devices: Pick<Devices, 'listed' | 'get'>
  readonly rooms: Pick<Rooms, 'find'>
  readonly settings: Pick<CachedSettings, 'begin'>
}

/** Rejects with Failed `not-found` or `cache-unusable`. */
export async function compareRooms(
  deps: ComparisonDeps,
  ids: { readonly a: string; readonly b: string },
): Promise<Comparison> {
  const find = (id: string): Promise<Room> => deps.rooms.find(deps.organizationId, id)
  const [a, b] = await Promise.all([find(ids.a), find(ids.b)])
  const members = [...(a.devices ?? []), ...(b.devices ?? [])].map(({ id }) => id)
  const rows = new Map((await rowsOf(deps, members)).map((row) => [row.id, row]))
  const read = await readingsOf(deps, [...rows.values()])
  const side = (room: Room): SideToCompare => ({
    ...picked(room, heads),
    room: {
      health: room.health,
      deviceCount: room.deviceCount,
      onlineCount: room.onlineCount,
    },
    devices:
      room.devices?.map((member) => {
        const row = rows.get(member.id)
        return row === undefined ? unlisted(member) : read(row)
      }) ?? null,
    facts: { seats: room.seatCount, timeZone: room.timeZone, site: room.site, type: room.type },
  })
  return compareSides(side(a), side(b), possibleBy(deps))
}

/** Rejects with Failed `not-found` or `cache-unusable`. */
export async function compareDevices(
  deps: ComparisonDeps,
  ids: { readonly a: string; readonly b: string },
): Promise<Comparison> {
  const get = (id: string): Promise<DeviceRow> => deps.devices.get(deps.organizationId, id)
  const [a, b] = await Promise.all([get(ids.a), get(ids.b)])
  const read = await readingsOf(deps, [a, b])
  // Two devices of one room have the same title.
  const nameOf = deviceTitle(a) === deviceTitle(b) ? deviceLabel : deviceTitle
  const side = (device: DeviceRow): SideToCompare => ({
    ...picked(device, heads),
    name: nameOf(device),
    room: null,
    devices: [read(device)],
    facts: null,
  })
  return compareSides(side(a), side(b), possibleBy(deps))
}

/** Without the raw record. */
const heads = ['id', 'name', 'observedAt', 'gone'] as const
/** Only what a comparison shows. */
const parts = [
  'id',
  'name',
  'status',
  'productId',
  'productName',
  'variantType',
  'serialNumber',
  'firmwareVersion',
  'firmware',
  'observedAt',
  'gone',
] as const

const possibleBy = ({ templates }: ComparisonDeps): Possible => ({
  update: templates.firmwareRead !== null && templates.firmwareUpdate !== null,
  set: templates.deviceSettings !== null && templates.updateDeviceSettings !== null,
})

async function rowsOf(
  { devices, organizationId }: ComparisonDeps,
  ids: readonly string[],
): Promise<readonly DeviceRow[]> {
  const { batches } = await devices.listed(organizationId, { kind: 'picked', ids }, [])
  const rows: DeviceRow[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

async function readingsOf(
  { settings }: ComparisonDeps,
  rows: readonly DeviceRow[],
): Promise<(row: DeviceRow) => DeviceToCompare> {
  const stored = await settings.begin()(rows, null)
  return (row) => ({
    ...picked(row, parts),
    listed: true,
    settings: stored.get(row.id) ?? null,
    firmwareAt: row.firmwareReadAt ?? row.observedAt,
  })
}

/** Known only from the record of its room. */
const unlisted = (member: RoomDevice): DeviceToCompare => ({
  ...picked(
    {
      ...member,
      name: member.name ?? member.productName ?? member.id,
      productId: null,
      variantType: null,
      gone: false,
      firmware: { word: member.firmware ?? 'unknown', by: null, latest: null, why: null },
    },
    parts,
  ),
  listed: false,
  settings: null,
  firmwareAt: member.firmwareReadAt ?? member.observedAt,
})
