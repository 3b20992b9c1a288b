import { Failed } from './failure.ts'
import type { Json } from './json.ts'
import {
  operationNamed,
  operations,
  templateOperations,
  type Operation,
  type TemplateName,
} from './operations.ts'

export type { TemplateName }

/**
 * Endpoints that exist but are not published (services.md#B36): a profile may define each as `METHOD
 * /path/{deviceId}`. null: not published; the features that need it report this.
 */
export type EndpointTemplates = Readonly<Record<TemplateName, string | null>>

export interface ParsedTemplate {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Begins with `/`; parameters in braces. */
  readonly path: string
  /** The request body, parameters in braces in its texts; null: the template has none. */
  readonly body: Json | null
}

/**
 * Defaults of a new profile: the paths of another client (services.md#B42); no paths are published for the
 * others.
 */
export const observedTemplates = Object.fromEntries(
  templateOperations.map(({ template, method, path }) => [
    template,
    path === null ? null : `${method} ${path}`,
  ]),
) as EndpointTemplates

interface TemplateRule {
  readonly methods: readonly ParsedTemplate['method'][]
  /** Parameters it must contain, each exactly once. */
  readonly needs: readonly string[]
  readonly mayName: readonly string[]
  /** Whether it may contain its body: the bodies of the others are built elsewhere. */
  readonly mayHaveBody?: true
}

/**
 * A reading template may be POST only if it names no device, because it must never be able to change one (our
 * rule).
 */
const rules: Readonly<Record<TemplateName, TemplateRule>> = {
  deviceSettings: { methods: ['GET'], needs: ['deviceId'], mayName: [] },
  updateDeviceSettings: { methods: ['PATCH', 'POST'], needs: ['deviceId'], mayName: [] },
  devicesWithSettings: { methods: ['POST'], needs: [], mayName: [] },
  firmwareRead: { methods: ['GET'], needs: ['deviceId'], mayName: [] },
  firmwareUpdate: {
    methods: ['POST', 'PATCH'],
    needs: ['deviceId'],
    mayName: ['firmwareVersion'],
    mayHaveBody: true,
  },
}

/** Templates that change a device. */
const writing: readonly TemplateName[] = templateOperations.flatMap((one) =>
  one.effect === null ? [] : [one.template],
)

export const templateNames = Object.keys(rules) as readonly TemplateName[]

/**
 * The problem of a template, as a sentence; null: none. `others`: the other templates of the profile; one
 * that reads must not match the address of one that writes. The bounds have no outside source.
 */
