import type { Device } from '../../../electron/contract/api/devices.ts'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import { journalOperationWords, journalVocabulary } from '../../../electron/contract/filter/filter-words.ts'
import type { JournalLine } from '../../../electron/contract/api/journal.ts'
import type { Room } from '../../../electron/contract/api/rooms.ts'
import type { DeviceSettings, Setting } from '../../../electron/contract/api/settings.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import type { Announce } from '../../../electron/core/announcer.ts'
import type { RebootPlan, WriteLock, WriteReport } from '../../../electron/contract/api/writes.ts'
import { matching, type Field, type Reader } from './filtering.ts'

const HOST = 'api.cloud.jabra.com'
const lineFields: Readonly<Record<string, (line: JournalLine) => Field>> = {
  outcome: (line) => [
    line.outcome === 'refused' && line.status === null ? 'not-sent' : (line.outcome ?? 'unknown'),
  ],
  operation: ({ operation }) => [
    operation,
    ...Object.entries(journalOperationWords).flatMap(([word, named]) => (named === operation ? [word] : [])),
  ],
  of: (line) => [line.target.of],
  name: (line) => [line.target.name],
  who: (line) => [line.who],
  age: (line) => [line.startedAt],
  before: (line) => [line.before],
  after: (line) => [line.after],
  status: (line) => [line.status],
  message: (line) => [line.message],
  devices: (line) => [line.deviceIds.length],
  id: (line) => [line.target.id, ...line.deviceIds],
  job: (line) => [line.jobId ?? null],
  line: (line) => [line.id],
}
const lineField: Reader<JournalLine> = (line, key) => lineFields[key]?.(line) ?? []
const lineWords = (line: JournalLine): Field => [
  line.operation,
  line.target.name,
  line.target.id,
  line.who,
  line.message,
  line.before,
  line.after,
  ...line.deviceIds,
]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Observed by nobody, chosen by the core: a minute and a second from the end of the last write. */
const SLOT_IN_MS = 61_000
const UNLOCKED_FOR_IN_MS = 15 * MINUTE

export interface WriteDoubleOptions {
  readonly nowAt: number
  readonly offline: boolean
  readonly empty: boolean
  readonly unpublished: boolean
  readonly unlocked: boolean
  /** How a reboot ends; a device of the room was written to a moment ago for `waiting`. */
  readonly reboot: 'accepted' | 'refused' | 'unconfirmed' | 'waiting'
  /** No write was ever made. */
  readonly unwritten: boolean
  /** The service lists the first device of a room no more. */
  readonly unlisted: boolean
}

export interface WriteDouble {
  readonly lock: () => WriteLock
  readonly unlock: () => void
  /** The earliest start by the minute of these devices; null: now. */
  readonly earliest: (ids: readonly string[]) => number | null
  readonly answers: Pick<AllHandlers, 'writes' | 'journal'>
  readonly devices: Pick<AllHandlers['devices'], 'settings'>
  readonly rooms: Pick<AllHandlers['rooms'], 'rebootPlan' | 'reboot'>
}

