import { Failed, type Failure } from '../../contract/failure.ts'
import type { Device, DeviceSelection } from '../../contract/api/devices.ts'
import { roomVocabulary } from '../../contract/filter/filter-words.ts'
import type { Room, RoomDevice } from '../../contract/api/rooms.ts'
import type { RebootDevice, RebootPlan, WriteReport } from '../../contract/api/writes.ts'
import type { JobItem, SkipReason } from '../../contract/api/jobs.ts'
import type { Jobs } from '../../core/jobs/jobs.ts'
import type { Core } from '../../core/app.ts'
import { quoted } from '../../contract/filter/filter-reader.ts'
import { flag, show, type Command, type ExitCode, type Terminal } from '../command.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import { planAndRun, refuseUnready } from '../job-run.ts'
import { asksForJob, canaryOption, jobOptions, termsOf } from '../job-terms.ts'
import { filterNotes, writtenWhereOf } from '../listing.ts'
import { sentence } from '../sentences.ts'
import { counted, moment, table } from '../table.ts'
import { each, jobDesk } from './jobs.ts'

/** What `reboot --json` prints. `reason`: the kind of the failure, whose whole is on standard error. */
interface RebootDocument {
  readonly room: string
  readonly outcome: WriteReport['outcome']
  readonly reason: string | null
  readonly earliestAt: number | null
}

export const roomCommands: readonly Command[] = [
  {
    name: 'room',
    operands: ['ROOM'],
    options: {},
    summary: 'one room with its devices, by id, group id or name, without the network',
    run: async (core, given, terminal) => {
      const { id } = await core.sessions.currentOrganization()
      const room = await core.shared.rooms.find(id, await roomId(core, given.operands[0] ?? ''))
      show(given, terminal, room, () => roomText(room))
      return 0
    },
  },
  {
    name: 'device',
    operands: ['DEVICE'],
    options: {},
    summary: 'one device, by id, serial number or name, without the network',
    run: async (core, given, terminal) => {
      const device = await deviceOf(core, given.operands[0] ?? '')
      show(given, terminal, device, () => deviceText(device))
      return 0
    },
  },
  {
    name: 'reboot',
    operands: ['[ROOM]…'],
    options: {
      ...jobOptions,
      ...canaryOption,
      where: {
        type: 'string',
        help: 'all rooms that match, a filter as of the command rooms: \'location:"Aarhus" health:trouble\'',
      },
      'no-wait': {
        type: 'boolean',
        help: 'one room: end at once where a device was written to within the last minute',
      },
    },
    summary: 'restarts every device of one or several rooms; several are a job (headroom jobs)',
    notes: filterNotes(roomVocabulary, 'names, locations and types'),
    needsKey: true,
    run: async (core, given, terminal) => {
      const where = writtenWhereOf(given, terminal, roomVocabulary)
      if (given.operands.length === 0 && where === null)
        throw new UsageError('reboot needs a ROOM, or --where.')
      if (given.operands.length > 0 && where !== null)
        throw new UsageError('reboot: name rooms, or say --where, not both.')
      if (given.operands.length === 1 && !asksForJob(given)) return reboot(core, given, terminal)
      if (flag(given, 'no-wait'))
        throw new UsageError('--no-wait belongs to the reboot of one room; a job waits by itself.')
      const terms = termsOf(given, Date.now())
      const session = await jobDesk(core)
      // Nothing matches where nothing is known: that is no good end.
      if (
        where !== null &&
        (await core.shared.rooms.standing((await core.sessions.currentOrganization()).id)).count === 0
      )
        throw new UsageError('reboot: no room was read yet. headroom sync reads them.')
      refuseUnready(session, given, 'reboot restarts every device of the rooms')
      const selection: DeviceSelection =
        where === null
          ? { kind: 'picked', ids: await each(given.operands, (room) => knownRoomId(core, room)) }
          : { kind: 'matching', where, except: [] }
      return planAndRun(
        session,
        { work: { kind: 'reboot-rooms', of: 'rooms', selection }, ...terms },
        given,
        terminal,
      )
    },
  },
]

