import { metadata, operations, type Operation } from '../../contract/operations.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { booleanOf, memberOf, objectOf, objectsIn, jsonText } from './json-reading.ts'

/** One GET of the machine-readable description, in a form that can be compared between versions. */
export interface DescribedOperation {
  readonly id: string | null
  /** As written, relative to the models base (services.md#A37). */
  readonly path: string
  /** Names and types of the parameters in the path, in its order. */
  readonly parameters: readonly string[]
  /** The schema of the response with all references resolved, as canonical text; null: not described. */
  readonly answer: string | null
  readonly deprecated: boolean
  /** It requires parameters in the query, which no address of this interface has. */
  readonly needsQuery: boolean
}

export interface OpenApi {
  /** `info.version` as written; null: not stated. */
  readonly version: string | null
  readonly operations: readonly DescribedOperation[]
  readonly raw: JsonObject
}

/** null: not a description of an interface. */
export function openApiOf(json: Json): OpenApi | null {
  const root = objectOf(json)
  const paths = root === null ? null : objectOf(memberOf(root, 'paths'))
  if (root === null || paths === null) return null
  return {
    version: jsonText(memberOf(objectOf(memberOf(root, 'info')) ?? {}, 'version')),
    operations: Object.entries(paths).flatMap(([path, item]) => {
      const get = objectOf(memberOf(objectOf(item) ?? {}, 'get'))
      return get === null ? [] : [described(root, path, get, objectOf(item) ?? {})]
    }),
    raw: root,
  }
}

function described(root: JsonObject, path: string, get: JsonObject, item: JsonObject): DescribedOperation {
  const given = [...objectsIn(memberOf(item, 'parameters')), ...objectsIn(memberOf(get, 'parameters'))].map(
    (one) => followed(root, one),
  )
  const named = new Map(given.map((one) => [jsonText(memberOf(one, 'name')) ?? '', one]))
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']) => `${name}: ${typeOf(root, objectOf(memberOf(named.get(name) ?? {}, 'schema')))}`,
  )
  const queries = [...named].filter(
    ([, one]) => jsonText(memberOf(one, 'in')) === 'query' && booleanOf(memberOf(one, 'required')) === true,
  )
  const ok = objectOf(memberOf(objectOf(memberOf(get, 'responses')) ?? {}, '200'))
  const content = ok === null ? null : objectOf(memberOf(followed(root, ok), 'content'))
  const [media] = content === null ? [] : Object.values(content)
  const schema = objectOf(memberOf(objectOf(media) ?? {}, 'schema'))
  return {
    id: jsonText(memberOf(get, 'operationId')),
    path,
    parameters: [...parameters, ...queries.map(([name]) => `${name}: required in the query`)],
    answer: schema === null ? null : canonical(root, schema, 0, new Set()),
    deprecated: booleanOf(memberOf(get, 'deprecated')) === true,
    needsQuery: queries.length > 0,
  }
}

const typeOf = (root: JsonObject, schema: JsonObject | null): string => {
  if (schema === null) return 'not said'
  const plain = followed(root, schema)
  return [jsonText(memberOf(plain, 'type')) ?? 'not said', jsonText(memberOf(plain, 'format'))]
    .filter(Boolean)
    .join(' ')
}

/** The target of a local reference; the object itself if it is not a reference or has no target. */
function followed(root: JsonObject, object: JsonObject): JsonObject {
  const reference = jsonText(memberOf(object, '$ref'))
  if (reference?.startsWith('#/') !== true) return object
  let at: Json | undefined = root
  for (const part of reference.slice(2).split('/'))
    at = objectOf(at)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  return objectOf(at) ?? object
}

/** Members that do not affect responses. */
const wordsOnly = new Set([
  'description',
  'title',
  'example',
  'examples',
  'summary',
  'externalDocs',
  'deprecated',
])
/**
 * Depth of comparison for descriptions that are nested deeper or circular. Raise it if real ones are deeper.
 */
const deepest = 12

function canonical(root: JsonObject, json: Json, depth: number, above: ReadonlySet<string>): string {
  if (Array.isArray(json))
    return `[${(json as readonly Json[]).map((one) => canonical(root, one, depth + 1, above)).join(',')}]`
  const object = objectOf(json)
  if (object === null) return JSON.stringify(json)
  const reference = jsonText(memberOf(object, '$ref'))
  if (depth > deepest || (reference !== null && above.has(reference))) return '…'
  const plain = followed(root, object)
  const under = reference === null ? above : new Set([...above, reference])
  const members = Object.keys(plain)
    .filter((name) => !wordsOnly.has(name))
    .sort()
    .map((name) => {
      const value = plain[name] ?? null
      // The order of required names and enumeration values has no meaning.
      const sorted =
        (name === 'required' || name === 'enum') && Array.isArray(value)
          ? [...(value as readonly Json[])].sort(byText)
          : value
      return `${JSON.stringify(name)}:${canonical(root, sorted, depth + 1, under)}`
    })
  return `{${members.join(',')}}`
}

