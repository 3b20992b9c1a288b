import type { ChangeRow } from '../../contract/api/changes.ts'
import type { ExportedRoom, ExportRequest, ExportSubject, OpenRequest } from '../../contract/api/exports.ts'
import type { RoomRow } from '../../contract/api/rooms.ts'
import type { Changes } from '../changes/changes.ts'
import { orNull } from '../../contract/failure.ts'
import type { PrereleaseStage } from '../../contract/firmware.ts'
import { noSettingNames, settingNamesIn, type SettingNames } from '../../contract/setting-name.ts'
import type { Definitions } from '../definitions/definitions.ts'
import type { Devices, JudgedDevices } from '../devices/devices.ts'
import type { GoldenProfiles } from '../golden-profiles/golden-profiles.ts'
import type { Jobs, ListedJobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal/journal.ts'
import { whyOf, type Rooms } from '../rooms/rooms.ts'
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
} from './export-columns.ts'
import { presetColumns } from './export-presets.ts'
import type { Clock } from '../platform.ts'
import { deviceRecord, roomRecord } from './export-records.ts'
import { zonedTime, type ZonedTime } from './zoned-time.ts'

/** The content of a file: cells in batches, with formatted times. */
export interface ExportTable {
  readonly keys: readonly string[]
  readonly labels: readonly string[]
  readonly total: number
  /** Devices or rooms of the organization, without gone ones; of other lists `total`. */
  readonly all: number
  /** Epoch milliseconds; null: nothing was read yet. */
  readonly asOf: number | null
  /** The filter as typed, or the number of selected rows. */
  readonly rows: string
  readonly batches: AsyncIterable<readonly (readonly ExportValue[])[]>
  /** The same rows as `rows` or `records`: instead of `batches`. */
  readonly documents: Batches<unknown>
}
type Batches<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

export interface ExportSources {
  readonly clock: Pick<Clock, 'now'>
  readonly devices: Pick<Devices, 'all' | 'listed' | 'totals'>
  readonly rooms: Pick<Rooms, 'listed' | 'notOnline' | 'totals' | 'whole'>
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
    readonly judgedWith: (stages: readonly PrereleaseStage[]) => Promise<JudgedDevices>
  }>
}

const all = { start: 0, count: Infinity }
const batchRows = 500

