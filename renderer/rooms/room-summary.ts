import {
  devicesIn,
  deviceTitle,
  ownNameOf,
  type DeviceIdentity,
} from '../../electron/contract/device-name.ts'
import { serviceVerdict } from '../../electron/contract/firmware-verdict.ts'
import type { Room, RoomDevice, RoomListRow, RoomMember } from '../../electron/contract/api/rooms.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import { markOfHealth, visibleHealth } from '../lists/room-cell.ts'
import { countedText, text } from '../locales/i18n.ts'
import { formatCount, formatWhen } from '../components/format.ts'
import { wordOfStatus, type StatusKind } from '../components/status-kind.ts'

export interface RoomSummary {
  readonly kind: StatusKind
  readonly title: string
  /** Empty: the title is enough. */
  readonly sentence: string
  /** A sentence about the firmware that its devices need, even if all are online; empty: none. */
  readonly firmware: string
}

/** Maximum of devices that are named; the others are counted. */
const NAMED = 3

/**
 * The values are not published and none was observed. `UpToDate`, in any case, needs no action; every other
 * value is shown, because an unknown value must not be hidden.
 */
export const asksForNothing = (word: string): boolean =>
  word.trim() === '' || word.trim().toLowerCase() === 'uptodate'

/** `2 devices report UpdateAvailable.` for each value, as received. */
function reportsOf(devices: readonly RoomDevice[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { firmwareStatus, firmware, firmwareService } of devices)
    // Devices already counted as behind, or shown as a contradiction, are not shown twice.
    if (
      firmwareStatus !== null &&
      (firmware === null || firmware === 'unknown' || serviceVerdict(firmwareStatus) === null) &&
      firmwareService === undefined &&
      !asksForNothing(firmwareStatus)
    )
      counts.set(firmwareStatus, (counts.get(firmwareStatus) ?? 0) + 1)
  return [...counts].map(([word, n]) => countedText('rooms.summary.report', n, { n: formatCount(n), word }))
}

/**
 * `A, 4 × B, C and 2 more`: devices with the same name are counted, because rooms often have several of a
 * kind. `atMost` names; 0: only their number.
 */
export function deviceNames(devices: readonly DeviceIdentity[], atMost = NAMED): string {
  const { length: all } = devices
  if (atMost === 0) return countedText('rooms.reason.devices', all, { n: formatCount(all) })
  const groups = [...Map.groupBy(devices, deviceTitle)]
  const named = groups.slice(0, atMost)
  const names = named
    .map(([name, { length }]) =>
      length > 1 ? text('rooms.summary.times', { n: formatCount(length), name }) : name,
    )
    .join(', ')
  const rest = groups.slice(atMost).reduce((sum, [, { length }]) => sum + length, 0)
  return rest > 0 ? text('rooms.summary.more', { names, n: formatCount(rest) }) : names
}

/**
 * Named as within their room: without its name, which is shown beside them (the `Oslo 3 touch controller` becomes
 * `Touch controller`), and by product where devices of several products have one name.
 */
export function namedInRoom<D extends DeviceIdentity>(
  room: { readonly name: string | null },
  devices: readonly D[],
): readonly D[] {
  const short = devices.map((device): D => {
    const rest =
      room.name !== null && device.name?.startsWith(`${room.name} `)
        ? device.name.slice(room.name.length + 1)
        : ''
    return rest === '' ? device : { ...device, name: rest.charAt(0).toUpperCase() + rest.slice(1) }
  })
  const alike = Map.groupBy(short, deviceTitle)
  return short.map((device) => {
    const { productName } = device
    const others = alike.get(deviceTitle(device)) ?? []
    return productName != null && others.some((one) => one.productName !== productName)
      ? { ...device, name: productName }
      : device
  })
}

/** Why a room needs attention, from its devices in the list; for a room without a problem, its health. */
export const reasonOf = (room: RoomListRow): string => reasonWith(room, NAMED, NAMED)

