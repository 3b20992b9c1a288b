import { Failed } from '../../contract/failure.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { operationNamed, pathOf, operationOfTemplate } from '../../contract/operations.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import {
  saysError,
  type ServiceClient,
  type ServiceRequest,
  type ServiceResponse,
} from '../service-client/service-client.ts'
import { boundedRecord } from './bounded-json.ts'
import {
  deviceBody,
  deviceQuery,
  parsePage,
  type DeviceStream,
  type Page,
  type PageQuery,
  type PageRequest,
} from './device-pages.ts'
import { identifiedDevice } from './device-json.ts'
import { innerObject, membersOf, objectOf, memberText } from './members.ts'
import { groupIdOf, identifiedRoom, parseRoom } from './room-json.ts'
import {
  filledBody,
  parametersIn,
  templateInUse,
  type EndpointTemplates,
  type ParsedTemplate,
  type TemplateName,
} from '../../contract/template.ts'

export { boundedRecord } from './bounded-json.ts'
export { TokenTrail, type DeviceStream, type Page } from './device-pages.ts'
export { otherThanAsked, parseFirmware, type ParsedFirmware } from './firmware-json.ts'
export { parseDevice, type DeviceRecord } from './device-json.ts'
export { isSameWord } from './members.ts'
export { parseRoom, type RoomRecord } from './room-json.ts'

/**
 * What makes a record of a list the same as another; null: unreadable. One room is listed under each of its
 * group ids (services.md#B41).
 */
export function recordIdentity(of: PageRequest['of'], json: Json): string | null {
  const raw = objectOf(json)
  if (raw === null) return null
  if (of === 'device') return identifiedDevice(raw)?.id ?? null
  const room = identifiedRoom(raw)
  return room === null ? null : JSON.stringify([room.id, groupIdOf(room.member)])
}

/** What may tell who an unreadable record is. */
export function identifyingWords(json: Json): {
  readonly serialNumber: string | null
  readonly name: string | null
} {
  const member = membersOf(objectOf(json) ?? {})
  return { serialNumber: memberText(member('serialNumber')), name: memberText(member('name')) }
}

/** The management interface. Rejects with Failed. */
export interface Management {
  devicePage(request: PageQuery & { stream: DeviceStream }): Promise<Page>
  roomPage(request: PageQuery): Promise<Page>
  /** A room by the group id of any one of its devices. `calls` counts attempts. */
  room(request: {
    groupId: string
    lane: Lane
    signal: AbortSignal | null
  }): Promise<{ raw: Json; receivedAt: number; calls: number }>
}

export interface ManagementOptions {
  /**
   * The `api-version` of the organization: 1 lists devices by GET with query parameters (services.md#B31).
   */
  readonly managementVersion: number
  /** The host that a failure names. */
  readonly host?: string
}

export function openManagement(
  client: ServiceClient,
  { managementVersion, host = 'management interface' }: ManagementOptions,
): Management {
  const listsBefore = new Set<string>()
  const page = async (
    request: ServiceRequest,
    wanted: Pick<PageRequest, 'of' | 'token' | 'pageSize'>,
  ): Promise<Page> =>
    parsePage(await client.send(request), { ...wanted, operation: request.operation, host, listsBefore })

  return {
    async devicePage({ stream, token, pageSize, descending, lane, signal }) {
      if (descending && managementVersion === 1)
        throw new Failed({
          kind: 'not-found',
          call: { operation: 'ListDevicesV1', host },
          what: 'An order of devices in version 1',
        })
      const { name, method, path } = operationNamed(managementVersion === 1 ? 'ListDevicesV1' : 'ListDevices')
      const request =
        managementVersion === 1
          ? { operation: name, method, path: `${path}?${deviceQuery(stream, token, pageSize)}`, body: null }
          : {
              operation: name,
              method,
              path,
              body: deviceBody(stream, { token, pageSize, ...(descending && { descending }) }),
            }
      return page({ ...request, lane, signal, writes: false }, { of: 'device', token, pageSize })
    },

    roomPage({ token, pageSize, descending = false, lane, signal }) {
      const body: JsonObject = {
        sortDescending: descending,
        pageSize,
        ...(token === null ? {} : { continuationToken: token }),
      }
      const wanted = { of: 'room', token, pageSize } as const
      const { name, method, path } = operationNamed('ListMeetingRooms')
      return page({ operation: name, method, path, body, lane, signal, writes: false }, wanted)
    },

    async room({ groupId, lane, signal }) {
      // Not allowed as a path segment, because they would address another operation.
      if (groupId === '.' || groupId === '..')
        throw new Failed({ kind: 'not-found', call: { operation: 'GetRoom', host }, what: groupId })
      const operation = operationNamed('GetRoom')
      const answer = await client.send({
        operation: operation.name,
        method: operation.method,
        path: pathOf(operation, { groupId }),
        body: null,
        lane,
        signal,
        writes: false,
      })
      const raw = roomIn(answer.json)
      if (raw === null)
        throw new Failed({
          kind: 'unreadable-answer',
          call: { operation: 'GetRoom', host },
          where: 'body',
          message: 'an error message inside a successful answer',
        })
      return { raw: boundedRecord(raw), receivedAt: answer.receivedAt, calls: answer.attempts }
    },
  }
}

