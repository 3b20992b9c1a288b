import type { DeviceFacts, Fleet, RoomFacts } from './fleet.ts'
import type { Firmware } from './life.ts'
import { firstNames, lastNames, macVersions, plain, roomNames, windowsVersions } from './names.ts'
import { hexDigits, mix, pick, roll, sequence } from './random.ts'
import type { PresenceNow } from './restarts.ts'

export type Members = Record<string, unknown>

/** ISO-8601 with offset; the number of fraction digits varies (services.md#B21). */
const timeText = (at: number, variety: number): string => {
  const text = new Date(at).toISOString()
  switch (variety % 5) {
    case 0:
      return `${text.slice(0, 19)}Z`
    case 1:
      return text
    case 2:
      return `${text.slice(0, 23)}${String(variety % 10_000).padStart(4, '0')}+00:00`
    case 3:
      return `${text.slice(0, 21)}+00:00`
    default:
      return `${text.slice(0, 19)}+00:00`
  }
}

/** Address blocks of computer makers, so that an address looks real and is not a group address. */
const makers = ['00D861', '3C5282', '48BA4E', 'A4BB6D', 'F8E43B', '8C8CAA']

const macText = (digits: string, form: number): string => {
  const pairs = digits.match(/../g) ?? []
  if (form < 0.5) return pairs.join(':')
  return form < 0.75 ? digits : form < 0.9 ? pairs.join('-').toLowerCase() : digits.toLowerCase()
}

const addresses = (subnet: number, chance: () => number): string => {
  const one = `10.${subnet}.${Math.floor(chance() * 32)}.${2 + Math.floor(chance() * 250)}`
  const form = chance()
  if (form < 0.8) return one
  return form < 0.93
    ? `${one}, 192.168.1.${2 + Math.floor(chance() * 250)}`
    : `${one}, fe80::${hexDigits(4, mix(subnet, Math.floor(form * 1e6))).toLowerCase()}:1c2f:9a0b`
}

const clients = [
  {
    share: 0.7,
    client: 'JabraPlus',
    clientName: 'Jabra Plus for Windows',
    versions: ['4.18.2', '4.18.0', '4.17.5', '4.12.1'],
  },
  { share: 0.9, client: 'JabraPlus', clientName: 'Jabra Plus for macOS', versions: ['4.18.1', '4.16.3'] },
  { share: 1, client: 'JabraDirect', clientName: 'Jabra Direct', versions: ['6.24.12301', '6.21.20101'] },
] as const

/**
 * Data about a person's computer: many organizations have switched this off for some people (services.md#B1).
 */
const personalParts = (facts: DeviceFacts, seed: number): Members => {
  const chance = sequence(seed, facts.index, 401)
  const first = pick(firstNames, chance())
  const last = pick(lastNames, chance())
  const account = `${plain(first).slice(0, 3)}${plain(last).slice(0, 4)}`.toLowerCase()
  const which = clients.find((one) => chance() < one.share) ?? clients[2]
  const mac = which.clientName.includes('macOS')
  const collected = chance() >= 0.06
  const computer: Members = {
    computerName: mac
      ? `${plain(first)}s-MacBook-Pro`
      : `${facts.site.code}-L${String(10_000 + (mix(seed, facts.index, 402) % 89_999))}`,
    operatingSystem: mac ? pick(macVersions, chance()) : pick(windowsVersions, chance()),
    userName:
      chance() < 0.5 ? `${first} ${last}` : chance() < 0.8 ? `CORP\\${account}` : `${account}@example.com`,
    ipAddress: addresses(facts.site.subnet, chance),
    macAddress: macText(pick(makers, chance()) + hexDigits(6, seed, facts.index, 403), chance()),
  }
  if (chance() < 0.03) computer['userName'] = null
  if (chance() < 0.03) computer['ipAddress'] = ''
  if (chance() < 0.02) delete computer['macAddress']
  const clientKnown = chance() >= 0.03
  return {
    name:
      chance() < 0.55
        ? null
        : chance() < 0.1
          ? ''
          : chance() < 0.6
            ? `${first}'s ${facts.product.groupName.replace('Jabra ', '')}`
            : facts.variant.name,
    computer: collected ? computer : null,
    jabraClient: clientKnown
      ? {
          client: which.client,
          clientName: which.clientName,
          clientVersion: pick(which.versions, chance()),
          clientType: 'Personal',
          autoUpdate: chance() < 0.05 ? null : chance() < 0.8,
        }
      : null,
  }
}

