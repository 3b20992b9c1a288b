import { Failed } from '../../contract/failure.ts'
import type { JsonObject } from '../../contract/json.ts'
import { operationOfTemplate, pathOf } from '../../contract/operations.ts'
import {
  filledBody,
  parametersIn,
  templateInUse,
  type EndpointTemplates,
  type ParsedTemplate,
  type TemplateName,
} from '../../contract/template.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { ServiceResponse, ServiceClient } from '../service-client/service-client.ts'
import { deviceBody, deviceQuery, parsePage, type Page, type PageQuery } from './device-pages.ts'

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

export interface DeviceEndpointsDeps {
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
      // Paging of the device list: in the body (version 2), in the query of a GET (version 1).
      const target =
        method === 'GET'
          ? {
              path: `${path}${path.includes('?') ? '&' : '?'}${deviceQuery('all', token, pageSize)}`,
              body: null,
            }
          : { path, body: deviceBody('all', { token, pageSize }) }
      const answer = await client.send({ operation, method, ...target, lane, signal, writes: false })
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