export function templateProblem(
  name: TemplateName,
  typed: string,
  others: EndpointTemplates = observedTemplates,
): string | null {
  const { methods, needs, mayName, mayHaveBody = false } = rules[name]
  const text = typed.trim()
  if (text.length > 500) return 'The template is longer than 500 characters.'
  const parsed = parseTemplate(text)
  if (parsed === null)
    return `A template is a method, a space and a path, such as "${methods[0] ?? 'GET'} /devices/${needs.length === 0 ? 'all' : '{deviceId}'}".`
  const { method, path, body } = parsed
  if (!methods.includes(method)) return `The method must be ${methods.join(' or ')}.`
  if (path.startsWith('//') || /[\s\\#]/.test(path) || !/^[\x21-\x7e]+$/.test(path))
    return 'The path must be one address path without spaces, "#" or "\\".'
  const place = decoded(path.split('?')[0] ?? '')
  if (place.split(/[/?]/).some((segment) => /^\.{1,2}(?:;|$)/.test(segment)))
    return 'The path must not contain "." or ".." as a segment.'
  if (place.startsWith('//') || /[\s\\#?\p{Cc}]/u.test(place))
    return 'The path must be one address path without spaces, "#" or "\\".'
  if (place.replaceAll(/[^{}]/g, '') !== (path.split('?')[0] ?? '').replaceAll(/[^{}]/g, ''))
    return 'The path contains an encoded brace.'
  if (/[{}]/.test(path.replaceAll(/\{\w+\}/g, ''))) return 'A brace in the path is not closed.'
  if (body !== null && !mayHaveBody) return 'Only the template of a firmware update may name a body.'
  const inPath = parametersIn(path)
  const named = [...inPath, ...parametersIn(body)]
  for (const one of named)
    if (!needs.includes(one) && !mayName.includes(one))
      return `The ${inPath.includes(one) ? 'path' : 'body'} names {${one}}, which is not known here.`
  for (const one of needs) if (!named.includes(one)) return `The path must name {${one}}.`
  if (new Set(inPath).size < inPath.length) return 'The path names a parameter twice.'
  return writingProblem(name, parsed, others)
}

/**
 * A reading template needs no unlock, and a writing one takes the slot of one device: neither may reach more.
 */
function writingProblem(
  name: TemplateName,
  { method, path }: ParsedTemplate,
  others: EndpointTemplates,
): string | null {
  const reads = !writing.includes(name)
  const restarts = decoded(path)
    .toLowerCase()
    .split(/[/?&=;.]/)
    .some((part) => part.replaceAll(/\{\w+\}|[^a-z]/g, '').includes('reboot'))
  if (restarts || mayMeet(operationNamed('RebootRoom').path ?? '', path))
    return reads
      ? 'This path restarts a room: it cannot be used for reading.'
      : 'This path restarts a room: only the reboot of rooms may use it.'
  // A GET with the path of a write is a usual way to read; a POST would be the write itself.
  if (!reads || method !== 'POST') return null
  const written = [
    ...operations.flatMap((one: Operation) => (one.effect !== null && one.path !== null ? [one.path] : [])),
    ...writing.flatMap((one) => parseTemplate(others[one] ?? '')?.path ?? []),
  ]
  return written.some((one) => mayMeet(one, path))
    ? 'A POST to this path changes a device: it cannot be used for reading.'
    : null
}

/**
 * The template for a call, checked again so that changing the workbook file cannot make a read a write; null:
 * none. Throws Failed `invalid` naming the template.
 */
export function templateInUse(name: TemplateName, templates: EndpointTemplates): ParsedTemplate | null {
  const text = templates[name] ?? ''
  const parsed = parseTemplate(text)
  const problem = parsed === null ? null : templateProblem(name, text, templates)
  if (problem !== null) throw Failed.invalid(`templates.${name}`, problem)
  return parsed
}

/**
 * Decodes percent-encoding until none is left, byte by byte: a service or a proxy may decode more than once.
 */
function decoded(text: string): string {
  const once = text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return once === text ? text : decoded(once)
}

/**
 * Segments as a tolerant service compares them: decoded, in one case, without parameters, empty segments and
 * query.
 */
const segmentsOf = (path: string): readonly string[] =>
  (decoded(path).split(/[?#]/)[0] ?? '')
    .toLowerCase()
    .split(/[/\\]/)
    .map((segment) => (segment.split(';')[0] ?? '').trim())
    .filter((segment) => segment !== '' && segment !== '.')

/** Whether two paths can be the same address: text in braces matches anything. */
function mayMeet(one: string, other: string): boolean {
  const [a, b] = [segmentsOf(one), segmentsOf(other)]
  const isOpen = (segment: string | undefined): boolean => segment?.includes('{') === true
  return (
    a.length === b.length && a.every((segment, at) => segment === b[at] || isOpen(segment) || isOpen(b[at]))
  )
}

/** Method, path and body of a stored template; null if it is not one. */
export function parseTemplate(text: string): ParsedTemplate | null {
  const [, method = '', path = '', body] = /^([A-Za-z]+) +(\/.*?)(?:\s+([{[][^]*))?$/.exec(text.trim()) ?? []
  const known = (['GET', 'POST', 'PATCH'] as const).find((one) => one === method.toUpperCase())
  if (known === undefined || path === '') return null
  if (body === undefined) return { method: known, path, body: null }
  // A parameter may also be a whole value.
  const json = jsonOf(body) ?? jsonOf(body.replaceAll(/(?<=[:,[]\s*)\{(\w+)\}/g, '"{$1}"'))
  return json === null ? null : { method: known, path, body: json }
}

function jsonOf(text: string): Json | null {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

/** A template in the form that is stored. */
export const templateText = ({ method, path, body }: ParsedTemplate): string =>
  `${method} ${path}${body === null ? '' : ` ${JSON.stringify(body)}`}`

/** Parameters in a path, or in the texts of a body, in order. */
export function parametersIn(template: Json): readonly string[] {
  if (typeof template === 'string')
    return [...template.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
  return typeof template === 'object' && template !== null
    ? Object.values(template).flatMap((one: Json) => parametersIn(one))
    : []
}

/**
 * The body of a template with its parameters inserted, each as text: no parameter can end the text that
 * contains it.
 */
export function filledBody(body: Json, parameters: Readonly<Record<string, string>>): Json {
  if (typeof body === 'string')
    return body.replaceAll(/\{(\w+)\}/g, (whole, name: string) => parameters[name] ?? whole)
  if (Array.isArray(body)) return body.map((one: Json) => filledBody(one, parameters))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, one]) => [name, filledBody(one, parameters)]))
}
