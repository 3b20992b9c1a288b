import type { ExplorerOperation, ExplorerParameter } from '../../contract/api/explorer.ts'
import { operations, templateOperations, type Operation } from '../../contract/operations.ts'
import type { Json } from '../../contract/json.ts'
import {
  parametersIn,
  parseTemplate,
  templateInUse,
  type EndpointTemplates,
} from '../../contract/template.ts'

/** An operation with its path: the specification's, or a profile's template. */
export interface Callable extends Operation {
  /** The path is the organization's own, instead of the one in the table. */
  readonly ownPath: string | null
  /** The body in the template; null: none. */
  readonly ownBody: Json | null
}

/** The payload of an unpublished endpoint is whatever the technician enters: the whole body, as JSON. */
const wholeBody = { name: 'body', in: 'body', type: 'json', required: false } as const

/**
 * Throws Failed `invalid` if the template of a stored profile must not be called: checked before every call.
 */
export function mustBeCallable(operation: string, templates: EndpointTemplates): void {
  const row = templateOperations.find((one) => one.name === operation)
  if (row !== undefined) templateInUse(row.template, templates)
}

/**
 * Every documented operation with this organization's paths; without one, with observed paths. A path of
 * null: not published.
 */
export function callables(templates: EndpointTemplates | null): readonly Callable[] {
  return operations.map((operation) => {
    if (operation.template === null || templates === null)
      return { ...operation, ownPath: null, ownBody: null }
    const parsed = parseTemplate(templates[operation.template] ?? '')
    if (parsed === null) return { ...operation, path: null, ownPath: null, ownBody: null }
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
      ownPath: parsed.path,
      ownBody: parsed.body,
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
  const { name, method, path, effect, published, answer } = operation
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
    writes: effect !== null,
    published,
    answer,
  }
}