/** Lock, minute between writes and journal as the core keeps them, over the fleet in memory. */
export function writeAnswers(
  options: WriteDoubleOptions,
  devices: readonly Device[],
  rooms: readonly Room[],
  announce: Announce,
): WriteDouble {
  const organization = { organizationId: 'org-1', organizationName: 'Nordlys A/S', who: 'm.ito' }
  const now = (): number => Date.now()
  let untilAt: number | null = options.unlocked ? now() + 14 * MINUTE : null
  const lastWrites = new Map<string, number>()
  const lines: JournalLine[] =
    options.unwritten || options.empty ? [] : pastLines(options.nowAt, devices, rooms, organization)

  const lock = (): WriteLock => {
    if (untilAt !== null && untilAt <= now()) untilAt = null
    return { unlocked: untilAt !== null, untilAt }
  }
  const setUntil = (at: number | null): void => {
    untilAt = at
    announce('writes.changed', { unlocked: at !== null })
  }
  const earliest = (ids: readonly string[]): number | null => {
    const last = Math.max(...ids.map((id) => lastWrites.get(id) ?? -Infinity))
    return last + SLOT_IN_MS > now() ? last + SLOT_IN_MS : null
  }
  const roomOf = (id: string): Room => {
    const room = rooms.find((one) => one.id === id || one.groupIds.includes(id))
    if (!room) throw new Failed({ kind: 'not-found', call: null, what: 'room' })
    return room
  }
  if (options.reboot === 'waiting') for (const device of devices) lastWrites.set(device.id, now() - 19_000)

  const pass = (write: {
    readonly operation: string
    readonly target: JournalLine['target']
    readonly deviceIds: readonly string[]
    readonly unlock: boolean
  }): WriteReport => {
    const { operation, target, deviceIds, unlock } = write
    if (unlock) setUntil(now() + UNLOCKED_FOR_IN_MS)
    if (!lock().unlocked) throw new Failed({ kind: 'writes-locked' })
    const earliestAt = earliest(deviceIds)
    if (earliestAt !== null) return { outcome: 'waiting', failure: null, earliestAt, journalId: null }
    setUntil(now() + UNLOCKED_FOR_IN_MS)
    const call = { operation, host: HOST }
    const failure: Failure | null =
      options.reboot === 'refused'
        ? { kind: 'refused', call, status: 409, message: 'The room is being updated.' }
        : options.reboot === 'unconfirmed'
          ? { kind: 'unconfirmed', call, message: 'socket hang up' }
          : null
    const outcome = failure === null ? 'accepted' : failure.kind === 'refused' ? 'refused' : 'unconfirmed'
    const id = lines.reduce((greatest, line) => Math.max(greatest, line.id), 0) + 1
    lines.unshift({
      ...organization,
      id,
      operation,
      target,
      deviceIds,
      startedAt: now(),
      endedAt: now(),
      outcome,
      status: outcome === 'accepted' ? 202 : outcome === 'refused' ? 409 : null,
      message:
        outcome === 'refused'
          ? 'refused: The room is being updated.'
          : outcome === 'unconfirmed'
            ? 'socket hang up'
            : null,
      before: null,
      after: null,
    })
    for (const device of deviceIds) lastWrites.set(device, now())
    announce('journal.changed', { count: lines.length })
    return { outcome, failure, earliestAt: null, journalId: id }
  }

  return {
    lock,
    unlock: () => setUntil(now() + UNLOCKED_FOR_IN_MS),
    earliest,
    answers: {
      writes: {
        lock: async () => lock(),
        lockNow: async () => {
          setUntil(null)
          return lock()
        },
      },
      journal: {
        list: async ({ where, subjectId, before = Infinity, start, count }) => {
          const found = matching(
            lines.filter(
              (line) =>
                subjectId === null || line.target.id === subjectId || line.deviceIds.includes(subjectId),
            ),
            where,
            { vocabulary: journalVocabulary, read: lineField, words: lineWords, nowAt: now() },
          )
          return {
            lines: found.filter((line) => line.id < before).slice(start, start + count),
            total: found.length,
          }
        },
      },
    },
    devices: {
      settings: async ({ id, refresh }) => {
        const device = devices.find((one) => one.id === id)
        if (!device) throw new Failed({ kind: 'not-found', call: null, what: 'device' })
        const call = { operation: 'GetDeviceSettings', host: HOST }
        if (options.unpublished)
          throw new Failed({ kind: 'not-found', call, what: 'settings of this device' })
        if (refresh && options.offline) throw new Failed({ kind: 'offline', call, message: 'ENOTFOUND' })
        return settingsOf(device, refresh ? now() : device.observedAt - 2 * HOUR, !refresh)
      },
    },
    rooms: {
      rebootPlan: async ({ id }): Promise<RebootPlan> => {
        if (options.offline)
          throw new Failed({
            kind: 'offline',
            call: { operation: 'GetRoom', host: HOST },
            message: 'ENOTFOUND',
          })
        const room = roomOf(id)
        const members = room.devices ?? []
        const ids = members.map((device) => device.id)
        return {
          room: { id: room.id, name: room.name },
          devices: members.map((device, index) => ({ ...device, listedNow: !options.unlisted || index > 0 })),
          earliestAt: earliest(ids),
          cost: { calls: 2, aboutInMs: 900, shareOfWindow: 2 / 9_500 },
          problem:
            room.devices === null
              ? 'members-unknown'
              : members.some((device) => device.status === 'online')
                ? null
                : 'nothing-online',
          lock: lock(),
        }
      },
      reboot: async ({ id, unlock }) => {
        const room = roomOf(id)
        if (room.devices === null)
          throw new Failed({ kind: 'invalid', field: 'room', message: 'its devices are not known' })
        return pass({
          operation: 'RebootRoom',
          target: { of: 'room', id: room.id, name: room.name },
          deviceIds: room.devices.map((device) => device.id),
          unlock,
        })
      },
    },
  }
}

