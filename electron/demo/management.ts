import { createHash } from 'node:crypto'
import type { Answer } from './answer.ts'
import { empty, gatewayError, invalidMembers, json, problem } from './answer.ts'
import { parseToken, writeToken } from './continuation-token.ts'
import type { Faults } from './faults.ts'
import { spoil } from './faults.ts'
import type { DeviceFacts, Fleet, RoomFacts } from './fleet.ts'
import { FirmwareChanges } from './firmware-changes.ts'
import { settingsIn } from './firmware-settings.ts'
import type { Firmware } from './life.ts'
import { WriteSlots } from './limits.ts'
import type { Members } from './records.ts'
import { deviceRecord, roomRecord } from './records.ts'
import { mix } from './random.ts'
import type { PresenceNow } from './restarts.ts'
import { Restarts } from './restarts.ts'
import { SettingChanges, type SettingSpec } from './settings.ts'

interface ManagementCall {
  readonly operation: string
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The body's text; empty: none. */
  readonly body: string
  readonly now: number
}

/** Largest and default page size are not published: assumed. */
const largestPage = 500
const usualPage = 50

interface PageRequest {
  readonly filter: string
  readonly descending: boolean
  readonly pageSize: number
  readonly token: string
}

type Errors = Record<string, readonly string[]>

const tooEarly = (ms: number): Answer => {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return gatewayError(429, `Rate limit is exceeded. Try again in ${seconds} seconds.`, {
    'retry-after': String(seconds),
  })
}
export { tooEarly as rateLimitExceeded }

/** The management interface behind its gateway: inventory, rooms, settings, reboot. */
export class Management {
  readonly #fleet: Fleet
  readonly #seed: number
  readonly #faults: Faults
  readonly #slots = new WriteSlots()
  readonly #settings: SettingChanges
  readonly #firmware: FirmwareChanges
  readonly #restarts: Restarts
  readonly #written: (subject: string) => void
  #salt = 0
  #traces = 0

  constructor(fleet: Fleet, seed: number, faults: Faults, written: (subject: string) => void) {
    this.#written = written
    this.#fleet = fleet
    this.#seed = seed
    this.#firmware = new FirmwareChanges(seed, faults)
    this.#faults = faults
    this.#restarts = new Restarts(seed, faults)
    this.#settings = new SettingChanges(seed, faults)
  }

  presence(facts: DeviceFacts, now: number): PresenceNow {
    return this.#restarts.presence(facts, now)
  }

  /** The subjects of a call: the device, or the room by its own id and its group ids; empty: neither. */
  subjectsOf(operation: string, parameters: Readonly<Record<string, string>>): readonly string[] {
    const { deviceId, groupId } = parameters
    if (deviceId !== undefined) return [deviceId]
    if (groupId === undefined) return []
    const room =
      this.#fleet.roomOfGroup(groupId)?.room ??
      (operation === 'RebootRoom' ? this.#fleet.roomOfId(groupId) : null)
    return room === null ? [groupId] : [room.id, ...room.groupIds]
  }

  #specs(facts: DeviceFacts, now: number): readonly SettingSpec[] {
    return settingsIn(facts.product, this.firmware(facts, now).version ?? '')
  }

  firmware(facts: DeviceFacts, now: number): Firmware {
    return this.#firmware.read(facts, now, this.presence(facts, now).lost)
  }

