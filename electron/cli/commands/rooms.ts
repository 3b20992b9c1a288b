import { deviceLabel, devicesIn, deviceTitle } from '../../contract/device-name.ts'
import { Failed, foundOrNull, isKind } from '../../contract/failure.ts'
import type { Device, DeviceSelection } from '../../contract/api/devices.ts'
import { siteSeparators } from '../../contract/note.ts'
import { roomVocabulary } from '../../contract/filter/vocabularies.ts'
import type { Room, RoomDevice } from '../../contract/api/rooms.ts'
import type { JobPlan, PlannedItem, SkipReason } from '../../contract/api/jobs.ts'
import { flag, show, text, type Command, type ExitCode, type Terminal } from '../command.ts'
import type { CoreClient } from '../core-client.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import { planAndRun, refuseUnready } from '../job-run.ts'
import { alsoInText } from '../job-tables.ts'
import { asksForJob, firstOf, jobOptions, termsOf } from '../job-terms.ts'
import { filterNotes, writtenWhereOf } from '../listing.ts'
import { notBegun, rebootOf, rebootOne, refusalOf, tell, time } from '../reboot-one.ts'
import { counted, moment, table, type Line, type TableLine } from '../table.ts'
import { each } from './jobs.ts'

/** The output of `reboot --dry-run` for one room. */
interface PlannedReboot
  extends Pick<JobPlan, 'organization' | 'cost' | 'alsoIn' | 'lock'>, Pick<PlannedItem, 'earliestAt'> {
  readonly room: { readonly id: string; readonly name: string | null }
  /**
   * `listedNow` false: the service no longer lists the device in the room, where it was known before, so it
   * may go down as well.
   */
  readonly devices: readonly (RoomDevice & { readonly listedNow: boolean })[]
  /** Why the room would not be rebooted. */
  readonly problem: Extract<SkipReason, 'nothing-online' | 'members-unknown'> | null
}

const removeOption = { remove: { type: 'boolean', help: 'removes it; without TEXT' } } as const

/** The value to store; null: remove it. */
function writtenOf(given: ParsedCommand): string | null {
  const written = given.operands[1] ?? null
  if ((written === null) !== flag(given, 'remove'))
    throw new UsageError(`${given.shape.name}: use either TEXT or --remove.`)
  return written
}

/** A command that stores a technician's text for a room. */
const ownText = (
  name: string,
  summary: string,
  keep: (rooms: CoreClient['handlers']['rooms'], id: string, written: string | null) => Promise<Room>,
): Command => ({
  name,
  operands: ['ROOM', '[TEXT]'],
  options: removeOption,
  summary,
  run: async (core, given, terminal) => {
    const written = writtenOf(given)
    const room = await keep(core.handlers.rooms, await knownRoomId(core, given.operands[0] ?? ''), written)
    return show(given, terminal, room, () => roomText(room))
  },
})

