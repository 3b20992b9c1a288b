import type { Device, FirmwareWord } from '../../../electron/contract/api/devices.ts'
import type { Room, RoomDevice, RoomHealth } from '../../../electron/contract/api/rooms.ts'

export interface CatalogueEntry {
  readonly productId: number
  readonly name: string
  readonly group: string
  readonly room: boolean
  /** Newest first. */
  readonly versions: readonly string[]
}

export const catalogue: readonly CatalogueEntry[] = [
  {
    productId: 0x24b3,
    name: 'Jabra Evolve2 65 Mono',
    group: 'Jabra Evolve2 65',
    room: false,
    versions: ['2.9.2', '2.9.0', '2.8.1', '2.7.0', '2.3.11'],
  },
  {
    productId: 0x24b8,
    name: 'Jabra Evolve2 85',
    group: 'Jabra Evolve2 85',
    room: false,
    versions: ['2.7.5', '2.6.0', '2.5.3'],
  },
  {
    productId: 0x0e36,
    name: 'Jabra Evolve2 30 SE',
    group: 'Jabra Evolve2 30',
    room: false,
    versions: ['1.11.0', '1.9.4', '1.2.0'],
  },
  {
    productId: 0x2486,
    name: 'Jabra Engage 75 Stereo',
    group: 'Jabra Engage 75',
    room: false,
    versions: ['5.17.1', '5.12.0', '4.8.2'],
  },
  {
    productId: 0x2475,
    name: 'Jabra Speak2 75',
    group: 'Jabra Speak2 75',
    room: true,
    versions: ['1.27.0', '1.21.3'],
  },
  {
    productId: 0x3012,
    name: 'Jabra PanaCast 50',
    group: 'Jabra PanaCast 50',
    room: true,
    versions: ['6.7.0', '6.5.0', '4.2.0.21', '4.2.0.9'],
  },
  {
    productId: 0x3013,
    name: 'Jabra PanaCast Control (Teams)',
    group: 'Jabra PanaCast 50',
    room: true,
    versions: ['6.7.0', '6.5.0'],
  },
  {
    productId: 0x3017,
    name: 'Jabra PanaCast 20',
    group: 'Jabra PanaCast 20',
    room: false,
    versions: ['1.6.2', '1.5.0'],
  },
]

const people = [
  'Anna Lund',
  'Kasper Holm',
  'Mika Ito',
  'Rita Sousa',
  'Pavel Novak',
  'Zoë Ødegaard',
  'Joost van Dijk',
  'Priya Raman',
  'Tomás Vega',
  'Elif Kaya',
  'Sven Berg',
  'Grace Obi',
]
const places = ['Aarhus', 'Berlin', 'Oslo', 'Lisbon', 'Kraków', 'Leeds', 'Pune', 'Osaka']
const roomNames = [
  'Fjord',
  'Linden',
  'Harbour',
  'Atrium',
  'Birch',
  'Observatory',
  'Board room',
  'Workshop',
  'Library',
  'Lantern',
]
const roomTypes = ['Microsoft Teams Rooms', 'Zoom Rooms', 'BYOD', 'Video bar system']

/** The same numbers each time: screenshots can be compared. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export interface Fleet {
  readonly devices: readonly Device[]
  readonly rooms: readonly Room[]
}

const MINUTE = 60_000
const DAY = 86_400_000

/** The latest but one of a product with many releases was withdrawn. */
export function firmwareOf(product: CatalogueEntry, version: string | null): Device['firmware'] {
  const latest = product.versions[0] ?? null
  const place = product.versions.indexOf(version ?? '')
  if (place < 0) return { word: 'unknown', by: null, latest, why: null }
  if (place === 0) return { word: 'current', by: null, latest, why: null }
  return place === 1 && product.versions.length > 3
    ? { word: 'revoked', by: null, latest, why: null }
    : { word: 'behind', by: place, latest, why: null }
}

