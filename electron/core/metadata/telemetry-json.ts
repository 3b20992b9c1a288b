import type { TelemetryEvent } from '../../contract/metadata.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { booleanOf, memberOf, numberOf, objectOf, objectsIn, textOf } from './json-reading.ts'

export interface TelemetryDefinitions {
  /** In the order received, kind by kind. */
  readonly events: readonly TelemetryEvent[]
  readonly raw: JsonObject
}

const sections = ['thresholdEvents', 'integerStateChangedEvents', 'booleanStateChangedEvents', 'callSummary'] as const

/** TelemetrySettings (specification, part 2): any section may be missing all the same; an event without a name is left out. null: none is there. */
export function telemetryOf(json: Json): TelemetryDefinitions | null {
  const root = objectOf(json)
  if (root === null || sections.every((section) => memberOf(root, section) === undefined)) return null
  const summary = objectOf(memberOf(root, 'callSummary')) ?? {}
  const read = (list: Json | undefined, event: (record: JsonObject, name: string) => TelemetryEvent): readonly TelemetryEvent[] =>
    objectsIn(list).flatMap((record) => {
      const name = textOf(memberOf(record, 'name'))
      return name === null ? [] : [event(record, name)]
    })
  return {
    events: [
      ...read(memberOf(root, 'thresholdEvents'), (record, name) => ({
        kind: 'threshold',
        name,
        minimum: numberOf(memberOf(record, 'defaultMinimum')),
        maximum: numberOf(memberOf(record, 'defaultMaximum')),
      })),
      ...read(memberOf(root, 'integerStateChangedEvents'), (record, name) => ({
        kind: 'integer',
        name,
        ascending: booleanOf(memberOf(record, 'isAscending')),
        warning: numberOf(memberOf(record, 'defaultWarningThreshold')),
        error: numberOf(memberOf(record, 'defaultErrorThreshold')),
      })),
      ...read(memberOf(root, 'booleanStateChangedEvents'), (record, name) => ({
        kind: 'boolean',
        name,
        desired: booleanOf(memberOf(record, 'desiredValue')),
      })),
      ...read(memberOf(summary, 'aggregations'), (record, name) => ({
        kind: 'call-summary',
        name,
        deviceEventType: textOf(memberOf(record, 'deviceEventType')),
        // Open: a word beside Min, Max, Average, CountTrue and CountFalse stays as received.
        method: textOf(memberOf(record, 'aggregationMethod')),
      })),
    ],
    raw: root,
  }
}
