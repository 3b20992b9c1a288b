import type { ChangeRow } from '../../contract/api/changes.ts'
import type { ExportRequest } from '../../contract/api/exports.ts'
import type { ExportSubject } from '../../contract/api/exports.ts'
import type { RoomRow } from '../../contract/api/rooms.ts'
import type { Changes } from '../changes/changes.ts'
import { orNull } from '../../contract/failure.ts'
import { noSettingNames, settingNamesIn, type SettingNames } from '../../contract/setting-name.ts'
import type { Definitions } from '../definitions/definitions.ts'
import type { Devices } from '../devices/devices.ts'
import type { GoldenProfiles } from '../golden-profiles/golden-profiles.ts'
import type { Jobs, ListedJobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal/journal.ts'
import type { Rooms } from '../rooms/rooms.ts'
import {
  changeColumns,
  chosenColumns,
  deviceColumns,
  driftColumns,
  jobColumns,
  jobItemColumns,
  journalColumns,
  plannedItemColumns,
  roomColumns,
  type ExportColumn,
  type ExportValue,
  type RoomExportRow,
} from './export-columns.ts'
import type { Clock } from '../platform.ts'
import { zonedTime, type ZonedTime } from './zoned-time.ts'

/** The content of a file: cells in batches, with formatted times. */
export interface ExportTable {
  readonly keys: readonly string[]
  readonly labels: readonly string[]
  readonly total: number
  /** Epoch milliseconds; null: nothing was read yet. */
  readonly asOf: number | null
  /** The filter as typed, or the number of selected rows. */
  readonly rows: string
  readonly batches: AsyncIterable<readonly (readonly ExportValue[])[]>
}

export interface ExportSources {
  readonly clock: Pick<Clock, 'now'>
  readonly devices: Pick<Devices, 'listed' | 'totals'>
  readonly rooms: Pick<Rooms, 'listed' | 'notOnline' | 'totals'>
  readonly changes: Pick<Changes, 'all'>
  readonly journal: Pick<Journal, 'all'>
  readonly jobs: ListedJobs
}

/** The organization whose file is written. */
export interface ExportFor {
  readonly organizationId: string
  /** For the first line and the name of a file. */
  readonly organizationName: string
  /** For lists that exist only in the session of the organization. */
  readonly session: () => Promise<{
    readonly definitions: Pick<Definitions, 'settingNames'>
    readonly goldenProfiles: Pick<GoldenProfiles, 'devices' | 'notAllowed'>
    readonly jobs: Pick<Jobs, 'planned'>
  }>
}

const all = { start: 0, count: Infinity }
const batchRows = 500

/** Rejects with Failed `invalid` for an unusable filter, column or time zone. */
export async function exportTable(
  sources: ExportSources,
  { organizationId, session }: Omit<ExportFor, 'organizationName'>,
  request: Pick<ExportRequest, 'subject' | 'columns' | 'timeZone'>,
): Promise<ExportTable> {
  const { subject, columns } = request
  const zone = zonedTime(request.timeZone)
  switch (subject.of) {
    case 'devices': {
      const chosen = chosenColumns(deviceColumns, columns)
      const [{ total, batches }, { asOf }] = await Promise.all([
        sources.devices.listed(organizationId, subject.selection, subject.sort),
        sources.devices.totals(organizationId),
      ])
      const rows = subject.selection.kind === 'matching' ? subject.selection.where : `${total} picked`
      return { ...headings(chosen), total, asOf, rows, batches: cells(batches, chosen, zone) }
    }
    case 'rooms': {
      const chosen = chosenColumns(roomColumns, columns)
      const [{ rooms, words }, { asOf }] = await Promise.all([
        roomsOf(sources.rooms, organizationId, subject),
        sources.rooms.totals(organizationId),
      ])
      const named = chosen.some(({ key }) => key === 'notOnline' || key === 'why')
      const batches = withDevices(sources.rooms, organizationId, rooms, named)
      return {
        ...headings(chosen),
        total: rooms.length,
        asOf,
        rows: words,
        batches: cells(batches, chosen, zone),
      }
    }
    case 'changes': {
      const chosen = chosenColumns(changeColumns, columns)
      const { of: _changes, ...query } = subject
      const [{ total, rows: changes }, { asOf }] = await Promise.all([
        sources.changes.all(organizationId, query),
        sources.devices.totals(organizationId),
      ])
      const since =
        subject.since === null
          ? ''
          : subject.since === 'looked'
            ? 'since you last looked'
            : `since ${zone(subject.since)}`
      const left = subject.folded === true ? 'without personal devices that went on or off' : ''
      const rows = [subject.where, since, left].filter((part) => part !== '').join(' · ')
      return { ...headings(chosen), total, asOf, rows, batches: cells(gathered(changes), chosen, zone) }
    }
    case 'journal': {
      const isNamed = columns === null || columns.some((key) => key.toLowerCase() === 'settings')
      const names = isNamed ? await namesOrNone(session) : noSettingNames
      const chosen = chosenColumns(journalColumns(names), columns)
      const { where, subjectId, sort = [] } = subject
      const { total, batches } = await sources.journal.all(organizationId, { where, subjectId, sort })
      const rows = [where, subjectId === null ? '' : `of ${subjectId}`]
        .filter((part) => part !== '')
        .join(' · ')
      return {
        ...headings(chosen),
        total,
        asOf: sources.clock.now(),
        rows,
        batches: cells(batches, chosen, zone),
      }
    }
    case 'jobs': {
      const chosen = chosenColumns(jobColumns, columns)
      const { where = '', sort = [] } = subject
      const jobs = await sources.jobs.jobs(organizationId, where, sort)
      return {
        ...headings(chosen),
        total: jobs.length,
        asOf: sources.clock.now(),
        rows: where,
        batches: cells([jobs], chosen, zone),
      }
    }
    case 'rows': {
      const given = subject.columns.map((one, at) => ({
        ...one,
        value: (row: (typeof subject.rows)[number]): ExportValue => row[at] ?? null,
      }))
      const chosen = chosenColumns(given, columns)
      return {
        ...headings(chosen),
        total: subject.rows.length,
        asOf: sources.clock.now(),
        rows: '',
        batches: cells(inBatches(subject.rows), chosen, zone),
      }
    }
    case 'job': {
      const chosen = chosenColumns(jobItemColumns, columns)
      const { total, batches } = await sources.jobs.items(organizationId, subject)
      const rows = [`job ${subject.id}`, subject.show ?? ''].filter((part) => part !== '').join(' · ')
      return {
        ...headings(chosen),
        total,
        asOf: sources.clock.now(),
        rows,
        batches: cells(batches, chosen, zone),
      }
    }
    case 'drift': {
      const { definitions, goldenProfiles } = await session()
      const names = settingNamesIn(await definitions.settingNames({ productIds: [] }))
      const chosen = chosenColumns(driftColumns(names), columns)
      const { profile } = subject
      const { rows: devices } = await (profile === null
        ? goldenProfiles.notAllowed(all)
        : goldenProfiles.devices({ ...profile, ...all }))
      return {
        ...headings(chosen),
        total: devices.length,
        asOf: devices.reduce<number | null>(
          (oldest, { readAt }) => (readAt === null ? oldest : Math.min(oldest ?? readAt, readAt)),
          null,
        ),
        rows: [profile?.state ?? '', profile?.setting ?? ''].filter((part) => part !== '').join(' · '),
        batches: cells(inBatches(devices), chosen, zone),
      }
    }
    case 'plan': {
      const { definitions, jobs } = await session()
      const names = settingNamesIn(await definitions.settingNames({ productIds: [] }))
      const chosen = chosenColumns(plannedItemColumns(names), columns)
      const { items } = await jobs.planned({ plan: subject.plan, ...all })
      return {
        ...headings(chosen),
        total: items.length,
        asOf: sources.clock.now(),
        rows: '',
        batches: cells(inBatches(items), chosen, zone),
      }
    }
  }
}

/** The journal is exported even if nothing else can be read. */
async function namesOrNone(session: ExportFor['session']): Promise<SettingNames> {
  const names = await orNull(
    session().then(({ definitions }) => definitions.settingNames({ productIds: [] })),
  )
  return names === null ? noSettingNames : settingNamesIn(names)
}

/** All that match, or those selected among all rows: individually selected ones even if they are gone. */
async function roomsOf(
  source: Pick<Rooms, 'listed'>,
  organizationId: string,
  { where, sort, selection }: Extract<ExportSubject, { of: 'rooms' }>,
): Promise<{ readonly rooms: readonly RoomRow[]; readonly words: string }> {
  if (selection === undefined)
    return { rooms: await source.listed(organizationId, { where, sort }), words: where }
  const picked = selection.kind === 'picked'
  const among = await source.listed(organizationId, { where: picked ? 'gone:any' : selection.where, sort })
  const named = new Set(picked ? selection.ids : selection.except)
  const rooms = among.filter((room) => named.has(room.id) === picked)
  return { rooms, words: picked ? `${rooms.length} selected` : selection.where }
}

const headings = <Row>(columns: readonly ExportColumn<Row>[]): { keys: string[]; labels: string[] } => ({
  keys: columns.map((one) => one.key),
  labels: columns.map((one) => one.label),
})

async function* cells<Row>(
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  columns: readonly ExportColumn<Row>[],
  zone: ZonedTime,
): AsyncIterable<readonly (readonly ExportValue[])[]> {
  for await (const batch of batches)
    yield batch.map((row) =>
      columns.map(({ value, time }) => {
        const cell = value(row)
        return time && typeof cell === 'number' ? zone(cell) : cell
      }),
    )
}

function* inBatches<Row>(rows: readonly Row[]): Iterable<readonly Row[]> {
  for (let start = 0; start < rows.length; start += batchRows) yield rows.slice(start, start + batchRows)
}

/** `named`: devices are read for a column with their names. */
async function* withDevices(
  source: Pick<Rooms, 'notOnline'>,
  organizationId: string,
  rooms: readonly RoomRow[],
  named: boolean,
): AsyncIterable<readonly RoomExportRow[]> {
  for (let start = 0; start < rooms.length; start += batchRows) {
    const batch = rooms.slice(start, start + batchRows)
    const notOnline = named
      ? await source.notOnline(
          organizationId,
          batch.map(({ id }) => id),
        )
      : null
    yield batch.map((room) => ({ ...room, notOnline: notOnline?.get(room.id) ?? [] }))
  }
}

async function* gathered(rows: AsyncIterable<ChangeRow>): AsyncIterable<readonly ChangeRow[]> {
  let batch: ChangeRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchRows) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