const roleOf = (facts: DeviceFacts): string => {
  if (facts.product.kind === 'controller') return 'touch controller'
  if (facts.product.kind === 'scheduler') return 'door panel'
  if (facts.product.kind === 'speaker') return 'table speaker'
  if (facts.product.kind === 'accessory') return 'wireless presenter'
  return facts.position > 0 && facts.product.kind === 'video' ? 'second camera' : ''
}

const roomNameOf = (room: RoomFacts, seed: number): string | null => {
  const chance = roll(seed, room.index, 411)
  if (chance < 0.015) return null
  const base = pick(room.site.rooms, roll(seed, room.index, 412))
  const word = pick(roomNames, roll(seed, room.index, 413) ** 2)
  return `${base} ${floorOf(room, seed)}.${String(1 + (mix(seed, room.index, 414) % 24)).padStart(2, '0')}${word}`
}

const floorOf = (room: RoomFacts, seed: number): number => 1 + (mix(seed, room.index, 415) % room.site.floors)

const roomParts = (facts: DeviceFacts, room: RoomFacts, seed: number): Members => {
  const chance = sequence(seed, facts.index, 421)
  // The room's devices are connected to one computer: it is the same in all their records.
  const ofRoom = sequence(seed, room.index, 423)
  const builtIn = room.kit.roomType === 'Video bar system'
  // In a room without a name it has that of its product.
  const roomName = roomNameOf(room, seed) ?? facts.product.name
  const role = roleOf(facts)
  const names = [role === '' ? roomName : `${roomName} ${role}`, facts.product.name, null]
  return {
    name: builtIn && facts.position === 0 ? roomName : pick(names, chance() < 0.1 ? 0.9 : chance() * 0.66),
    computer:
      builtIn || ofRoom() < 0.15
        ? null
        : {
            computerName: `${room.site.code}-MTR-${String(room.index + 1).padStart(3, '0')}`,
            operatingSystem: pick(
              [
                'Microsoft Windows 11 IoT Enterprise 10.0.26100',
                'Microsoft Windows 10 IoT Enterprise 10.0.19044',
                'Android 13',
              ],
              ofRoom(),
            ),
            userName: ofRoom() < 0.8 ? 'Skype' : '',
            ipAddress: addresses(room.site.subnet + 100, ofRoom),
            macAddress: macText(pick(makers, ofRoom()) + hexDigits(6, seed, room.index, 422), ofRoom()),
          },
    jabraClient: {
      client: builtIn ? 'BuiltIn' : 'JabraRoom',
      clientName: builtIn ? 'Built-in client' : 'Jabra Plus for meeting rooms',
      clientVersion: pick(['2.9.1', '2.9.0', '2.7.4'], chance()),
      clientType: chance() < 0.05 ? 'meetingRoom' : 'MeetingRoom',
      autoUpdate: chance() < 0.9,
    },
  }
}

/** The effects of requests on a device: a reboot in progress, other firmware. */
interface Actions {
  presence(facts: DeviceFacts, now: number): PresenceNow
  firmware(facts: DeviceFacts, now: number): Firmware
}

/**
 * Values that the documents do not name; a few devices have one, because clients must show unknown values.
 */
const unusualStatus = (facts: DeviceFacts, seed: number): string | null =>
  facts.index === 7 || roll(seed, facts.index, 431) < 0.008 ? 'Hibernating' : null

