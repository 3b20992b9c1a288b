import type { ChangeRow } from '../../contract/api/changes.ts'
import type { DeviceRow } from '../../contract/api/devices.ts'
import { Failed } from '../../contract/failure.ts'
import type { JobItem } from '../../contract/api/jobs.ts'
import type { JournalLine } from '../../contract/api/journal.ts'
import type { RoomRow } from '../../contract/api/rooms.ts'

/** What stands in a cell before it is written; a time is epoch milliseconds. */
export type ExportValue = string | number | boolean | null | readonly string[]

/** A column of a file. `key` names it in a request and in JSON, `label` heads it in a table (English, in every language of the view). */
export interface ExportColumn<Row> {
  readonly key: string
  readonly label: string
  readonly time: boolean
  readonly value: (row: Row) => ExportValue
}

const column = <Row>(key: string, label: string, value: (row: Row) => ExportValue): ExportColumn<Row> => ({
  key,
  label,
  time: false,
  value,
})
const time = <Row>(key: string, label: string, value: (row: Row) => number | null): ExportColumn<Row> => ({
  key,
  label,
  time: true,
  value,
})
const hexId = (id: number | null): string | null =>
  id === null ? null : `${id < 0 ? '-' : ''}0x${Math.abs(id).toString(16).toUpperCase().padStart(4, '0')}`

/** Whose word the compliance is. */
const complianceBy = {
  decides: 'service',
  contradicts: 'catalogue, disputed by the service',
  agrees: 'catalogue',
} as const

export const deviceColumns: readonly ExportColumn<DeviceRow>[] = [
  column('name', 'Name', (row) => row.name),
  column('productName', 'Product', (row) => row.productName),
  column('serialNumber', 'Serial number', (row) => row.serialNumber),
  column('firmwareVersion', 'Firmware', (row) => row.firmwareVersion),
  column('firmware', 'Compliance', (row) => row.firmware.word),
  column('firmwareService', 'Compliance by', ({ firmware: { word, service } }) =>
    word === 'unknown' ? null : complianceBy[service ?? 'agrees'],
  ),
  column('behindBy', 'Releases behind', (row) => row.firmware.by),
  column('latestVersion', 'Latest firmware', (row) => row.firmware.latest),
  column('status', 'Status', (row) => row.status),
  time('lastSeenAt', 'Last seen', (row) => row.lastSeenAt),
  column('roomName', 'Room', (row) => row.room?.name ?? row.room?.id ?? null),
  column('location', 'Location', (row) => row.room?.location ?? null),
  column('userName', 'User', (row) => row.userName),
  column('computerName', 'Computer', (row) => row.computerName),
  column('operatingSystem', 'Operating system', (row) => row.operatingSystem),
  column('ipAddress', 'IP address', (row) => row.ipAddress),
  column('macAddress', 'MAC address', (row) => row.macAddress),
  column('clientName', 'Client', (row) => row.clientName),
  column('clientVersion', 'Client version', (row) => row.clientVersion),
  column('clientType', 'Client type', (row) => row.clientType),
  column('groupId', 'Group id', (row) => row.groupId),
  column('productId', 'Product id', (row) => hexId(row.productId)),
  column('variantType', 'Variant', (row) => row.variantType),
  time('addedAt', 'Added', (row) => row.addedAt),
  column('tags', 'Tags', (row) => row.tags),
  column('id', 'Device id', (row) => row.id),
  time('observedAt', 'Read at', (row) => row.observedAt),
  time('goneAt', 'Gone since', (row) => row.goneAt),
]

/** A room with the names of its devices that are not known to be online. */
export type RoomExportRow = RoomRow & { readonly notOnline: readonly string[] }

export const roomColumns: readonly ExportColumn<RoomExportRow>[] = [
  column('name', 'Name', (row) => row.name),
  column('location', 'Location', (row) => row.location),
  column('type', 'Type', (row) => row.type),
  column('seatCount', 'Seats', (row) => row.seatCount),
  column('status', 'Status', (row) => row.status),
  column('health', 'Health', (row) => row.health),
  column('deviceCount', 'Devices', (row) => row.deviceCount),
  column('onlineCount', 'Devices online', (row) => row.onlineCount),
  column('unknownCount', 'Devices of unknown status', (row) => row.unknownCount),
  column('notOnline', 'Devices not online', (row) => row.notOnline),
  column('worstFirmware', 'Worst firmware', (row) => row.worstFirmware),
  column('behindCount', 'Devices behind', (row) => row.behindCount),
  column('byServiceCount', 'Devices rated by the service', (row) => row.byServiceCount ?? 0),
  column('contradictedCount', 'Devices disputed by the service', (row) => row.contradictedCount ?? 0),
  time('lastSeenAt', 'Last activity', (row) => row.lastSeenAt),
  column('id', 'Room id', (row) => row.id),
  column('groupIds', 'Group ids', (row) => row.groupIds),
  time('observedAt', 'Read at', (row) => row.observedAt),
  time('goneAt', 'Gone since', (row) => row.goneAt),
]

