import { createHash } from 'node:crypto'
import { operationNamed } from '../contract/operations.ts'
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

type Handlers<Of extends readonly unknown[]> = Readonly<
  Partial<Record<string, (call: ManagementCall, ...of: Of) => Answer>>
>
type Errors = Record<string, readonly string[]>

const tooEarly = (ms: number): Answer => {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return gatewayError(429, `Rate limit is exceeded. Try again in ${seconds} seconds.`, {
    'retry-after': String(seconds),
  })
}
export { tooEarly as rateLimitExceeded }

/** Texts for those names that are no parameters of the operation; query names in any case (services.md#B22). */
const unknownNames = (operation: string, place: 'query' | 'body', names: Iterable<string>): Errors => {
  const spelt = (name: string): string => (place === 'query' ? name.toLowerCase() : name)
  const known = (operationNamed(operation)?.parameters ?? [])
    .filter((parameter) => parameter.in === place)
    .map(({ name }) => spelt(name))
  return Object.fromEntries(
    [...names]
      .filter((name) => !known.includes(spelt(name)))
      .map((name) => [name, ['The name is not known.']]),
  )
}

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
    const room = this.#roomOf(operation, groupId)
    return room === null ? [groupId] : [room.id, ...room.groupIds]
  }

  /** By a group id, for a write also by the room's own id (services.md#B35). */
  #roomOf(operation: string, id: string): RoomFacts | null {
    const isWrite = (operationNamed(operation)?.effect ?? null) !== null
    return this.#fleet.roomOfGroup(id)?.room ?? (isWrite ? this.#fleet.roomOfId(id) : null)
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
    const unknown = unknownNames(call.operation, 'query', call.query.keys())
    if (Object.keys(unknown).length > 0) return invalidMembers(this.trace(), unknown)
    const list = this.#lists[call.operation]
    if (list !== undefined) return list(call)
    const { deviceId, groupId = '' } = call.parameters
    if (deviceId !== undefined) {
      const device = this.#fleet.deviceOfId(deviceId, call.now)
      return device === null
        ? this.#notFound('Device was not found.')
        : (this.#ofDevice[call.operation]?.(call, device) ?? this.#byRow(call, device.id, [device]))
    }
    const room = this.#roomOf(call.operation, groupId)
    if (room === null) return this.#notFound('Meeting room was not found.')
    return (
      this.#ofRoom[call.operation]?.(call, room) ??
      this.#byRow(
        call,
        room.id,
        Array.from({ length: room.deviceCount }, (_, at) =>
          this.#fleet.device(room.firstDevice + at, call.now),
        ),
      )
    )
  }

  readonly #lists: Handlers<[]> = {
    ListDevices: (call) => this.#deviceList(call),
    ListDevicesWithSettings: (call) => this.#deviceList(call),
    ListDevicesV1: (call) => {
      const members = Object.fromEntries([...call.query].map(([name, value]) => [name.toLowerCase(), value]))
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
    },
    ListMeetingRooms: (call) =>
      this.#faults.strikes('no-room-list', call.operation)
        ? gatewayError(404, 'Resource not found')
        : this.#fromBody(call, (members, errors) =>
            this.#roomPage(call, this.#request({ ...members, deviceClientType: '' }, errors), errors),
          ),
  }

  readonly #ofRoom: Handlers<[room: RoomFacts]> = {
    GetRoom: (call, room) => {
      const groupId = this.#fleet.roomOfGroup(call.parameters['groupId'] ?? '')?.groupId ?? ''
      return json(
        spoil(
          roomRecord(room, groupId, this.#fleet, this.#seed, call.now, this),
          this.#faults,
          1_000_000_000 + room.index,
        ),
      )
    },
  }

  readonly #ofDevice: Handlers<[device: DeviceFacts]> = {
    GetDeviceSettings: (call, device) =>
      json({ settings: this.#settings.read(device, this.#specs(device, call.now), call.now) }),
    UpdateDeviceSettings: (call, device) =>
      this.#fromBody(call, (members, errors) => this.#changeSettings(call, device, members, errors)),
    GetDeviceFirmware: (call, device) => {
      const { version, updating } = this.firmware(device, call.now)
      return json({
        deviceId: device.id,
        firmwareVersion: version,
        firmwareUpdateInProgress: updating,
        availableVersions: device.product.versions,
      })
    },
    UpdateDeviceFirmware: (call, device) =>
      this.#write(call, device.id, [device], () =>
        this.#firmware.begin(device, call.parameters['firmwareVersion'] ?? '', call.now)
          ? { answer: empty(202), restarts: true }
          : invalidMembers(this.trace(), {
              firmwareVersion: ['The device has no firmware of this version.'],
            }),
      ),
  }

  /** An operation without a handler of its own: what its row in the table says of it. */
  #byRow(call: ManagementCall, subject: string, devices: readonly DeviceFacts[]): Answer {
    const effect = operationNamed(call.operation)?.effect ?? null
    if (effect === null) return json({})
    const restarts = effect.changes.includes('rebooted')
    return this.#write(call, subject, devices, () => ({ answer: empty(200), restarts }))
  }

  /** Takes the slots of the devices, then makes the change, which may refuse. */
  #write(
    call: ManagementCall,
    subject: string,
    devices: readonly DeviceFacts[],
    change: () => Answer | { readonly answer: Answer; readonly restarts: boolean },
  ): Answer {
    const early = this.#slots.take(
      devices.map((device) => device.id),
      call.now,
    )
    if (early > 0) return tooEarly(early)
    const made = change()
    if (!('answer' in made)) return made
    if (made.restarts) for (const device of devices) this.#restarts.begin(device, call.operation, call.now)
    this.#written(subject)
    return made.answer
  }

  #deviceList(call: ManagementCall): Answer {
    return this.#fromBody(call, (members, errors) =>
      this.#devicePage(call, this.#request(members, errors), errors, null),
    )
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
    const unknown = unknownNames(call.operation, 'body', Object.keys(value))
    return Object.keys(unknown).length > 0
      ? invalidMembers(this.trace(), unknown)
      : then(value as Members, {})
  }

  #request(members: Members, errors: Errors): PageRequest {
    const { deviceClientType = '', sortDescending = false, pageSize = usualPage, continuationToken } = members
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
    // The first request omits it (services.md#B34).
    if (
      continuationToken !== undefined &&
      (typeof continuationToken !== 'string' || continuationToken === '')
    )
      errors['continuationToken'] = ['The value must be a text that is not empty.']
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
    return this.#write(call, facts.id, [facts], () => {
      const { errors: refused, restarts } = this.#settings.write(
        facts,
        this.#specs(facts, call.now),
        wanted as Members,
        call.now,
      )
      return Object.keys(refused).length > 0
        ? invalidMembers(this.trace(), refused)
        : { answer: json({}), restarts }
    })
  }
}
