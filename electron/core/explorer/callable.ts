import type { ExplorerOperation, ExplorerParameter } from '../../contract/api/explorer.ts'
import { operations, type Operation } from '../../contract/operations.ts'
import type { Json } from '../../contract/json.ts'
import {
  parametersIn,
  parseTemplate,
  templateInUse,
  type EndpointTemplates,
  type TemplateName,
} from '../../contract/template.ts'

/** An operation with its path: the specification's, or a profile's template. */
export interface Callable extends Operation {
  /** The path is the organization's own, instead of the one in the table. */
  readonly template: string | null
  /** The body in the template; null: none. */
  readonly templateBody: Json | null
}

/** The profile's template for each operation without a published path. */
const templateOf: Readonly<Record<string, TemplateName>> = {
  GetDeviceSettings: 'deviceSettings',
  UpdateDeviceSettings: 'updateDeviceSettings',
  ListDevicesWithSettings: 'devicesWithSettings',
  GetDeviceFirmware: 'firmwareRead',
  UpdateDeviceFirmware: 'firmwareUpdate',
}

/** The payload of an unpublished endpoint is whatever the technician enters: the whole body, as JSON. */
const wholeBody = { name: 'body', in: 'body', type: 'json', required: false } as const

/**
 * Throws Failed `invalid` if the template of a stored profile must not be called: checked before every call.
 */
export function mustBeCallable(operation: string, templates: EndpointTemplates): void {
  const name = templateOf[operation]
  if (name !== undefined) templateInUse(name, templates)
}

/**
 * Every documented operation with this organization's paths; without one, with observed paths. A path of
 * null: not published.
 */
export function callables(templates: EndpointTemplates | null): readonly Callable[] {
  return operations.map((operation: Operation) => {
    const name = templateOf[operation.name]
    if (name === undefined || templates === null) return { ...operation, template: null, templateBody: null }
    const parsed = parseTemplate(templates[name] ?? '')
    if (parsed === null) return { ...operation, path: null, template: null, templateBody: null }
    const named = [...new Set([...parametersIn(parsed.path), ...parametersIn(parsed.body)])].map(
      (one) => ({ name: one, in: 'path', type: 'string', required: true }) as const,
    )
    const others = operation.parameters.filter(
      (one) => one.in !== 'path' && (one.in !== 'body' || parsed.method !== 'GET'),
    )
    const body =
      parsed.method === 'GET' || parsed.body !== null || others.some((one) => one.in === 'body')
        ? []
        : [wholeBody]
    return {
      ...operation,
      method: parsed.method,
      path: parsed.path,
      template: parsed.path,
      templateBody: parsed.body,
      parameters: [...named, ...others, ...body],
    }
  })
}

/**
 * In the form of the Explorer and `headroom operations`; `offered` gives the suggested values of a parameter.
 */
export function asListed(
  operation: Callable,
  offered: (name: string) => ExplorerParameter['offered'] = () => [],
): ExplorerOperation {
  const { name, method, path, writes, published, answer } = operation
  return {
    name,
    interface: operation.interface,
    method,
    path,
    parameters: operation.parameters.map((one) => ({
      name: one.name,
      in: one.in,
      type: one.type,
      required: one.required,
      offered: offered(one.name),
    })),
    writes,
    published,
    answer,
  }
}
