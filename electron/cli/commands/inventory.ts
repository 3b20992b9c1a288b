import { isKind } from '../../contract/failure.ts'
import { deviceLabel, deviceTitle, subjectOf } from '../../contract/device-name.ts'
import { changeFields } from '../../contract/fields/change.ts'
import { deviceFields } from '../../contract/fields/device.ts'
import type { ChangeRow } from '../../contract/api/changes.ts'
import type { DeviceRow } from '../../contract/api/devices.ts'
import type { ExportedRoom } from '../../contract/api/exports.ts'
import type { NoLatestOfSome } from '../../contract/firmware.ts'
import type { ProductNotCompared } from '../../contract/api/firmware.ts'
import { termsIn } from '../../contract/filter/filter-terms.ts'
import { changeVocabulary, deviceVocabulary, roomVocabulary } from '../../contract/filter/vocabularies.ts'
import { roomFields } from '../../contract/fields/room.ts'
import type { SyncState } from '../../contract/api/sync.ts'
import type { CoreClient } from '../core-client.ts'
import { momentTyped } from '../since.ts'
import { flag, show, text, type Command, type Terminal } from '../command.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import {
  asTable,
  groupByOption,
  groupColumnOf,
  showGroups,
  filterNotes,
  listingOptions,
  openList,
  presetOption,
  orderOf,
  rowsIn,
  sortOf,
  whereOf,
  writeRecords,
  writeTable,
} from '../listing.ts'
import { comparingText, sentence } from '../texts.ts'
import { includedStages, sayUnread, stageOptions } from '../stages.ts'
import { counted, moment, table } from '../table.ts'