/** A fleet such as a technician has: `count` devices, one room for every seven room devices, some things broken; `stale`: two of three records are old. */
export function aFleet(count: number, nowAt: number, stale = false): Fleet {
  const random = seeded(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const readAt = nowAt - 3 * MINUTE
  const ageOf = (i: number): number =>
    stale && i % 3 !== 0 ? readAt - (28 + (i % 5) * 24) * 60 * MINUTE : readAt
  const roomCount = Math.max(1, Math.floor(count / 50))
  const rooms = Array.from({ length: roomCount }, (_none, i) => {
    const place = places[i % places.length] as string
    return {
      id: `room-${i + 1}`,
      groupId: `group-${i + 1}`,
      name: `${place} ${roomNames[Math.floor(i / places.length) % roomNames.length]} ${1 + (Math.floor(i / (places.length * roomNames.length)) % 9)}`,
      place,
      location: `${place} / Floor ${1 + (i % 6)}`,
      members: [] as Device[],
    }
  })
  const devices = Array.from({ length: count }, (_none, i): Device => {
    const observedAt = ageOf(i)
    const product =
      random() < 0.24 ? pick(catalogue.filter((p) => p.room)) : pick(catalogue.filter((p) => !p.room))
    const room = product.room ? (rooms[Math.floor(random() * rooms.length)] ?? null) : null
    const chance = product.room ? random() * 0.68 : random()
    const status =
      chance < 0.62
        ? 'online'
        : chance < 0.9
          ? 'offline'
          : chance < 0.91
            ? 'rebooting'
            : chance < 0.985
              ? 'unknown'
              : 'FirmwareUpdateFailed'
    const person = pick(people)
    const id = `D${(0x9ecd62968045n + BigInt(i) * 0x1f3a77n).toString(16).toUpperCase().padStart(12, '0')}00D744A03C47526EA8B7C0A1C68X`
    const serialNumber = random() < 0.02 ? null : `00A1D4F${String(70_000 + i * 37).slice(-5)}`
    const lastSeenAt =
      status === 'online' || status === 'rebooting'
        ? observedAt - Math.floor(random() * 12) * MINUTE
        : nowAt - Math.floor(random() * 9 * DAY)
    const firmwareVersion = pick(product.versions)
    const name = product.room ? product.name : `${product.name} · ${person}`
    const variantType = `0${1 + (i % 3)}-64`
    const computer = product.room
      ? null
      : {
          name: `PC-${4000 + (i % 5000)}`,
          operatingSystem: pick(['Windows 11', 'Windows 10', 'macOS 16.1']),
          userName: person,
          ipAddress: `10.4.${i % 250}.${(i * 7) % 250}`,
          macAddress: `AA:BB:CC:${((i >> 8) & 255).toString(16).toUpperCase().padStart(2, '0')}:44:${(i & 255).toString(16).toUpperCase().padStart(2, '0')}`,
        }
    const client = product.room
      ? { client: 'JabraRoom', name: 'Jabra+ Room', version: '2.4.0', type: 'MeetingRoom', autoUpdate: true }
      : {
          client: 'JabraDirect',
          name: 'Jabra Direct',
          version: '6.14.21',
          type: 'Personal',
          autoUpdate: null,
        }
    const device: Device = {
      id,
      name,
      serialNumber,
      productId: product.productId,
      variantType,
      productName: product.name,
      firmwareVersion,
      firmware: firmwareOf(product, firmwareVersion),
      groupId: room?.groupId ?? null,
      status,
      lastSeenAt,
      addedAt: nowAt - (30 + (i % 500)) * DAY,
      observedAt,
      gone: i % 997 === 996,
      goneAt: i % 997 === 996 ? nowAt - 2 * DAY : null,
      room: room ? { id: room.id, name: room.name, location: room.location } : null,
      userName: computer?.userName ?? null,
      computerName: computer?.name ?? null,
      operatingSystem: computer?.operatingSystem ?? null,
      ipAddress: computer?.ipAddress ?? null,
      macAddress: computer?.macAddress ?? null,
      clientName: client.name,
      clientVersion: client.version,
      clientType: client.type,
      tags: [],
      firmwareUpdateInProgress: null,
      computer,
      client,
      raw: {
        id,
        name,
        serialNumber,
        productId: product.productId,
        variantType,
        productName: product.name,
        firmwareVersion,
        groupId: room?.groupId ?? null,
        deviceConnectionStatus: status,
        isConnected: status === 'online',
        lastSeenAt: new Date(lastSeenAt).toISOString(),
        computer,
        jabraClient: client,
        somethingNew: { seen: true },
      },
    }
    room?.members.push(device)
    return device
  })
  return { devices, rooms: rooms.map((room, i) => aRoom(room, i, nowAt, ageOf(i))) }
}

const worstFirst: readonly FirmwareWord[] = ['revoked', 'behind', 'unknown', 'ahead', 'current']

function healthOf(live: readonly Device[]): RoomHealth {
  if (live.length === 0) return 'unknown'
  if (live.every((d) => d.status === 'offline')) return 'down'
  if (live.some((d) => d.status === 'offline' || d.status === 'FirmwareUpdateFailed')) return 'trouble'
  return live.some((d) => d.status === 'unknown') ? 'unknown' : 'ok'
}

function aRoom(
  room: { id: string; groupId: string; name: string; location: string; members: readonly Device[] },
  i: number,
  nowAt: number,
  observedAt: number,
): Room {
  const live = room.members.filter((d) => !d.gone)
  const online = live.filter((d) => d.status === 'online').length
  const unknown = live.filter((d) => d.status === 'unknown').length
  const known = i % 23 !== 22
  const members: RoomDevice[] = live.map((d, place) => ({
    id: d.id,
    name: d.name,
    status: d.status,
    productName: d.productName,
    firmwareVersion: d.firmwareVersion,
    firmwareStatus: i % 5 === 3 ? (place % 4 === 1 ? 'UpdateAvailable' : 'UpToDate') : null,
    firmware: d.firmware.word,
    lastSeenAt: d.lastSeenAt,
    observedAt: d.observedAt,
  }))
  const lastSeenAt = live.reduce<number | null>(
    (latest, d) =>
      d.lastSeenAt !== null && (latest === null || d.lastSeenAt > latest) ? d.lastSeenAt : latest,
    null,
  )
  return {
    id: room.id,
    name: i % 41 === 40 ? null : room.name,
    status: !known ? 'unknown' : online > 0 ? 'connected' : 'disconnected',
    location: room.location,
    type: roomTypes[Math.floor(i / 3) % roomTypes.length] ?? null,
    seatCount: i % 9 === 8 ? null : 4 + (Math.floor(i / 5) % 8) * 2,
    groupIds: [room.groupId],
    deviceCount: known ? live.length : null,
    onlineCount: known ? online : null,
    unknownCount: known ? unknown : null,
    health: known ? healthOf(live) : 'unknown',
    worstFirmware: known
      ? (worstFirst.find((word) => live.some((d) => d.firmware.word === word)) ?? null)
      : null,
    behindCount: known
      ? live.filter((d) => d.firmware.word === 'behind' || d.firmware.word === 'revoked').length
      : null,
    lastSeenAt,
    observedAt,
    gone: false,
    goneAt: null,
    timeZone: 'Europe/Copenhagen',
    createdAt: nowAt - (200 + i) * DAY,
    devices: known ? members : null,
    raw: {
      id: room.id,
      deviceGroupId: room.groupId,
      name: room.name,
      roomType: roomTypes[Math.floor(i / 3) % roomTypes.length] ?? null,
      locationName: room.location,
      status: online > 0 ? 'Connected' : 'Disconnected',
    },
  }
}