/** Rejects with Failed `invalid` for an unusable filter, column or time zone. */
export async function exportTable(
  sources: ExportSources,
  { organizationId, session }: Omit<ExportFor, 'organizationName'>,
  request: Pick<ExportRequest, 'subject' | 'columns' | 'timeZone' | 'preset'> & {
    readonly format: (ExportRequest | OpenRequest)['format']
  },
): Promise<ExportTable> {
  const { subject, format } = request
  const isTable = format !== 'rows' && format !== 'records'
  const columns = isTable ? request.columns : null
  const zone = zonedTime(request.timeZone)
  const table = <Row>(
    chosen: readonly ExportColumn<Row>[],
    {
      batches,
      ...list
    }: Omit<ExportTable, 'keys' | 'labels' | 'batches' | 'documents' | 'all'> & {
      readonly batches: Batches<Row>
      readonly all?: number
      readonly documents?: Batches<unknown>
    },
  ): ExportTable => ({
    keys: chosen.map((one) => one.key),
    labels: chosen.map((one) => one.label),
    all: list.total,
    documents: batches,
    ...list,
    batches: cells(batches, chosen, zone),
  })
  switch (subject.of) {
    case 'devices': {
      const { selection, sort } = subject
      const { preset } = request
      const chosen = preset === undefined ? chosenColumns(deviceColumns, columns) : presetColumns(preset)
      const { count, asOf } = await sources.devices.totals(organizationId)
      const wordsOf = (total: number): string =>
        selection.kind === 'matching' ? selection.where : `${total} picked`
      if (format === 'records') {
        const { total, batches } = await sources.devices.all(organizationId, selection, sort)
        const documents = each(batches, deviceRecord)
        return table(chosen, { total, all: count, asOf, rows: wordsOf(total), batches, documents })
      }
      const { total, batches } = await sources.devices.listed(organizationId, selection, sort)
      return table(chosen, { total, all: count, asOf, rows: wordsOf(total), batches })
    }
    case 'rooms': {
      const chosen = chosenColumns(roomColumns, columns)
      const [{ rooms, words }, { count, asOf }] = await Promise.all([
        roomsOf(sources.rooms, organizationId, subject),
        sources.rooms.totals(organizationId),
      ])
      const named = chosen.some(({ key }) => key === 'notOnline' || key === 'why')
      const batches = withDevices(sources.rooms, organizationId, rooms, named)
      return table(chosen, {
        total: rooms.length,
        all: count,
        asOf,
        rows: words,
        batches,
        ...(format === 'records' ? { documents: wholeRooms(sources.rooms, organizationId, rooms) } : {}),
      })
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
      return table(chosen, { total, asOf, rows, batches: gathered(changes) })
    }
    case 'journal': {
      const isNamed = isTable && (columns?.some((key) => key.toLowerCase() === 'settings') ?? true)
      const names = isNamed ? await namesOrNone(session) : noSettingNames
      const chosen = chosenColumns(journalColumns(names), columns)
      const { where, subjectId, sort = [] } = subject
      const { total, batches } = await sources.journal.all(organizationId, { where, subjectId, sort })
      const rows = [where, subjectId === null ? '' : `of ${subjectId}`]
        .filter((part) => part !== '')
        .join(' · ')
      return table(chosen, {
        total,
        asOf: sources.clock.now(),
        rows,
        batches,
      })
    }
    case 'jobs': {
      const chosen = chosenColumns(jobColumns, columns)
      const { where = '', sort = [] } = subject
      const jobs = await sources.jobs.jobs(organizationId, where, sort)
      return table(chosen, {
        total: jobs.length,
        asOf: sources.clock.now(),
        rows: where,
        batches: [jobs],
      })
    }
    case 'rows': {
      const given = subject.columns.map((one, at) => ({
        ...one,
        value: (row: (typeof subject.rows)[number]): ExportValue => row[at] ?? null,
      }))
      const chosen = chosenColumns(given, columns)
      return table(chosen, {
        total: subject.rows.length,
        asOf: sources.clock.now(),
        rows: '',
        batches: inBatches(subject.rows),
      })
    }
    case 'job': {
      const chosen = chosenColumns(jobItemColumns, columns)
      const { total, batches } = await sources.jobs.items(organizationId, subject)
      const rows = [`job ${subject.id}`, subject.show ?? ''].filter((part) => part !== '').join(' · ')
      return table(chosen, {
        total,
        asOf: sources.clock.now(),
        rows,
        batches,
      })
    }
    case 'drift': {
      const { definitions, goldenProfiles } = await session()
      const names = settingNamesIn(await definitions.settingNames({ productIds: [] }))
      const chosen = chosenColumns(driftColumns(names), columns)
      const { profile } = subject
      const { rows: devices } = await (profile === null
        ? goldenProfiles.notAllowed(all)
        : goldenProfiles.devices({ ...profile, ...all }))
      return table(chosen, {
        total: devices.length,
        asOf: devices.reduce<number | null>(
          (oldest, { readAt }) => (readAt === null ? oldest : Math.min(oldest ?? readAt, readAt)),
          null,
        ),
        rows: [profile?.state ?? '', profile?.setting ?? ''].filter((part) => part !== '').join(' · '),
        batches: inBatches(devices),
      })
    }
    case 'plan': {
      const { definitions, jobs } = await session()
      const names = settingNamesIn(await definitions.settingNames({ productIds: [] }))
      const chosen = chosenColumns(plannedItemColumns(names), columns)
      const { items } = await jobs.planned({ plan: subject.plan, ...all })
      return table(chosen, {
        total: items.length,
        asOf: sources.clock.now(),
        rows: '',
        batches: inBatches(items),
      })
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

async function* cells<Row>(
  batches: Batches<Row>,
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
): AsyncIterable<readonly ExportedRoom[]> {
  for (const some of inBatches(rooms)) {
    const names = named ? await source.notOnline(organizationId, idsOf(some)) : null
    yield some.map((room) => {
      const notOnline = names?.get(room.id) ?? []
      return { ...room, notOnline, why: whyOf(room, notOnline) }
    })
  }
}

async function* wholeRooms(
  source: Pick<Rooms, 'whole'>,
  organizationId: string,
  rooms: readonly RoomRow[],
): AsyncIterable<readonly unknown[]> {
  for (const some of inBatches(rooms)) yield (await source.whole(organizationId, idsOf(some))).map(roomRecord)
}

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id)

async function* each<Row>(
  batches: AsyncIterable<readonly Row[]>,
  documentOf: (row: Row) => unknown,
): AsyncIterable<readonly unknown[]> {
  for await (const batch of batches) yield batch.map(documentOf)
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