  trace(): string {
    this.#traces += 1
    return `00-${createHash('md5').update(`${this.#seed} ${this.#traces}`).digest('hex')}-${mix(this.#traces).toString(16).padStart(16, '0')}-00`
  }

  answer(call: ManagementCall): Answer {
    switch (call.operation) {
      case 'ListDevices':
      case 'ListDevicesWithSettings':
        return this.#fromBody(call, (members, errors) =>
          this.#devicePage(call, this.#request(members, errors), errors, null),
        )
      case 'ListDevicesV1': {
        const members = Object.fromEntries(
          [...call.query].map(([name, value]) => [name.toLowerCase(), value]),
        )
        const errors: Errors = {}
        const size = members['pagesize']
        const request = this.#request(
          {
            deviceClientType: members['deviceclienttype'] ?? '',
            pageSize: size === undefined ? undefined : /^-?\d+$/.test(size) ? Number(size) : size,
            continuationToken: members['continuationtoken'],
          },
          errors,
        )
        return this.#devicePage(call, request, errors, undefined)
      }
      case 'ListMeetingRooms':
        if (this.#faults.strikes('no-room-list', call.operation))
          return gatewayError(404, 'Resource not found')
        return this.#fromBody(call, (members, errors) =>
          this.#roomPage(call, this.#request({ ...members, deviceClientType: '' }, errors), errors),
        )
      case 'GetRoom': {
        const found = this.#fleet.roomOfGroup(call.parameters['groupId'] ?? '')
        if (found === null) return this.#notFound('Meeting room was not found.')
        return json(
          spoil(
            roomRecord(found.room, found.groupId, this.#fleet, this.#seed, call.now, this),
            this.#faults,
            1_000_000_000 + found.room.index,
          ),
        )
      }
      case 'RebootRoom':
        return this.#reboot(call)
      case 'GetDeviceSettings':
      case 'UpdateDeviceSettings':
      case 'GetDeviceFirmware':
      case 'UpdateDeviceFirmware': {
        const facts = this.#fleet.deviceOfId(call.parameters['deviceId'] ?? '', call.now)
        return facts === null ? this.#notFound('Device was not found.') : this.#ofDevice(call, facts)
      }
      default:
        return gatewayError(404, 'Resource not found')
    }
  }

  #ofDevice(call: ManagementCall, facts: DeviceFacts): Answer {
    switch (call.operation) {
      case 'GetDeviceSettings':
        return json({ settings: this.#settings.read(facts, this.#specs(facts, call.now), call.now) })
      case 'UpdateDeviceSettings':
        return this.#fromBody(call, (members, errors) => this.#changeSettings(call, facts, members, errors))
      case 'GetDeviceFirmware': {
        const { version, updating } = this.firmware(facts, call.now)
        return json({
          deviceId: facts.id,
          firmwareVersion: version,
          firmwareUpdateInProgress: updating,
          availableVersions: facts.product.versions,
        })
      }
      default: {
        const version = call.parameters['firmwareVersion'] ?? ''
        const early = this.#slots.take([facts.id], call.now)
        if (early > 0) return tooEarly(early)
        if (!this.#firmware.begin(facts, version, call.now))
          return invalidMembers(this.trace(), {
            firmwareVersion: ['The device has no firmware of this version.'],
          })
        this.#written(facts.id)
        this.#restarts.begin(facts, call.operation, call.now)
        return empty(202)
      }
    }
  }

  #notFound(detail: string): Answer {
    return problem(404, 'Not Found', this.trace(), { detail })
  }

  #fromBody(call: ManagementCall, then: (members: Members, errors: Errors) => Answer): Answer {
    let value: unknown = {}
    try {
      if (call.body.trim() !== '') value = JSON.parse(call.body)
    } catch {
      return invalidMembers(this.trace(), { $: ['The request body is not valid JSON.'] })
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return invalidMembers(this.trace(), { $: ['The JSON value could not be converted to the request.'] })
    return then(value as Members, {})
  }

  #request(members: Members, errors: Errors): PageRequest {
    const {
      deviceClientType = '',
      sortDescending = false,
      pageSize = usualPage,
      continuationToken = '',
    } = members
    const type = deviceClientType === null ? '' : deviceClientType
    const filter =
      typeof type === 'string'
        ? (['', 'MeetingRoom', 'Personal'].find((one) => one.toLowerCase() === type.toLowerCase()) ?? null)
        : null
    if (filter === null)
      errors['deviceClientType'] = [
        `The value '${typeof type === 'string' ? type.slice(0, 40) : typeof type}' is not valid.`,
      ]
    if (typeof sortDescending !== 'boolean' && sortDescending !== null)
      errors['sortDescending'] = ['The value must be true or false.']
    if (typeof pageSize !== 'number' || !Number.isInteger(pageSize) || pageSize < 1 || pageSize > largestPage)
      errors['pageSize'] = [`The field pageSize must be between 1 and ${largestPage}.`]
    if (typeof continuationToken !== 'string' && continuationToken !== null)
      errors['continuationToken'] = ['The value must be a text.']
    return {
      filter: filter ?? '',
      descending: sortDescending === true,
      pageSize: typeof pageSize === 'number' ? pageSize : usualPage,
      token: typeof continuationToken === 'string' ? continuationToken : '',
    }
  }