const statusWord = (facts: DeviceFacts, seed: number, now: number, actions: Actions): string => {
  const { online, rebooting, lost } = actions.presence(facts, now)
  if (rebooting) return 'Rebooting'
  return (lost ? null : unusualStatus(facts, seed)) ?? (online ? 'Online' : 'Offline')
}

/** A device as the management interface sends it (services.md#B40). */
export const deviceRecord = (
  facts: DeviceFacts,
  fleet: Fleet,
  seed: number,
  now: number,
  actions: Actions,
): Members => {
  const presence = actions.presence(facts, now)
  const firmware = actions.firmware(facts, now)
  const chance = sequence(seed, facts.index, facts.generation, 441)
  const parts = facts.room === null ? personalParts(facts, seed) : roomParts(facts, facts.room, seed)
  const variety = mix(seed, facts.index, 442)
  const record: Members = {
    id: facts.id,
    serialNumber:
      chance() < 0.01
        ? null
        : hexDigits(10 + Math.floor(chance() * 3), seed, facts.index, facts.generation, 443),
    name: parts['name'],
    productId: facts.variant.productId,
    variantType: chance() < 0.02 ? facts.variant.variantType.toLowerCase() : facts.variant.variantType,
    productName: facts.variant.name,
    firmwareVersion: firmware.version,
    firmwareUpdateInProgress: firmware.updating,
    groupId: fleet.groupOf(facts),
    addedAt: timeText(facts.startedAt, variety),
    lastSeenAt: timeText(presence.lastSeenAt, variety >>> 3),
    isConnected: presence.online,
    deviceConnectionStatus: facts.room === null ? null : statusWord(facts, seed, now, actions),
    computer: parts['computer'],
    jabraClient: parts['jabraClient'],
    // Not in any document: clients ignore unknown members (services.md#B2).
    isManaged: chance() < 0.97,
  }
  if (chance() < 0.02) record['assetTag'] = `IT-${String(100_000 + (variety % 900_000))}`
  if (chance() < 0.01) delete record['addedAt']
  return record
}

/** A meeting room as the management interface sends it (services.md#B41), for one of its group ids. */
export const roomRecord = (
  room: RoomFacts,
  groupId: string,
  fleet: Fleet,
  seed: number,
  now: number,
  actions: Actions,
): Members => {
  const devices = Array.from({ length: room.deviceCount }, (_, at) =>
    fleet.device(room.firstDevice + at, now),
  )
  const words = devices.map((device) => statusWord(device, seed, now, actions))
  const variety = mix(seed, room.index, 451)
  const [fewest, most] = room.kit.seats
  return {
    id: room.id,
    deviceGroupId: groupId,
    name: roomNameOf(room, seed),
    roomType: room.kit.roomType,
    locationName:
      roll(seed, room.index, 452) < 0.03
        ? null
        : `${room.site.city}, ${room.site.address}, floor ${floorOf(room, seed)}`,
    seatCount:
      roll(seed, room.index, 453) < 0.06 ? null : fewest + (mix(seed, room.index, 454) % (most - fewest + 1)),
    status: words.some((word) => word !== 'Offline')
      ? 'Connected'
      : room.deviceCount === 0
        ? 'NotProvisioned'
        : 'Disconnected',
    createdAt: timeText(
      Date.UTC(2024, 0, 8) + (mix(seed, room.index, 455) % 900) * 86_400_000 + (variety % 28_800_000),
      variety,
    ),
    ianaTimeZoneId: roll(seed, room.index, 456) < 0.1 ? null : room.site.timeZone,
    devices:
      devices.length === 0
        ? null
        : devices.map((device, at) => {
            const firmware = actions.firmware(device, now)
            return {
              id: device.id,
              name: roomParts(device, room, seed)['name'] ?? device.variant.name,
              deviceConnectionStatus: words[at],
              firmwareStatus: firmware.updating
                ? 'Updating'
                : firmware.version === null
                  ? null
                  : firmware.upToDate
                    ? 'UpToDate'
                    : 'UpdateAvailable',
            }
          }),
  }
}