/** A job is planned from what is known: a room nobody has read is no part of it. Rejects with Failed `not-found`. */
async function knownRoomId(core: Core, what: string): Promise<string> {
  const { id } = await core.sessions.currentOrganization()
  return (await core.shared.rooms.find(id, await roomId(core, what))).id
}

async function reboot(core: Core, given: ParsedCommand, terminal: Terminal): Promise<ExitCode> {
  if (flag(given, 'dry-run')) {
    const { unanswered: _, ...plan } = await core.handlers.rooms.rebootPlan({
      id: await roomId(core, given.operands[0] ?? ''),
    })
    show(given, terminal, plan, () => planText(plan))
    return plan.problem === null ? 0 : 4
  }
  if (!flag(given, 'yes'))
    throw new UsageError(
      'reboot restarts every device of the room: look with --dry-run, then say --yes --unlock.',
    )
  let room = given.operands[0] ?? ''
  try {
    room = await roomId(core, room)
    return tell(given, terminal, room, await rebootOne(core, room, given, terminal))
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    // Nothing was sent: whoever reads the document is told so too.
    return tell(given, terminal, room, {
      outcome: 'refused',
      failure: error.failure,
      earliestAt: null,
      journalId: null,
    })
  }
}

/** A job of this one room, until the service has answered: what is seen of the room afterwards is not waited for. Rejects with Failed before anything is sent. */
async function rebootOne(
  core: Core,
  room: string,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<WriteReport> {
  const { jobs, unlocked } = await jobDesk(core)
  const unlock = flag(given, 'unlock')
  if (!unlock && !unlocked()) throw new Failed({ kind: 'writes-locked' })
  const plan = await jobs.plan({
    work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [room] } },
    startAt: null,
    window: null,
    keepTrying: false,
    canary: false,
  })
  const [planned] = (await jobs.planned({ plan: plan.id, start: 0, count: 1 })).items
  if (planned !== undefined && planned.skipped !== null) throw refusalOf(planned.skipped, planned.target)
  const waits = planned?.earliestAt ?? null
  if (waits !== null && flag(given, 'no-wait'))
    return { outcome: 'waiting', failure: null, earliestAt: waits, journalId: null }
  const { id } = await jobs.start({ plan: plan.id, unlock, typed: plan.typeNumber })
  terminal.goesOnWith([
    'jobs',
    'resume',
    id,
    '--unlock',
    '--no-watch',
    ...(flag(given, 'json') ? ['--json'] : []),
  ])
  return answerOf(jobs, id, flag(given, 'no-wait'), terminal)
}

/** What the service said to the one item. The job is ended with it: a room that nobody watches is told as not watched, and nothing is left behind. */
async function answerOf(jobs: Jobs, id: string, noWait: boolean, terminal: Terminal): Promise<WriteReport> {
  let wake = (): void => undefined
  let waitsUntil: number | null = null
  const stops = [
    jobs.onChange((ids) => {
      if (ids.includes(id)) wake()
    }),
    terminal.onInterrupt(() => void jobs.cancel(id)),
  ]
  try {
    for (let report: WriteReport | null = null; ;) {
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const { state } = await jobs.get(id)
      const [item] = (await jobs.items({ id, show: null, start: 0, count: 1 })).items
      if (report === null && item !== undefined) {
        report = reportOf(item, noWait)
        if (report !== null && state !== 'ended') await jobs.cancel(id)
        else if (item.state === 'queued' && item.earliestAt !== null && item.earliestAt !== waitsUntil) {
          waitsUntil = item.earliestAt
          terminal.say(
            `A device of this room was written to less than a minute ago: waiting until ${time(waitsUntil)}.`,
          )
        }
      }
      if (report !== null && (await jobs.get(id)).state === 'ended') return report
      await changed
    }
  } finally {
    for (const stop of stops) stop()
  }
}