export const inventoryCommands: readonly Command[] = [
  {
    name: 'sync',
    options: {
      'accept-gone': {
        type: 'string',
        help: 'marks what the last sync held as gone: so many devices and rooms',
      },
    },
    summary:
      'reads all devices and rooms of the organization, and compares their firmware with the catalogue',
    needsKey: true,
    run: async (core, given, terminal) => {
      const accepted = text(given, 'accept-gone')
      if (accepted !== null && !/^[1-9]\d{0,6}$/.test(accepted))
        throw new UsageError(`--accept-gone is a whole number above 0, not "${accepted}".`)
      const { report, left, notCompared, notes, lastFailure, held, nothingPublished } =
        await core.handlers.sync.runAndCompare({ acceptGone: accepted === null ? null : Number(accepted) })
      const { vendorId } = await core.handlers.organizations.current()
      const firmware = {
        nothingPublished,
        notCompared: notCompared.map(({ productId, productName, devices, failure, comparedAt }) => ({
          vendorId,
          productId,
          name: productName,
          devices,
          failure,
          comparedAt,
        })),
      }
      show(given, terminal, { ...report, firmware }, () => [
        report.complete
          ? 'Complete.'
          : report.held
            ? 'Not complete: so many are not listed that none were marked as gone.'
            : 'Not complete: data read so far is kept, and the next sync continues from there.',
        `Devices ${report.devices.read}, unreadable ${report.devices.unreadable}, gone ${report.devices.gone}.`,
        `Rooms ${report.rooms.read}, unreadable ${report.rooms.unreadable}, gone ${report.rooms.gone}.`,
        `${counted(report.calls, 'call')}, ${((report.finishedAt - report.startedAt) / 1000).toFixed(1)} s.`,
      ])
      if (held !== null) terminal.say(heldText(held))
      for (const note of notes) terminal.say(note)
      for (const one of notCompared) terminal.say(notComparedText(one))
      const failed = notCompared.filter(({ failure }) => !isKind(failure, 'invalid')).length
      const others = left - failed
      if (others > 0)
        terminal.say(
          `The firmware of ${others} ${others === 1 ? 'product' : 'products'} could not be read from the catalogue. Earlier data is used.`,
        )
      if (!report.complete && lastFailure !== null)
        terminal.say(flag(given, 'json') ? JSON.stringify(lastFailure) : sentence(lastFailure))
      const isAccepted = accepted === null || report.devices.gone + report.rooms.gone === Number(accepted)
      return report.complete && isAccepted && !nothingPublished && failed === 0 ? 0 : 4
    },
  },
  {
    name: 'devices',
    options: { ...listingOptions, ...presetOption, ...groupByOption(deviceFields), ...stageOptions },
    summary: 'lists the devices read by syncs, offline; without a filter, also those no longer listed',
    notes: filterNotes(
      deviceVocabulary,
      'names, serial numbers, MAC addresses, computers, users, products and rooms',
    ),
    run: async (core, given, terminal) => {
      await sayComparing(core, terminal)
      return sayUnread(await listDevices(core, given, terminal), terminal)
    },
  },
  {
    name: 'rooms',
    options: { ...listingOptions, ...groupByOption(roomFields) },
    summary: 'lists the meeting rooms read by syncs, offline',
    notes: filterNotes(roomVocabulary, 'names, locations and types'),
    run: async (core, given, terminal) => {
      await sayComparing(core, terminal)
      const where = whereOf(given, terminal, roomVocabulary) ?? ''
      const by = groupColumnOf(given, roomFields)
      if (by !== null) {
        const groups = await core.handlers.rooms.groups({ where, by })
        showGroups(given, terminal, groups, ['Rooms', 'Trouble or down'])
        return 0
      }
      const subject = { of: 'rooms', where, sort: sortOf(given, roomFields) } as const
      if (asTable(given)) {
        await writeTable(core, given, terminal, subject)
        return 0
      }
      if (flag(given, 'json') || flag(given, 'jsonl')) {
        const list = await openList(core, subject, 'records')
        await writeRecords(terminal, flag(given, 'jsonl'), headOf(list, 'rooms'), list)
        return 0
      }
      const list = await openList(core, subject, 'rows')
      const { all, asOf } = list
      const lines: (string | number | null)[][] = []
      for await (const batch of rowsIn<ExportedRoom>(list))
        for (const one of batch)
          lines.push([
            one.name ?? one.id,
            one.health,
            one.why,
            one.deviceCount === null ? null : `${one.onlineCount ?? 0}/${one.deviceCount}`,
            one.worstFirmware,
            one.location,
            one.seatCount,
            one.gone ? `gone ${moment(one.goneAt) ?? ''}` : one.status,
          ])
      terminal.print(
        lines.length > 0
          ? [
              ...table(['Room', 'Health', 'Why', 'Online', 'Firmware', 'Location', 'Seats', 'Status'], lines),
              `${countText(lines.length, all, text(given, 'where'), 'room')}, as of ${moment(asOf) ?? ''}`,
            ]
          : asOf === null
            ? 'No rooms have been read yet: headroom sync'
            : `No room of ${all} matches, as of ${moment(asOf) ?? ''}`,
      )
      return 0
    },
  },
  {
    name: 'changes',
    options: {
      ...listingOptions,
      since: {
        type: 'string',
        help: 'looked (since last marked as seen), or a time: 7d, yesterday, monday, 2026-11-20, 2026-11-20T08:00',
      },
      each: {
        type: 'boolean',
        help: 'lists personal devices that went on or off one by one, as a filter by kind: does; else one line sums them up',
      },
    },
    summary: 'lists the changes found by syncs, offline, newest first unless --sort is given',
    notes: filterNotes(
      changeVocabulary,
      'names, products, users, serial numbers, and values before and after',
    ),
    run: async (core, given, terminal) => {
      const where = whereOf(given, terminal, changeVocabulary) ?? ''
      const query = {
        where,
        since: sinceOf(text(given, 'since')),
        ...orderOf(given, changeFields),
      }
      if (asTable(given)) {
        await writeTable(core, given, terminal, { of: 'changes', ...query })
        return 0
      }
      const subject = { of: 'changes', ...query } as const
      if (flag(given, 'json') || flag(given, 'jsonl')) {
        const list = await openList(core, subject, 'rows')
        await writeRecords(terminal, flag(given, 'jsonl'), `{"total":${list.total},"changes":[`, list)
        return 0
      }
      const each = flag(given, 'each') || termsIn(where, changeVocabulary).some(({ key }) => key === 'kind')
      const listed = await openList(core, { ...subject, folded: !each }, 'rows')
      const { total } = each
        ? listed
        : await core.handlers.changes.slice({ where, since: query.since, group: null, start: 0, count: 0 })
      const onOff = total - listed.total
      const lines: (string | number | null)[][] = []
      for await (const batch of rowsIn<ChangeRow>(listed))
        for (const one of batch)
          lines.push([
            moment(one.observedAt),
            one.own ? `${one.kind} (own action)` : one.kind,
            deviceLabel(subjectOf(one)),
            [one.before, one.after].some((value) => value !== null)
              ? `${one.before ?? '–'} → ${one.after ?? '–'}`
              : null,
          ])
      terminal.print(
        total === 0
          ? 'Nothing changed.'
          : [
              ...(lines.length === 0 ? [] : table(['Seen', 'Change', 'Of', 'From → to'], lines)),
              ...(onOff === 0
                ? []
                : [`Personal devices went on or off ${counted(onOff, 'time')} (--each lists them)`]),
              counted(listed.total, 'change'),
            ],
      )
      return 0
    },
  },
]