/**
 * Number of characters that fit in the column *Why* at its minimum width (5.9 px each on average, measured).
 */
const CHARACTERS = 41
/** A device without a name of its own, which says more than its product, by its role. */
function namedByRole(device: RoomMember): RoomMember {
  const form = formFactorOf(device.productName)
  const isOwn = device.productName?.startsWith(ownNameOf(device) ?? '') === false
  return isOwn || form === 'unknown-device' ? device : { ...device, name: text(`comparison.role.${form}`) }
}
/**
 * The same, shortened to fit in a row: devices by their role, with fewer names, then only the devices of the
 * first reason named.
 */
export function shortReasonOf(room: RoomListRow): string {
  const attempts = [
    [2, 2],
    [2, 0],
    // All devices of a room that is down are offline: one name says less than their number.
    ...(room.health === 'down' ? [] : [[1, 0] as const]),
    [0, 0],
  ] as const
  const all = attempts.map(([first, others]) => reasonWith(room, first, others, namedByRole))
  return all.find(({ length }) => length <= CHARACTERS) ?? all.at(-1) ?? ''
}

/** `Bar: Faulty`; without names the word alone. */
const named =
  (devices: readonly RoomMember[], word: string) =>
  (names: number): string =>
    names === 0 || devices.length === 0
      ? word
      : text('rooms.reason.other', { names: deviceNames(devices, names), word })

/** With at most so many names for the first reason, and for each of the others. */
function reasonWith(
  room: RoomListRow,
  first: number,
  others: number,
  nameOf = (device: RoomMember): RoomMember => device,
): string {
  const members = namedInRoom(room, room.members ?? []).map(nameOf)
  const off = members.filter(({ status }) => status === 'offline')
  const odd = members.filter(
    ({ status }) => status !== 'online' && status !== 'offline' && status !== 'rebooting',
  )
  const revoked = members.filter((one) => one.isRevoked)
  const unknown = odd.filter(({ status }) => status === 'unknown')
  const parts: readonly ((names: number) => string)[] = [
    ...(off.length > 0
      ? [(names: number) => text('rooms.reason.offline', { names: deviceNames(off, names) })]
      : []),
    ...odd.filter((one) => one.status !== 'unknown').map((one) => named([one], wordOfStatus(one.status))),
    // Of devices that were just named as offline the word is enough.
    ...(revoked.length > 0
      ? [
          named(
            members.every((one) => off.includes(one) === one.isRevoked) ? [] : revoked,
            text('rooms.reason.revoked'),
          ),
        ]
      : []),
    ...(unknown.length > 0
      ? [(names: number) => text('rooms.reason.unknown', { names: deviceNames(unknown, names) })]
      : []),
    ...(room.status === 'disconnected' && off.length === 0 ? [() => text('rooms.reason.disconnected')] : []),
  ]
  const reasons = parts.map((part, index) => part(index === 0 ? first : others)).join('; ')
  if (room.health === 'down') return text('rooms.reason.down', { reasons })
  if (reasons !== '') return reasons
  if (room.health === 'unknown')
    return text(room.deviceCount === 0 ? 'rooms.summary.empty' : 'rooms.summary.unknown')
  const { label } = visibleHealth(room)
  return room.behindCount
    ? countedText('rooms.reason.behind', room.behindCount, { n: formatCount(room.behindCount) })
    : label
}

/** About the only device, both, or all of them. */
const ofAll = (key: 'all' | 'allOffline' | 'none', all: number): string =>
  text(`rooms.summary.${key}.${all === 1 ? 'one' : all === 2 ? 'two' : 'more'}`, { all: formatCount(all) })

const order: readonly string[] = ['offline', 'unknown', 'rebooting']

/** Devices that are not online, by status: failed first, then offline, unknown and rebooting ones. */
function otherwise(
  devices: readonly RoomDevice[],
): readonly (readonly [status: string, devices: readonly RoomDevice[]])[] {
  const groups = Map.groupBy(
    devices.filter((device) => device.status !== 'online'),
    (device) => device.status,
  )
  return [...groups].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
}

