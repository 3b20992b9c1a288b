import type { Schema } from '@cfworker/json-schema'

const one: Schema = { $ref: '#' }
const list: Schema = { type: 'array', items: one, minItems: 1 }
const map: Schema = { type: 'object', additionalProperties: one }
const count: Schema = { type: 'integer', minimum: 0 }
const names: Schema = { type: 'array', items: { type: 'string' } }
const limit: Schema = { type: ['number', 'boolean'] }
const type: Schema = { enum: ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] }
const of = (schema: Schema, keywords: string): Record<string, Schema> =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, schema]))

/**
 * The allowed content of a schema of any draft from 4 to 2020-12, so that a damaged schema is not reported as
 * a payload that does not match.
 */
export const schemaOfSchemas: Schema = {
  type: ['object', 'boolean'],
  properties: {
    ...of(one, 'additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties'),
    ...of(one, 'propertyNames not if then else'),
    ...of(list, 'prefixItems allOf anyOf oneOf'),
    ...of(map, '$defs definitions properties patternProperties dependentSchemas'),
    ...of(count, 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'),
    ...of({ type: 'number' }, 'minimum maximum'),
    ...of(limit, 'exclusiveMinimum exclusiveMaximum'),
    ...of({ type: 'string' }, 'pattern format $ref $anchor'),
    type: { anyOf: [type, { type: 'array', items: type }] },
    enum: { type: 'array' },
    required: { anyOf: [names, { type: 'boolean' }] },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    uniqueItems: { type: 'boolean' },
    items: { anyOf: [one, { type: 'array', items: one }] },
    dependentRequired: { type: 'object', additionalProperties: names },
    dependencies: { type: 'object', additionalProperties: { anyOf: [names, one] } },
  },
}