/** Firmware results of a part look like those of the whole fleet. */
async function sayComparing(core: CoreClient, terminal: Terminal): Promise<void> {
  const comparing = await core.handlers.firmware.comparing()
  if (comparing !== null) terminal.say(comparingText(comparing))
}

/** Returns the number of products whose releases were never read. */
async function listDevices(core: CoreClient, given: ParsedCommand, terminal: Terminal): Promise<number> {
  const stages = includedStages(given)
  const filter = whereOf(given, terminal, deviceVocabulary)
  const by = groupColumnOf(given, deviceFields)
  if (by !== null) {
    const { groups, unread } = await core.handlers.devices.groups({
      where: filter ?? '',
      by,
      ...(stages === null ? {} : { stages }),
    })
    showGroups(given, terminal, groups, ['Devices', 'Behind or revoked'])
    return unread
  }
  // Without a filter gone devices are listed too, marked as gone: their last known data is kept.
  const selection = { kind: 'matching', where: filter ?? 'gone:any', except: [] } as const
  const subject = { of: 'devices', selection, sort: sortOf(given, deviceFields) } as const
  if (asTable(given)) return writeTable(core, given, terminal, subject, stages)
  if (flag(given, 'json') || flag(given, 'jsonl')) {
    const list = await openList(core, subject, 'records', stages)
    await writeRecords(terminal, flag(given, 'jsonl'), headOf(list, 'devices'), list)
    return list.unread
  }
  const list = await openList(core, subject, 'rows', stages)
  const { total, all, asOf } = list
  const rows: (string | number | null)[][] = []
  for await (const batch of rowsIn<DeviceRow>(list))
    for (const one of batch)
      rows.push([
        deviceTitle(one),
        one.productName,
        one.serialNumber,
        [one.firmwareVersion, complianceText(one.firmware)].filter((word) => word !== null).join(', '),
        one.gone ? `gone ${moment(one.goneAt) ?? ''}` : one.status,
        moment(one.lastSeenAt),
      ])
  terminal.print(
    rows.length > 0
      ? [
          ...table(['User or room', 'Product', 'Serial', 'Firmware', 'Status', 'Last seen'], rows),
          `${countText(total, all, text(given, 'where'), 'device')}, as of ${moment(asOf) ?? ''}`,
        ]
      : asOf === null
        ? 'No devices have been read yet: headroom sync'
        : `No device of ${all} matches, as of ${moment(asOf) ?? ''}`,
  )
  return list.unread
}

const noLatestLabels: Readonly<Record<NoLatestOfSome, string>> = {
  'all-revoked': 'all releases revoked',
  'no-public-release': 'no public release',
  'no-readable-version': 'releases cannot be compared',
  'bundles-differ': 'bundles name different versions',
}

const complianceText = ({ word, by, why, service }: DeviceRow['firmware']): string => {
  const label = by !== null ? `${by} behind` : why === null ? word : `unknown: ${noLatestLabels[why]}`
  return service === undefined
    ? label
    : service === 'decides'
      ? `${label} (service)`
      : `${label}, disputed by the service`
}

function heldText({ devices, rooms }: NonNullable<SyncState['held']>): string {
  const kinds = [
    { name: 'devices', ...devices },
    { name: 'rooms', ...rooms },
  ].filter(({ listed, known }) => listed < known)
  const missing = kinds.reduce((sum, { listed, known }) => sum + known - listed, 0)
  return `The service listed ${kinds.map(({ name, listed, known }) => `${listed} of ${known} ${name}`).join(' and ')}. Sync again. If the others are gone: headroom sync --accept-gone ${missing}`
}

const notComparedText = ({
  productId,
  productName,
  devices,
  failure,
  comparedAt,
}: ProductNotCompared): string =>
  `The firmware of ${productName ?? 'a product without a name'} (product id ${productId}, ${counted(devices, 'device')}) was not compared. ${sentence(failure)}${comparedAt === null ? '' : ` The result of ${moment(comparedAt) ?? ''} remains.`}`

const headOf = (
  { asOf, total }: { readonly asOf: number | null; readonly total: number },
  of: string,
): string => `{"asOf":${JSON.stringify(asOf)},"total":${total},"${of}":[`

const countText = (total: number, all: number, where: string | null, what: string): string =>
  where === null ? counted(total, what) : `${total} of ${counted(all, what)}`

const sinceOf = (since: string | null): number | 'looked' | null =>
  since === null || since === 'looked' ? since : momentTyped(since, Date.now())