/** `all`: of a room whose devices are all offline, which its title says. */
function missingSentence(
  status: string,
  devices: readonly RoomDevice[],
  all: boolean,
  nowAt: number,
): string {
  if (status === 'offline') {
    const names = deviceNames(
      devices.map((device) => {
        if (device.lastSeenAt === null) return device
        const when = formatWhen(device.lastSeenAt, nowAt)
        return { ...device, name: text('rooms.summary.since', { name: deviceTitle(device), when }) }
      }),
    )
    return text(`rooms.summary.${all ? 'names' : 'offlineNames'}`, { names })
  }
  const names = deviceNames(devices)
  if (status === 'unknown') return text('rooms.summary.unknownNames', { names })
  return text('rooms.summary.otherNames', { word: wordOfStatus(status), names })
}

function firmwareSentence(room: Room): string {
  const { behindCount, devices } = room
  const revoked = namedInRoom(room, devicesIn(room)).filter(({ firmware }) => firmware === 'revoked')
  const [only] = revoked.length === 1 ? revoked : []
  const counted = (key: 'revoked' | 'behind', n: number): readonly string[] =>
    n > 0 ? [countedText(`rooms.summary.${key}`, n, { n: formatCount(n) })] : []
  const disagreed = (devices ?? []).filter(({ firmwareService }) => firmwareService === 'contradicts').length
  const disputed =
    disagreed > 0 ? [countedText('rooms.summary.contradicted', disagreed, { n: formatCount(disagreed) })] : []
  return [
    ...(only === undefined || only.firmwareVersion === null
      ? counted('revoked', revoked.length)
      : [text('rooms.summary.revokedOne', { name: deviceNames([only]), version: only.firmwareVersion })]),
    ...counted('behind', (behindCount ?? 0) - revoked.length),
    ...disputed,
    ...reportsOf(devices ?? []),
  ].join(' ')
}

/**
 * The main sentence: which devices are online, what else is known or unknown, and the status of the firmware.
 */
export function summaryOf(room: Room, nowAt: number): RoomSummary {
  const { deviceCount, onlineCount } = room
  const firmware = firmwareSentence(room)
  if (deviceCount === null || onlineCount === null)
    return {
      kind: 'unknown',
      title: text('rooms.summary.unknown'),
      sentence: text('rooms.summary.unknownSentence'),
      firmware,
    }
  if (deviceCount === 0)
    return {
      kind: 'unknown',
      title: text('rooms.summary.empty'),
      sentence: text('rooms.summary.emptySentence'),
      firmware,
    }
  const devices = namedInRoom(room, devicesIn(room))
  const rest = otherwise(devices)
  const listedCount = rest.reduce((sum, [, group]) => sum + group.length, 0)
  // The service's own count and its list of members may differ: the worse one is shown.
  const all = Math.max(deviceCount, devices.length)
  const missing = Math.max(all - onlineCount, listedCount)
  if (missing === 0) {
    const calm = firmware === '' ? text('rooms.summary.allSentence') : ''
    return {
      kind: markOfHealth(room.health),
      title: ofAll('all', all),
      sentence: room.status === 'disconnected' ? text('rooms.summary.disconnected') : calm,
      firmware,
    }
  }
  const allOffline = devices.filter(({ status }) => status === 'offline').length === all
  const online =
    missing < all
      ? text('rooms.summary.some', { online: formatCount(all - missing), all: formatCount(all) })
      : ofAll(allOffline ? 'allOffline' : 'none', all)
  const unlisted =
    missing > listedCount ? [text('rooms.summary.notOnline', { n: formatCount(missing - listedCount) })] : []
  return {
    kind: visibleHealth(room).kind,
    title: [online, ...unlisted].join(', '),
    sentence: rest.map(([status, group]) => missingSentence(status, group, allOffline, nowAt)).join(' '),
    firmware,
  }
}
