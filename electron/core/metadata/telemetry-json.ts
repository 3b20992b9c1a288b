import type { TelemetryEvent } from '../../contract/api/metadata.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import {
  booleanOf,
  entriesOf,
  firstOf,
  memberOf,
  numberOf,
  objectOf,
  recordEntriesOf,
  scalarTextOf,
  jsonText,
  type Entry,
} from './json-reading.ts'

export interface TelemetryDefinitions {
  /** In the order received, grouped by kind. */
  readonly events: readonly TelemetryEvent[]
  /** Entries among the events that are not events, as received: they are shown and counted. */
  readonly unreadable: readonly Json[]
  readonly raw: JsonObject
}

type Reader = (record: JsonObject, name: string | null) => TelemetryEvent

const sections: Readonly<
  Record<'thresholdEvents' | 'integerStateChangedEvents' | 'booleanStateChangedEvents', Reader>
> = {
  thresholdEvents: (record, name) => ({
    kind: 'threshold',
    name,
    minimum: numberOf(memberOf(record, 'defaultMinimum')),
    maximum: numberOf(memberOf(record, 'defaultMaximum')),
  }),
  integerStateChangedEvents: (record, name) => ({
    kind: 'integer',
    name,
    ascending: booleanOf(memberOf(record, 'isAscending')),
    warning: numberOf(memberOf(record, 'defaultWarningThreshold')),
    error: numberOf(memberOf(record, 'defaultErrorThreshold')),
  }),
  booleanStateChangedEvents: (record, name) => ({
    kind: 'boolean',
    name,
    desired: booleanOf(memberOf(record, 'desiredValue')),
  }),
}

const aggregation: Reader = (record, name) => ({
  kind: 'call-summary',
  name,
  deviceEventType: jsonText(memberOf(record, 'deviceEventType')),
  // Open: a value other than Min, Max, Average, CountTrue and CountFalse remains as received.
  method: jsonText(memberOf(record, 'aggregationMethod')),
})

/**
 * TelemetrySettings (services.md#A32): any section may be missing nevertheless, and an event may have
 * no name. null: no section is present.
 */
export function telemetryOf(json: Json): TelemetryDefinitions | null {
  const whole = objectOf(json)
  const known = [...Object.keys(sections), 'callSummary']
  const isThere = (one: JsonObject): boolean =>
    known.some((name) => memberOf(one, name) !== undefined || one[name] === null)
  const root = [whole, objectOf(memberOf(whole ?? {}, 'data', 'result'))].find(
    (one) => one !== null && isThere(one),
  )
  if (whole === null || root === null || root === undefined) return null
  const summary = memberOf(root, 'callSummary')
  const parsed = [
    ...Object.entries(sections).map(([name, reader]) => parseSection(memberOf(root, name), reader)),
    parseSection(memberOf(objectOf(summary) ?? {}, 'aggregations') ?? summary, aggregation),
  ]
  const others = Object.entries(root).filter(
    ([name, value]) =>
      typeof value === 'object' && !known.some((one) => one.toLowerCase() === name.toLowerCase()),
  )
  return {
    events: parsed.flatMap(({ events }) => events),
    unreadable: [
      ...parsed.flatMap(({ unreadable }) => unreadable),
      ...others.flatMap(([, value]) => entriesOf(value)?.map((entry) => entry.value) ?? []),
    ],
    raw: whole,
  }
}

/** A list of events, or a dictionary of them by name; a single text is a name. */
function parseSection(
  json: Json | undefined,
  event: Reader,
): { readonly events: readonly TelemetryEvent[]; readonly unreadable: readonly Json[] } {
  const entries = recordEntriesOf(json, 'events', 'aggregations')
  if (entries === null) return { events: [], unreadable: json === undefined ? [] : [json] }
  const parsed = entries.map((entry) => ({ entry, event: eventOf(entry, event) }))
  return {
    events: parsed.flatMap((one) => one.event ?? []),
    unreadable: parsed.flatMap((one) => (one.event === null ? [one.entry.value] : [])),
  }
}

function eventOf({ key, value }: Entry, event: Reader): TelemetryEvent | null {
  const record = objectOf(value)
  if (record !== null) return event(record, firstOf(record, ['name', 'eventName', 'id'], scalarTextOf) ?? key)
  const name = jsonText(value)
  return name === null ? null : event({}, name)
}
