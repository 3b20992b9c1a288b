import type { ChangeRow } from '../../contract/api/changes.ts'
import type { DeviceRow } from '../../contract/api/devices.ts'
import type { DriftedDevice } from '../../contract/api/golden-profiles.ts'
import type { JobItem, PlannedItem } from '../../contract/api/jobs.ts'
import type { JournalLine } from '../../contract/api/journal.ts'
import type { ExportedRoom } from '../../contract/api/exports.ts'
import { deviceTitle } from '../../contract/device-name.ts'
import { Failed } from '../../contract/failure.ts'
import { changeFields } from '../../contract/fields/change.ts'
import { driftFields } from '../../contract/fields/drift.ts'
import { deviceFields } from '../../contract/fields/device.ts'
import type { Field, KeysWith } from '../../contract/fields/field.ts'
import { jobFields } from '../../contract/fields/job.ts'
import { jobItemFields } from '../../contract/fields/job-item.ts'
import { journalFields } from '../../contract/fields/journal.ts'
import { plannedItemFields } from '../../contract/fields/planned-item.ts'
import { roomFields } from '../../contract/fields/room.ts'
import { changedSettings } from '../../contract/journal.ts'
import { labelFrom, type SettingNames } from '../../contract/setting-name.ts'
import { driftText } from '../../contract/golden-profile.ts'
import type { ListedJob } from '../jobs/jobs.ts'
import { usbId } from '../../contract/recovery-steps.ts'

/** The value of a cell before formatting; a time is epoch milliseconds. */
export type ExportValue = string | number | boolean | null | readonly string[]

/**
 * A column of a file. `key` names it in a request and in JSON, `label` is its title in a table (English in
 * every locale).
 */
export interface ExportColumn<Row> {
  readonly key: string
  readonly label: string
  readonly time: boolean
  readonly value: (row: Row) => ExportValue
}

/** Members of a row that are cell values unchanged. */
type Plain<Row> = { [K in keyof Row]-?: Row[K] extends ExportValue ? K : never }[keyof Row]
type Values<Row, K extends string> = {
  readonly [key in Exclude<K, Plain<Row>>]: (row: Row) => ExportValue
} & {
  readonly [key in K]?: (row: Row) => ExportValue
}

/**
 * The columns of a field table: `values` gives those that are not members of the row, or differ in a file.
 */
const columnsOf = <Row, const F extends readonly Field[]>(
  fields: F,
  values: Values<Row, KeysWith<F, 'label'>>,
): readonly ExportColumn<Row>[] => {
  const special: Readonly<Record<string, ((row: Row) => ExportValue) | undefined>> = values
  return fields.flatMap(({ key, type, label }) =>
    label === undefined
      ? []
      : [
          {
            key,
            label,
            time: type === 'time',
            value: special[key] ?? ((row: Row) => row[key as keyof Row] as ExportValue),
          },
        ],
  )
}

const roomNamed = ({ room }: Pick<DeviceRow | ChangeRow, 'room'>): string | null =>
  room?.name ?? room?.id ?? null

/** The source of the compliance. */
const complianceBy = {
  decides: 'service',
  contradicts: 'catalogue, disputed by the service',
  agrees: 'catalogue',
} as const

export const deviceColumns = columnsOf<DeviceRow, typeof deviceFields>(deviceFields, {
  userOrRoom: deviceTitle,
  firmware: (row) => row.firmware.word,
  firmwareService: ({ firmware: { word, service } }) =>
    word === 'unknown' ? null : complianceBy[service ?? 'agrees'],
  behindBy: (row) => row.firmware.by,
  latestVersion: (row) => row.firmware.latest,
  approved: (row) => row.firmware.approved?.word ?? 'none',
  approvedVersion: (row) => row.firmware.approved?.version ?? null,
  roomName: roomNamed,
  location: (row) => row.room?.location ?? null,
  productId: ({ productId }) => (productId === null ? null : usbId(productId)),
  note: (row) => row.note ?? null,
})

export const roomColumns = columnsOf<ExportedRoom, typeof roomFields>(roomFields, {
  byServiceCount: (row) => row.byServiceCount ?? 0,
  contradictedCount: (row) => row.contradictedCount ?? 0,
  note: (row) => row.note ?? null,
})