/**
 * The room's record: the response itself, or the only element of a list. null: it contains an error instead.
 */
function roomIn(json: Json): Json | null {
  const room = innerObject(json) ?? json
  return !parseRoom(room).readable && saysError(objectOf(room) ?? {}) ? null : room
}

export interface ToDevice {
  readonly deviceId: string
  readonly lane: Lane
  readonly signal: AbortSignal | null
}

/** The one attempt; `beforeDispatch` is the last check of the write (service-request.ts). */
type PreparedWrite = (
  signal: AbortSignal | null,
  beforeDispatch?: () => Promise<void>,
) => Promise<ServiceResponse>

/**
 * Calls with unpublished addresses, by the profile's templates. Reads reject with Failed; without a template
 * with `not-found` ("not published") before anything is sent. Writes are prepared synchronously, so that a
 * missing template or an unusable id is reported before the write begins; the prepared function makes its one
 * attempt when called.
 */
export interface DeviceEndpoints {
  /** Throws Failed like a call if the profile has no address for it. */
  mustBeKnown(name: TemplateName): void
  settings(request: ToDevice): Promise<ServiceResponse>
  devicesWithSettings(request: PageQuery): Promise<Page>
  firmware(request: ToDevice): Promise<ServiceResponse>
  settingsUpdate(deviceId: string, body: JsonObject): PreparedWrite
  /** With the body of the template. Throws Failed `invalid` if the template does not contain the version. */
  firmwareUpdate(deviceId: string, firmwareVersion: string): PreparedWrite
}

interface DeviceEndpointsDeps {
  readonly client: ServiceClient
  readonly templates: EndpointTemplates
  /** The host that a failure names. */
  readonly host: string
  /** A device's id as the service last spelt it; missing: as given. */
  readonly sentId?: (deviceId: string) => string
}

export function openDeviceEndpoints(deps: DeviceEndpointsDeps): DeviceEndpoints {
  const { client, templates, host, sentId = (deviceId) => deviceId } = deps
  const known = (name: TemplateName): ParsedTemplate => {
    const operation = operationOfTemplate(name).name
    const template = templateInUse(name, templates)
    if (template === null)
      throw new Failed({
        kind: 'not-found',
        call: { operation, host },
        what: `a path for ${operation} (not published; you can add one to the organization’s profile)`,
      })
    return template
  }
  const address = (name: TemplateName, parameters: Readonly<Record<string, string>>) => {
    const operation = operationOfTemplate(name)
    const template = known(name)
    return {
      operation: operation.name,
      method: template.method,
      path: pathOf(operation, parameters, template.path),
    }
  }
  const fetchAt = async (
    name: TemplateName,
    { deviceId, lane, signal }: ToDevice,
  ): Promise<ServiceResponse> =>
    client.send({ ...address(name, { deviceId: sentId(deviceId) }), body: null, lane, signal, writes: false })
  const listsBefore = new Set<string>()
  const prepared = (
    name: TemplateName,
    parameters: Readonly<Record<string, string>>,
    body: ParsedTemplate['body'],
  ): PreparedWrite => {
    const request = { ...address(name, parameters), body, lane: 'write' as const, writes: true }
    return (signal, beforeDispatch) => client.send({ ...request, signal, beforeDispatch })
  }

  return {
    mustBeKnown: (name) => void known(name),
    settings: (request) => fetchAt('deviceSettings', request),
    firmware: (request) => fetchAt('firmwareRead', request),

    async devicesWithSettings({ token, pageSize, lane, signal }) {
      const { operation, method, path } = address('devicesWithSettings', {})
      const body = deviceBody('all', { token, pageSize })
      const answer = await client.send({ operation, method, path, body, lane, signal, writes: false })
      return parsePage(answer, { operation, host, of: 'device', token, pageSize, listsBefore })
    },

    settingsUpdate: (deviceId, body) =>
      prepared('updateDeviceSettings', { deviceId: sentId(deviceId) }, body),
    firmwareUpdate(deviceId, firmwareVersion) {
      const { path, body } = known('firmwareUpdate')
      const named = { deviceId: sentId(deviceId), firmwareVersion }
      const inPath = parametersIn(path)
      if (![...inPath, ...parametersIn(body)].includes('firmwareVersion'))
        throw Failed.invalid(
          'templates.firmwareUpdate',
          'The firmware update template does not contain {firmwareVersion}, so the service would choose the version.',
        )
      const inAddress = Object.fromEntries(Object.entries(named).filter(([name]) => inPath.includes(name)))
      return prepared('firmwareUpdate', inAddress, filledBody(body, named))
    },
  }
}