  #devicePage(call: ManagementCall, request: PageRequest, errors: Errors, atEnd: null | undefined): Answer {
    if (request.filter === 'Personal' && this.#faults.strikes('no-personal', call.operation))
      errors['deviceClientType'] = ["The value 'Personal' is not valid."]
    const { roomDevices, deviceTotal } = this.#fleet
    const first = request.filter === 'Personal' ? roomDevices : 0
    const total = (request.filter === 'MeetingRoom' ? roomDevices : deviceTotal) - first
    return this.#page('devices', call, request, errors, total, atEnd, (position) => {
      const index = first + position
      const facts = this.#fleet.device(index, call.now)
      const record = deviceRecord(facts, this.#fleet, this.#seed, call.now, this)
      const whole =
        call.operation === 'ListDevicesWithSettings'
          ? { ...record, settings: this.#settings.read(facts, this.#specs(facts, call.now), call.now) }
          : record
      return spoil(whole, this.#faults, index)
    })
  }

  #roomPage(call: ManagementCall, request: PageRequest, errors: Errors): Answer {
    return this.#page('rooms', call, request, errors, this.#fleet.roomEntries, undefined, (position) => {
      const { room, groupId } = this.#fleet.roomEntry(position)
      return spoil(
        roomRecord(room, groupId, this.#fleet, this.#seed, call.now, this),
        this.#faults,
        1_000_000_000 + room.index,
      )
    })
  }

  #page(
    list: 'devices' | 'rooms',
    call: ManagementCall,
    request: PageRequest,
    errors: Errors,
    total: number,
    atEnd: null | undefined,
    record: (position: number) => unknown,
  ): Answer {
    const { filter, descending, pageSize, token } = request
    const place =
      token === '' ? { list, filter, descending, offset: 0, salt: 0 } : parseToken(this.#seed, token)
    const expired = token !== '' && this.#faults.strikes('expired-token', call.operation)
    if (place === null || place.list !== list || place.filter !== filter || place.descending !== descending)
      errors['continuationToken'] = ['The continuation token is not valid.']
    else if (expired) errors['continuationToken'] = ['The continuation token has expired.']
    if (place === null || Object.keys(errors).length > 0) return invalidMembers(this.trace(), errors)
    const next = (offset: number): string =>
      writeToken(this.#seed, { list, filter, descending, offset, salt: (this.#salt += 1) })
    if (token !== '' && this.#faults.strikes('repeated-token', call.operation))
      return json({ items: [], continuationToken: token })
    if (this.#faults.strikes('empty-page', call.operation))
      return json({ items: [], continuationToken: next(place.offset) })
    const end = Math.min(total, place.offset + pageSize)
    const items: unknown[] = []
    for (let at = place.offset; at < end; at += 1) items.push(record(descending ? total - 1 - at : at))
    const continuationToken = end < total ? next(end) : atEnd
    return json(continuationToken === undefined ? { items } : { items, continuationToken })
  }

  /** By the group id (specification) or the room's own id (observed): both are accepted. */
  #reboot(call: ManagementCall): Answer {
    const id = call.parameters['groupId'] ?? ''
    const room: RoomFacts | null = this.#fleet.roomOfGroup(id)?.room ?? this.#fleet.roomOfId(id)
    if (room === null) return this.#notFound('Meeting room was not found.')
    const devices = Array.from({ length: room.deviceCount }, (_, at) =>
      this.#fleet.device(room.firstDevice + at, call.now),
    )
    const early = this.#slots.take(
      devices.map((device) => device.id),
      call.now,
    )
    if (early > 0) return tooEarly(early)
    for (const device of devices) this.#restarts.begin(device, call.operation, call.now)
    this.#written(room.id)
    return empty(200)
  }

  #changeSettings(call: ManagementCall, facts: DeviceFacts, members: Members, errors: Errors): Answer {
    const wanted = members['settings']
    if (
      typeof wanted !== 'object' ||
      wanted === null ||
      Array.isArray(wanted) ||
      Object.keys(wanted).length === 0
    ) {
      errors['settings'] = ['The settings field is required.']
      return invalidMembers(this.trace(), errors)
    }
    const early = this.#slots.take([facts.id], call.now)
    if (early > 0) return tooEarly(early)
    const result = this.#settings.write(facts, this.#specs(facts, call.now), wanted as Members, call.now)
    if (Object.keys(result.errors).length > 0) return invalidMembers(this.trace(), result.errors)
    this.#written(facts.id)
    if (result.restarts) this.#restarts.begin(facts, call.operation, call.now)
    return json({})
  }
}
