import { operations } from '../contract/operations.ts'

const text = { type: 'string' }
const int32 = { type: 'integer', format: 'int32' }
const flag = { type: 'boolean' }
const list = (items: unknown): unknown => ({ type: 'array', items })
const named = (name: string): unknown => ({ $ref: `#/components/schemas/${name}` })
const record = (properties: Readonly<Record<string, unknown>>): unknown => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
})

/** The records that the specification describes. */
const schemas = {
  TelemetrySettings: record({
    thresholdEvents: list(named('ThresholdEvent')),
    integerStateChangedEvents: list(named('IntegerStateChangedEvent')),
    booleanStateChangedEvents: list(named('BooleanStateChangedEvent')),
    callSummary: named('CallSummary'),
  }),
  ThresholdEvent: record({ name: text, defaultMinimum: int32, defaultMaximum: int32 }),
  IntegerStateChangedEvent: record({
    name: text,
    isAscending: flag,
    defaultWarningThreshold: int32,
    defaultErrorThreshold: int32,
  }),
  BooleanStateChangedEvent: record({ name: text, desiredValue: flag }),
  CallSummary: record({ aggregations: list(named('AggregationItem')) }),
  AggregationItem: record({
    name: text,
    deviceEventType: text,
    aggregationMethod: { type: 'string', enum: ['Min', 'Max', 'Average', 'CountTrue', 'CountFalse'] },
  }),
  SchemaVersion: record({ version: text }),
  GnpMapping: record({ mapping: { type: 'object', additionalProperties: text } }),
  Stage: { type: 'string', enum: ['Candidate', 'Test', 'Beta', 'Public'] },
  GnpDefinition: record({
    definitionVersion: text,
    schemaVersion: text,
    stage: named('Stage'),
    properties: { type: 'object', additionalProperties: {} },
  }),
  ProtocolVersion: record({ schemaVersion: text, definitionVersion: text }),
  /** The fields of its items are not published. */
  JoseDefinition: record({
    schemaVersion: text,
    definitionVersion: text,
    stage: named('Stage'),
    settings: list({}),
    commands: list({}),
  }),
}

const responseSchema = (answer: string | null): unknown => {
  if (answer === null) return {}
  const [, item] = /^array of (\w+)$/.exec(answer) ?? []
  const name = item ?? answer
  const schema = Object.hasOwn(schemas, name) ? named(name) : { type: 'object' }
  return item === undefined ? schema : list(schema)
}

/**
 * The machine-readable description of the models endpoints: paths relative, without base address and `.json`
 * (services.md#A37).
 */
export const openApi = (apiVersion: string): Readonly<Record<string, unknown>> => {
  const prefix = '/models/v/{apiVersion}'
  const rows = operations.filter(
    (operation) => operation.path?.startsWith(`${prefix}/`) === true && operation.name !== 'GetOpenApi',
  )
  return {
    openapi: '3.0.1',
    info: { title: 'Device metadata', version: `${apiVersion}.0` },
    paths: Object.fromEntries(
      rows.map(({ name, path, parameters, answer }) => [
        (path ?? '').slice(prefix.length),
        {
          get: {
            operationId: name,
            parameters: parameters
              .filter((parameter) => parameter.name !== 'apiVersion')
              .map((parameter) => ({
                name: parameter.name,
                in: 'path',
                required: true,
                schema:
                  parameter.type === 'int32'
                    ? int32
                    : parameter.type === 'guid'
                      ? { type: 'string', format: 'uuid' }
                      : text,
              })),
            responses: {
              200: { description: 'OK', content: { 'application/json': { schema: responseSchema(answer) } } },
            },
          },
        },
      ]),
    ),
    components: { schemas },
  }
}