const byText = (one: Json, other: Json): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

export interface Difference {
  readonly operation: string
  readonly what: string
}

/**
 * How the operations that this program uses differ between the descriptions of two versions; operations
 * missing in the older one are skipped.
 */
export function differencesBetween(before: OpenApi, after: OpenApi): readonly Difference[] {
  return inUse.flatMap(({ name, path }) => {
    const old = found(before, name, path ?? '')
    if (old === null) return []
    const now = found(after, name, path ?? '')
    if (now === null) return [{ operation: name, what: 'is no longer described' }]
    const differences: string[] = []
    if (shapeOf(old.path) !== shapeOf(now.path)) differences.push(`its path is now ${now.path}`)
    if (old.parameters.join() !== now.parameters.join())
      differences.push(`its parameters are now ${now.parameters.join(', ') || 'none'}`)
    if (old.answer !== now.answer) differences.push('its answer has another shape')
    return differences.map((what) => ({ operation: name, what }))
  })
}

/** The operations that this program uses and a description marks as deprecated. */
export const deprecatedIn = (api: OpenApi): readonly string[] =>
  inUse.flatMap(({ name, path }) => (found(api, name, path ?? '')?.deprecated === true ? [name] : []))

/** The operations of a description that the older one lacks. */
export const addedIn = (before: OpenApi, after: OpenApi): readonly DescribedOperation[] =>
  after.operations.filter(({ id, path }) => found(before, id, path) === null)

/** Whether the description says that it is of this version, such as `18.0` of 18, or does not say which. */
export const isOfVersion = ({ version }: OpenApi, asked: number): boolean =>
  version === null || new RegExp(`^v?${asked}(?!\\d)`, 'i').test(version.trim())

/** Maximum of operations beyond the table. Raise it if a real description has more. */
const unknownAtMost = 200
/** Segments of letters, digits and parameters; anything else might lead elsewhere. */
const plainPath = /^(?:\/(?:[\w~-]|\.(?!\.)|\{\w+\})+)+$/

/** The reads of a description that this program has no row for. Their parameters are text. */
export function unknownReads(api: OpenApi): readonly Operation[] {
  const isKnown = ({ id, path }: DescribedOperation): boolean =>
    inUse.some(
      (row) => shapeOf(row.path ?? '') === shapeOf(path) || row.name.toLowerCase() === id?.toLowerCase(),
    )
  const taken = new Set<string>(operations.map(({ name }) => name.toLowerCase()))
  const reads: Operation[] = []
  for (const one of api.operations) {
    const path = one.path.replace(/^.*\/models\/v\/[^/]+/i, '').replace(/\.json$/i, '')
    const name =
      one.id !== null && /^\w{1,100}$/.test(one.id) && !taken.has(one.id.toLowerCase()) ? one.id : path
    if (isKnown(one) || one.needsQuery || !plainPath.test(path) || taken.has(name.toLowerCase())) continue
    if (reads.length >= unknownAtMost) break
    taken.add(name.toLowerCase())
    const whole = `${prefix.slice(0, -1)}${path}`
    reads.push({
      ...metadata(name, 'service', whole, null),
      parameters: [
        ...[...new Set([...whole.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter))].map(
          (parameter) => ({ name: parameter, in: 'path', type: 'string', required: true }) as const,
        ),
      ],
    })
  }
  return reads
}

const prefix = '/models/v/{apiVersion}/'
const inUse: readonly { readonly name: string; readonly path: string | null }[] = operations.filter(
  (operation) => operation.path?.startsWith(prefix) === true && operation.name !== 'GetOpenApi',
)
/** A path without its parameter names, its base and its suffix, in lower case. */
const shapeOf = (path: string): string =>
  path
    .replace(/^.*\/models\/v\/[^/]+/i, '')
    .replace(/\.json$/i, '')
    .replace(/\{\w+\}/g, '{}')
    .toLowerCase()

function found(api: OpenApi, name: string | null, path: string): DescribedOperation | null {
  const byPath = api.operations.find((one) => shapeOf(one.path) === shapeOf(path))
  return (
    byPath ??
    api.operations.find((one) => one.id !== null && one.id.toLowerCase() === name?.toLowerCase()) ??
    null
  )
}