export const roomCommands: readonly Command[] = [
  {
    name: 'room',
    operands: ['ROOM'],
    summary: 'shows one room with its devices, by id, group id or name, offline',
    run: async (core, given, terminal) => {
      const room = await core.handlers.rooms.find({ text: given.operands[0] ?? '' })
      return show(given, terminal, room, () => roomText(room))
    },
  },
  {
    name: 'device',
    operands: ['DEVICE'],
    summary: 'shows one device, by id, serial number or name, offline',
    run: async (core, given, terminal) => {
      const device = await core.handlers.devices.find({ text: given.operands[0] ?? '' })
      return show(given, terminal, device, () => deviceText(device))
    },
  },
  ownText('room note', 'sets the note of a room, on this computer', (api, id, note) =>
    api.setNote({ id, note }),
  ),
  ownText(
    'room site',
    'sets the site of a room, on this computer, instead of the site from its record',
    (api, id, site) => api.setSite({ id, site }),
  ),
  {
    name: 'room sites',
    options: {
      before: {
        type: 'string',
        help: `read sites from the text before this character: ${siteSeparators.join('')}`,
      },
      none: { type: 'boolean', help: 'do not read sites from names' },
    },
    summary: 'shows which sites the names of rooms without a location contain, and sets the separator',
    run: async (core, given, terminal) => {
      const before = text(given, 'before')
      const separator = siteSeparators.find((one) => one === before) ?? null
      if (before !== null && (separator === null || flag(given, 'none')))
        throw new UsageError(
          `room sites: --before takes one of "${siteSeparators.join('')}", without --none.`,
        )
      const { rooms } = core.handlers
      const sites =
        before === null && !flag(given, 'none') ? await rooms.sites() : await rooms.chooseSites({ separator })
      return show(given, terminal, sites, () => [
        sites.separator === null
          ? 'Sites are not read from names.'
          : `Sites are read from the text before "${sites.separator}".`,
        ...table(
          ['Before', 'Rooms', 'Sites', 'Such as'],
          sites.offers.map((one) => [`"${one.separator}"`, one.rooms, one.sites, one.examples.join(', ')]),
        ),
      ])
    },
  },
  {
    name: 'device note',
    operands: ['DEVICE', '[TEXT]'],
    options: removeOption,
    summary: 'sets the note of a device, on this computer',
    run: async (core, given, terminal) => {
      const note = writtenOf(given)
      const { id } = await core.handlers.devices.find({ text: given.operands[0] ?? '' })
      const device = await core.handlers.devices.setNote({ id, note })
      return show(given, terminal, device, () => deviceText(device))
    },
  },
  {
    name: 'reboot',
    operands: ['[ROOM]…'],
    options: {
      ...jobOptions,
      canary: { type: 'boolean', help: 'one room first, the others once it is back online' },
      first: { type: 'string', help: 'this room first, as with --canary' },
      'skip-in-jobs': { type: 'boolean', help: 'leave out rooms with a device in another job' },
      where: {
        type: 'string',
        help: 'all rooms that match a filter, as in the command rooms: \'location:"Aarhus" health:trouble\'',
      },
      'no-wait': {
        type: 'boolean',
        help: 'one room: end immediately if an action was sent to one of its devices within the last minute',
      },
      watch: { type: 'boolean', help: 'one room: wait until it is back online, up to 10 minutes' },
    },
    summary: 'restarts all devices of one or more rooms; several rooms are a job (headroom jobs)',
    notes: filterNotes(roomVocabulary, 'names, locations and types'),
    needsKey: true,
    run: async (core, given, terminal) => {
      const where = writtenWhereOf(given, terminal, roomVocabulary)
      if (given.operands.length === 0 && where === null)
        throw new UsageError('reboot needs a ROOM, or --where.')
      if (given.operands.length > 0 && where !== null)
        throw new UsageError('reboot: use either room names or --where.')
      if (given.operands.length === 1 && !asksForJob(given)) return reboot(core, given, terminal)
      if (flag(given, 'no-wait'))
        throw new UsageError('--no-wait works only with one room; a job waits automatically.')
      if (flag(given, 'watch'))
        throw new UsageError(
          '--watch works only with one room; a job is watched unless --no-watch or --detach is given.',
        )
      const terms = termsOf(given, Date.now())
      // Nothing was synced yet: an error and not an empty success.
      if (where !== null && (await core.handlers.app.status()).roomCount === 0)
        throw new UsageError('reboot: no rooms have been read yet. headroom sync reads them.')
      await refuseUnready(core, given, 'reboot restarts every device of the rooms')
      const selection: DeviceSelection =
        where === null
          ? { kind: 'picked', ids: await each(given.operands, (room) => knownRoomId(core, room)) }
          : { kind: 'matching', where, except: [] }
      const first = await firstOf(given, (room) => knownRoomId(core, room))
      return planAndRun(
        core,
        {
          work: {
            kind: 'reboot-rooms',
            of: 'rooms',
            selection,
            ...(flag(given, 'skip-in-jobs') ? { withoutOthers: true } : {}),
          },
          ...terms,
          ...first,
        },
        given,
        terminal,
      )
    },
  },
]

/**
 * A job is planned from known data: it cannot contain a room that was never read. Rejects with Failed
 * `not-found`.
 */
const knownRoomId = async (core: CoreClient, typed: string): Promise<string> =>
  (await core.handlers.rooms.find({ text: typed })).id

async function reboot(core: CoreClient, given: ParsedCommand, terminal: Terminal): Promise<ExitCode> {
  if (flag(given, 'dry-run')) {
    const plan = await plannedReboot(core, await roomId(core, given.operands[0] ?? ''))
    show(given, terminal, plan, () => planText(plan))
    return plan.problem === null ? 0 : 4
  }
  if (!flag(given, 'yes')) {
    const { name } = await core.handlers.organizations.current()
    // A name that is a part of others is told first.
    await roomId(core, given.operands[0] ?? '')
    throw new UsageError(
      `reboot restarts every device of the room (${name}): check with --dry-run, then add --yes --unlock.`,
    )
  }
  const [typed = ''] = given.operands
  let room = typed
  try {
    room = await roomId(core, typed)
    const ended = await rebootOne(core, room, given, terminal)
    const code = tell(given, terminal, room, typed, ended)
    // Only an owner that was lost leaves a part of the command unknown.
    return ended.outcome === 'unconfirmed' && core.owner().changes > 0 ? 4 : code
  } catch (error) {
    // A key was typed in the wrong place: it is repeated nowhere.
    if (!(error instanceof Failed) || (isKind(error.failure, 'invalid') && error.failure.field === 'text'))
      throw error
    // Nothing was sent: the document says so too. What is no known room may be a key as well.
    const shown = room === typed ? await core.handlers.organizations.withoutKeys({ text: typed }) : typed
    const refused = { ...notBegun, outcome: 'refused', failure: error.failure } as const
    return tell(given, terminal, room === typed ? shown : room, shown, refused)
  }
}

/**
 * The plan of one room as `--dry-run` prints it; devices that the plan does not describe are taken from the
 * store. Rejects with Failed.
 */