/** null: it waits for the minute of its devices or its turn, or is being sent. */
function reportOf(item: JobItem, noWait: boolean): WriteReport | null {
  const { state, outcome, detail, failure, earliestAt, journalId, target } = item
  if (state === 'watching' || outcome === 'done')
    return { outcome: 'accepted', failure: null, earliestAt: null, journalId }
  const why = failure ?? (detail === null ? null : failureOfDetail(detail, target))
  if (state === 'ended' || (state === 'queued' && why !== null))
    return {
      outcome: outcome === 'unknown' || why?.kind === 'unconfirmed' ? 'unconfirmed' : 'refused',
      failure: why ?? { kind: 'cancelled' },
      earliestAt: null,
      journalId,
    }
  if (noWait && state === 'queued' && earliestAt !== null)
    return { outcome: 'waiting', failure: null, earliestAt, journalId: null }
  return null
}

const failureOfDetail = (detail: NonNullable<JobItem['detail']>, target: JobItem['target']): Failure =>
  detail === 'nothing-online' || detail === 'members-unknown'
    ? refusalOf(detail, target).failure
    : { kind: 'cancelled' }

function refusalOf(reason: SkipReason, { id, name }: JobItem['target']): Failed {
  const invalid = (message: string): Failed => new Failed({ kind: 'invalid', field: 'room', message })
  if (reason === 'nothing-online')
    return invalid('Nothing in this room is online, so there is nothing to reboot.')
  if (reason === 'members-unknown')
    return invalid('It is not known which devices stand in this room, so it is not rebooted.')
  return new Failed({
    kind: 'not-found',
    call: { operation: 'GetRoom', host: 'management interface' },
    what: name ?? id,
  })
}

function tell(
  given: ParsedCommand,
  terminal: Terminal,
  room: string,
  { outcome, failure, earliestAt }: WriteReport,
): ExitCode {
  const document: RebootDocument = {
    room,
    outcome,
    reason: failure?.kind ?? null,
    earliestAt: earliestAt ?? heldUntil(failure),
  }
  show(given, terminal, document, () => sentenceOf(given.operands[0] ?? room, document))
  if (failure !== null) terminal.say(flag(given, 'json') ? JSON.stringify(failure) : sentence(failure))
  return outcome === 'accepted' ? 0 : outcome === 'waiting' ? 4 : 3
}

/** To the second: a minute is what it is about. */
const time = (at: number | null): string =>
  at === null ? 'now' : new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(at)

/** The service's own word on when to come back. */
const heldUntil = (failure: Failure | null): number | null =>
  failure?.kind === 'rate-limited' ? failure.untilAt : null

function sentenceOf(room: string, { outcome, earliestAt }: RebootDocument): string {
  switch (outcome) {
    case 'accepted':
      return `${room} reboots: the service accepted it. headroom sync tells when its devices are back.`
    case 'waiting':
      return `${room} was not rebooted: a device of it was written to less than a minute ago. Possible from ${time(earliestAt)} on.`
    case 'unconfirmed':
      return `${room} may have been rebooted: no answer came. Check before trying again; it is never repeated by itself.`
    case 'refused':
      return `${room} was not rebooted.`
  }
}

/** By id, by the group id of any of its devices, or by its whole name; else as given, for the service may know it. */
async function roomId(core: Core, what: string): Promise<string> {
  const { rooms } = core.shared
  const { id } = await core.sessions.currentOrganization()
  try {
    return (await rooms.find(id, what)).id
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== 'not-found') throw error
  }
  const query = { where: quoted(what), sort: [], start: 0, count: 500 }
  const named = (await rooms.list(id, query)).rows.filter(
    (row) => row.name?.toLowerCase() === what.toLowerCase(),
  )
  if (named.length > 1)
    throw new UsageError(
      `${named.length} rooms are called "${what}": say which by id (${named.map((row) => row.id).join(', ')}).`,
    )
  return named[0]?.id ?? what
}