function pastLines(
  nowAt: number,
  devices: readonly Device[],
  rooms: readonly Room[],
  organization: Pick<JournalLine, 'organizationId' | 'organizationName' | 'who'>,
): JournalLine[] {
  const peopled = rooms.filter((room) => room.devices?.length)
  const ends = [
    { outcome: 'accepted', status: 202, message: null },
    { outcome: 'accepted', status: 202, message: null },
    { outcome: 'refused', status: 409, message: 'refused: The room is being updated.' },
    { outcome: 'unconfirmed', status: null, message: 'The connection broke before an answer came.' },
    { outcome: null, status: null, message: null },
  ] as const
  return Array.from({ length: Math.min(64, peopled.length * 4) }, (_none, i): JournalLine => {
    const room = peopled[i % peopled.length] as Room
    const device = devices[(i * 7) % devices.length] as Device
    const end = ends[i % 11 === 4 ? 3 : i % 9 === 7 ? 2 : i === 17 ? 4 : 0]
    const startedAt = nowAt - 8 * MINUTE - i * i * 5 * MINUTE - i * 37 * MINUTE
    const setting = i % 3 === 2
    return {
      ...organization,
      who: i % 5 === 3 ? 'a.lund' : organization.who,
      id: 400 - i,
      operation: setting ? 'UpdateDeviceSettings' : 'RebootRoom',
      target: setting
        ? { of: 'device', id: device.id, name: device.name }
        : { of: 'room', id: room.id, name: room.name },
      deviceIds: setting ? [device.id] : (room.devices ?? []).map((member) => member.id),
      startedAt,
      endedAt: end.outcome === null ? null : startedAt + 640 + ((i * 211) % 2_900),
      ...end,
      before: setting ? 'sidetoneLevel=4' : null,
      after: setting ? 'sidetoneLevel=6' : null,
      ...(i % 4 === 0 ? { jobId: 'job-1' } : {}),
    }
  })
}

/** Settings such as a room system or a headset has: every kind, one misspelt by the service, one without a value, one unknown. */
function settingsOf(device: Device, observedAt: number, fromCache: boolean): DeviceSettings {
  const on = (name: string, isOn: boolean | null, restarts: boolean | null = false): Setting => ({
    name,
    kind: 'on-off',
    value: isOn,
    locked: name === 'autoUpdate',
    feature: {
      id: name.toUpperCase(),
      name,
      kind: 'choice',
      supported: ['On', 'Off'],
      minimum: null,
      maximum: null,
      restarts,
    },
    raw: { isOn },
  })
  const choice = (
    name: string,
    selected: string | null,
    supported: readonly string[],
    restarts: boolean | null = false,
  ): Setting => ({
    name,
    kind: 'choice',
    value: selected,
    locked: false,
    feature: supported.length
      ? { id: name.toUpperCase(), name, kind: 'choice', supported, minimum: null, maximum: null, restarts }
      : null,
    raw: { selected },
  })
  const number = (name: string, value: number | null, minimum: number, maximum: number): Setting => ({
    name,
    kind: 'number',
    value,
    locked: null,
    feature: {
      id: name.toUpperCase(),
      name,
      kind: 'number',
      supported: [],
      minimum,
      maximum,
      restarts: null,
    },
    raw: { value },
  })
  const room = device.room !== null
  const settings: Setting[] = room
    ? [
        on('videoStiching', true, true),
        choice('fieldOfView', '_140deg', ['_90deg', '_120deg', '_140deg', '_180deg'], true),
        choice('zoomMode', 'simplemode_intelligentzoom', ['simplemode_intelligentzoom', 'manual', 'off']),
        on('peopleCount', null, null),
        number('roomCapacity', 8, 1, 60),
        {
          name: 'displayName',
          kind: 'text',
          value: device.room?.name ?? null,
          locked: false,
          feature: null,
          raw: { value: device.room?.name ?? null },
        },
        choice('powerLineFrequency', '50Hz', ['50Hz', '60Hz'], true),
        on('autoUpdate', true),
        choice('language', 'en_US', []),
        {
          name: 'safetyZone',
          kind: 'unknown',
          value: null,
          locked: null,
          feature: null,
          raw: { polygon: [0.1, 0.2, 0.8, 0.9], unit: 'share' },
        },
      ]
    : [
        number('sidetoneLevel', 6, 0, 10),
        on('busylightEnabled', true),
        choice('voicePrompts', 'voice', ['voice', 'tones', 'off'], true),
        on('autoAnswer', false),
        choice('ringtone', 'chime', []),
        number('sleepAfterInMinutes', null, 0, 480),
        on('autoUpdate', false),
        {
          name: 'equalizer',
          kind: 'unknown',
          value: null,
          locked: null,
          feature: null,
          raw: { bands: [0, 2, 3, 2, -1] },
        },
      ]
  return {
    deviceId: device.id,
    settings,
    observedAt,
    fromCache,
    source: 'observed',
    raw: Object.fromEntries(settings.map((setting) => [setting.name, setting.raw])),
  }
}