async function plannedReboot(core: CoreClient, room: string): Promise<PlannedReboot> {
  const { jobs } = core.handlers
  const plan = await jobs.plan(rebootOf(room))
  const [item] = (await jobs.planned({ plan: plan.id, start: 0, count: 1 })).items
  if (item === undefined) throw new Error('A plan of one room without an item')
  const { target, skipped } = item
  if (skipped !== null && skipped !== 'nothing-online' && skipped !== 'members-unknown')
    throw refusalOf(skipped, target)
  const known = await core.handlers.rooms.get({ id: target.id })
  return {
    organization: plan.organization,
    room: { id: target.id, name: target.name },
    devices: item.devices.map((device) => deviceIn(device, known.devices ?? [], plan.madeAt)),
    earliestAt: item.earliestAt,
    cost: plan.cost,
    alsoIn: plan.alsoIn,
    problem: skipped,
    lock: plan.lock,
  }
}

function deviceIn(
  { id, name, status, listedNow }: PlannedItem['devices'][number],
  known: readonly RoomDevice[],
  observedAt: number,
): PlannedReboot['devices'][number] {
  const unknown = {
    name: name === id ? null : name,
    productName: null,
    serialNumber: null,
    firmwareVersion: null,
    firmwareStatus: null,
    firmware: null,
    lastSeenAt: null,
    observedAt,
  }
  return {
    id,
    ...unknown,
    ...known.find((device) => device.id === id),
    status,
    listedNow: listedNow !== false,
  }
}

/** Else as given, because the service may know it. */
const roomId = async (core: CoreClient, typed: string): Promise<string> =>
  (await foundOrNull(core.handlers.rooms.find({ text: typed })))?.id ?? typed

const firmwareText = ({
  firmwareVersion,
  firmwareReadAt = null,
}: {
  readonly firmwareVersion: string | null
  readonly firmwareReadAt?: number | null
}): string | null =>
  firmwareReadAt === null
    ? firmwareVersion
    : `${firmwareVersion ?? ''} (reported by the device ${moment(firmwareReadAt) ?? ''})`

/** A device of a plan, with whether the service still lists it in the room. */
export const deviceTable = (room: {
  readonly name: string | null
  readonly devices: readonly (RoomDevice & { readonly listedNow?: boolean })[] | null
}): TableLine[] =>
  table(
    ['Device', 'Firmware', 'Status', 'Id'],
    devicesIn(room).map((one) => [
      deviceLabel(one),
      firmwareText(one),
      one.listedNow === false ? `${one.status}, not listed now` : one.status,
      one.id,
    ]),
  )

function planText(plan: PlannedReboot): Line[] {
  const { organization, room, devices, earliestAt, cost, problem } = plan
  const problems = {
    'nothing-online': 'No device in this room is online, so it would not be rebooted.',
    'members-unknown': 'It is not known which devices are in this room, so it would not be rebooted.',
  }
  return [
    `${room.name ?? room.id} (${organization.name}): ${counted(devices.length, 'device')} ${devices.length === 1 ? 'restarts' : 'restart'}.`,
    ...alsoInText(plan.alsoIn, 'reboot-rooms', 1),
    ...(devices.length === 0 ? [] : deviceTable({ name: room.name, devices })),
    earliestAt === null
      ? 'Possible now.'
      : `Possible from ${time(earliestAt)} on: an action was sent to one of its devices less than a minute ago.`,
    `${counted(cost.calls, 'call')}, ${(cost.shareOfWindow * 100).toFixed(2)}% of the calls allowed in five minutes.`,
    ...(problem === null ? [] : [problems[problem]]),
  ]
}

const lines = (facts: readonly (readonly [string, string | number | null])[]): string[] =>
  facts.map(([name, value]) => `${name.padEnd(12)}${value ?? '–'}`)

function roomText(room: Room): Line[] {
  return [
    ...lines([
      ['Room', room.name],
      ['Id', room.id],
      ['Group ids', room.groupIds.join(', ')],
      ['Location', room.location],
      ['Site', room.site],
      ['Type', room.type],
      ['Seats', room.seatCount],
      ['Status', room.gone ? `gone ${moment(room.goneAt) ?? ''}` : room.status],
      ['Note', room.note ?? null],
      ['As of', moment(room.observedAt)],
    ]),
    '',
    ...(room.devices === null ? ['No data about its devices.'] : deviceTable(room)),
  ]
}

function deviceText(device: Device): string[] {
  return lines([
    ['Device', deviceTitle(device)],
    ['Name', device.name],
    ['Id', device.id],
    ['Product', device.productName],
    ['Serial', device.serialNumber],
    ['Firmware', firmwareText(device)],
    ['Status', device.gone ? `gone ${moment(device.goneAt) ?? ''}` : device.status],
    ['Last seen', moment(device.lastSeenAt)],
    ['Room', device.room?.name ?? null],
    ['Group id', device.groupId],
    ['Computer', device.computer?.name ?? null],
    ['User', device.computer?.userName ?? null],
    ['Note', device.note ?? null],
    ['As of', moment(device.observedAt)],
  ])
}