/** A device by its id, or by a serial number or name that only one device has. Rejects with Failed `not-found`. */
export async function deviceOf(core: Core, what: string): Promise<Device> {
  const { devices } = core.shared
  const { id } = await core.sessions.currentOrganization()
  try {
    return await devices.get(id, what)
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== 'not-found') throw error
  }
  const { rows } = await devices.window(id, {
    where: `${quoted(what)} gone:any`,
    sort: [],
    start: 0,
    count: 500,
  })
  const same = (text: string | null): boolean => text?.toLowerCase() === what.toLowerCase()
  const found = rows.filter((row) => same(row.serialNumber) || same(row.name))
  if (found.length > 1)
    throw new UsageError(
      `${found.length} devices are called "${what}": say which by id (${found.map((row) => row.id).join(', ')}).`,
    )
  if (found[0] === undefined) throw new Failed({ kind: 'not-found', call: null, what })
  return devices.get(id, found[0].id)
}

/** A device of a plan says where the service does not list it in the room now. */
export const deviceTable = (
  devices: readonly (RoomDevice & Partial<Pick<RebootDevice, 'listedNow'>>)[],
): string[] =>
  table(
    ['Device', 'Product', 'Firmware', 'Status', 'Id'],
    devices.map((one) => [
      one.name,
      one.productName,
      one.firmwareVersion,
      one.listedNow === false ? `${one.status}, not listed now` : one.status,
      one.id,
    ]),
  )

function planText({ room, devices, earliestAt, cost, problem }: Omit<RebootPlan, 'unanswered'>): string[] {
  const problems = {
    'nothing-online': 'Nothing in this room is online: it would not be rebooted.',
    'members-unknown': 'It is not known which devices stand in this room: it would not be rebooted.',
  }
  return [
    `${room.name ?? room.id}: ${counted(devices.length, 'device')} ${devices.length === 1 ? 'restarts' : 'restart'}.`,
    ...(devices.length === 0 ? [] : deviceTable(devices)),
    earliestAt === null
      ? 'Possible now.'
      : `Possible from ${time(earliestAt)} on: a device of it was written to less than a minute ago.`,
    `${counted(cost.calls, 'call')}, ${(cost.shareOfWindow * 100).toFixed(2)} % of the window.`,
    ...(problem === null ? [] : [problems[problem]]),
  ]
}

const lines = (facts: readonly (readonly [string, string | number | null])[]): string[] =>
  facts.map(([name, value]) => `${name.padEnd(12)}${value ?? '–'}`)

function roomText(room: Room): string[] {
  return [
    ...lines([
      ['Room', room.name],
      ['Id', room.id],
      ['Group ids', room.groupIds.join(', ')],
      ['Location', room.location],
      ['Type', room.type],
      ['Seats', room.seatCount],
      ['Status', room.gone ? `gone ${moment(room.goneAt) ?? ''}` : room.status],
      ['As of', moment(room.observedAt)],
    ]),
    '',
    ...(room.devices === null ? ['Nothing is known of its devices.'] : deviceTable(room.devices)),
  ]
}

function deviceText(device: Device): string[] {
  return lines([
    ['Device', device.name],
    ['Id', device.id],
    ['Product', device.productName],
    ['Serial', device.serialNumber],
    ['Firmware', device.firmwareVersion],
    ['Status', device.gone ? `gone ${moment(device.goneAt) ?? ''}` : device.status],
    ['Last seen', moment(device.lastSeenAt)],
    ['Room', device.room?.name ?? null],
    ['Group id', device.groupId],
    ['Computer', device.computer?.name ?? null],
    ['User', device.computer?.userName ?? null],
    ['As of', moment(device.observedAt)],
  ])
}