export const changeColumns: readonly ExportColumn<ChangeRow>[] = [
  time('observedAt', 'Seen at', (row) => row.observedAt),
  column('of', 'Of', (row) => row.of),
  column('kind', 'Change', (row) => row.kind),
  column('subjectName', 'Name', (row) => row.subjectName),
  column('before', 'Before', (row) => row.before),
  column('after', 'After', (row) => row.after),
  column('productName', 'Product', (row) => row.productName),
  column('roomName', 'Room', (row) => row.room?.name ?? row.room?.id ?? null),
  column('own', 'After own write', (row) => row.own),
  column('subjectId', 'Id', (row) => row.subjectId),
]

export const journalColumns: readonly ExportColumn<JournalLine>[] = [
  time('startedAt', 'Started', (row) => row.startedAt),
  time('endedAt', 'Ended', (row) => row.endedAt),
  column('outcome', 'Outcome', (row) =>
    row.outcome === 'refused' && row.status === null ? 'not-sent' : (row.outcome ?? 'unknown'),
  ),
  column('status', 'HTTP status', (row) => row.status),
  column('operation', 'Operation', (row) => row.operation),
  column('of', 'Of', (row) => row.target.of),
  column('targetName', 'Name', (row) => row.target.name),
  column('targetId', 'Id', (row) => row.target.id),
  column('before', 'Before', (row) => row.before),
  column('after', 'After', (row) => row.after),
  column('message', 'Message', (row) => row.message),
  column('who', 'Who', (row) => row.who),
  column('deviceCount', 'Devices', (row) => row.deviceIds.length),
  column('deviceIds', 'Device ids', (row) => row.deviceIds),
  column('durationInMs', 'Milliseconds', (row) =>
    row.endedAt === null || row.endFoundLater ? null : row.endedAt - row.startedAt,
  ),
  column('organizationName', 'Organization', (row) => row.organizationName),
  column('afterwards', 'Seen afterwards', (row) => row.afterwards ?? null),
  column('job', 'Job', (row) => row.jobId ?? null),
  column('line', 'Line', (row) => row.id),
]

export const jobItemColumns: readonly ExportColumn<JobItem>[] = [
  column('name', 'Name', (row) => row.target.name ?? row.target.id),
  column('outcome', 'Outcome', (row) => row.outcome ?? row.state),
  column('detail', 'Detail', (row) => row.detail),
  column('failure', 'Failure', (row) => row.failure?.kind ?? null),
  column('message', 'Message', (row) =>
    row.failure !== null && 'message' in row.failure ? row.failure.message : null,
  ),
  time('startedAt', 'Started', (row) => row.startedAt),
  time('endedAt', 'Ended', (row) => row.endedAt),
  column('of', 'Of', (row) => row.target.of),
  column('targetId', 'Id', (row) => row.target.id),
  column('deviceIds', 'Device ids', (row) => row.deviceIds),
  column('callsUsed', 'Calls', (row) => row.callsUsed),
  column('journalLine', 'Journal line', (row) => row.journalId),
]

/** The columns named, in that order; null: all. Throws Failed `invalid`, field `columns`. */
export function chosenColumns<Row>(
  all: readonly ExportColumn<Row>[],
  keys: readonly string[] | null,
): readonly ExportColumn<Row>[] {
  if (keys === null) return all
  if (keys.length === 0)
    throw new Failed({ kind: 'invalid', field: 'columns', message: 'No column was named.' })
  return keys.map((key) => {
    const found = all.find((one) => one.key.toLowerCase() === key.toLowerCase())
    if (found === undefined)
      throw new Failed({
        kind: 'invalid',
        field: 'columns',
        message: `There is no column "${key}". There are: ${all.map((one) => one.key).join(', ')}.`,
      })
    return found
  })
}