export const changeColumns = columnsOf<ChangeRow, typeof changeFields>(changeFields, { roomName: roomNamed })

export const jobColumns = columnsOf<ListedJob, typeof jobFields>(jobFields, {
  durationInMs: (row) =>
    row.endedAt === null || row.startedAt === null ? null : row.endedAt - row.startedAt,
  ticket: (row) => row.ticket ?? null,
  target: ({ target }) => (target === null ? null : (target.name ?? target.id)),
  done: (row) => row.counts.done,
  failed: (row) => row.counts.failed,
  notFound: (row) => row.counts['not-found'],
  notSupported: (row) => row.counts['not-supported'],
  unknown: (row) => row.counts.unknown,
})

export const jobItemColumns = columnsOf<JobItem, typeof jobItemFields>(jobItemFields, {
  name: (row) => row.target.name ?? row.target.id,
  outcome: (row) => row.outcome ?? row.state,
  firmware: ({ firmware }) =>
    firmware === undefined ? null : `${firmware.from ?? 'not known'} → ${firmware.to}`,
  failure: (row) => row.failure?.kind ?? null,
  message: (row) => (row.failure !== null && 'message' in row.failure ? row.failure.message : null),
  of: (row) => row.target.of,
  targetId: (row) => row.target.id,
  journalLine: (row) => row.journalId,
})

/** Labels of settings in the order of their names in the adjacent column. */
const labelsOf =
  (names: SettingNames) =>
  (settings: readonly { readonly name: string }[]): readonly string[] =>
    settings.map(({ name }) => labelFrom(names.labels, name))

export const journalColumns = (names: SettingNames) =>
  columnsOf<JournalLine, typeof journalFields>(journalFields, {
    outcome: (row) =>
      row.outcome === 'refused' && row.status === null ? 'not-sent' : (row.outcome ?? 'unknown'),
    of: (row) => row.target.of,
    targetName: (row) => row.target.name,
    targetId: (row) => row.target.id,
    settings: (row) => labelsOf(names)(changedSettings(row) ?? []),
    deviceCount: (row) => row.deviceIds.length,
    durationInMs: (row) => (row.endedAt === null || row.endFoundLater ? null : row.endedAt - row.startedAt),
    afterwards: (row) => row.afterwards ?? null,
    job: (row) => row.jobId ?? null,
    ticket: (row) => row.ticket ?? null,
    line: (row) => row.id,
  })

export const driftColumns = (names: SettingNames) =>
  columnsOf<DriftedDevice, typeof driftFields>(driftFields, {
    userOrRoom: ({ room, ...device }) => deviceTitle({ ...device, room: { name: room } }),
    drift: (row) => row.drift.map(driftText),
    settings: (row) => labelsOf(names)(row.drift),
  })

export const plannedItemColumns = (names: SettingNames) =>
  columnsOf<PlannedItem, typeof plannedItemFields>(plannedItemFields, {
    name: (row) => row.target.name ?? row.target.id,
    devices: (row) => row.devices.map(({ name }) => name),
    changes: (row) =>
      row.changes.map(
        ({ name, now, new: wanted, reason }) =>
          `${name}: ${now ?? 'not known'} → ${wanted}${reason === null ? '' : ` (${reason})`}`,
      ),
    settings: (row) => labelsOf(names)(row.changes),
    of: (row) => row.target.of,
    targetId: (row) => row.target.id,
    deviceIds: (row) => row.devices.map(({ id }) => id),
    timeZone: (row) => row.timeZone ?? null,
  })

/** The named columns in that order; null: all. Throws Failed `invalid`, field `columns`. */
export function chosenColumns<Row>(
  all: readonly ExportColumn<Row>[],
  keys: readonly string[] | null,
): readonly ExportColumn<Row>[] {
  if (keys === null) return all
  if (keys.length === 0) throw Failed.invalid('columns', 'Choose at least one column.')
  return keys.map((key) => {
    const found = all.find((one) => one.key.toLowerCase() === key.toLowerCase())
    if (found === undefined)
      throw Failed.invalid(
        'columns',
        `There is no column "${key}". There are: ${all.map((one) => one.key).join(', ')}.`,
      )
    return found
  })
}
