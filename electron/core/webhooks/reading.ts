import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts'
import type { WebhookEvent, WebhookForm, ParsedWebhook } from '../../contract/api/webhooks.ts'
import { parseJsonText } from './json-text.ts'
import { judgedAddress } from '../public-address.ts'

/** From the validation event to the GET (services.md#W6). */
const windowInMs = 10 * 60_000
/** The maximum of an Event Grid batch (services.md#W1). */
const eventsAtMost = 5_000

/**
 * Member names in order of preference, in any case. The names of Event Grid and CloudEvents are observed
 * (services.md#W2, services.md#W4). The others are assumed, because no payload of the service is published;
 * extend the list when one is observed.
 */
const memberNames = {
  id: ['id', 'eventId'],
  type: ['eventType', 'type'],
  subject: ['subject'],
  at: ['eventTime', 'time', 'timestamp', 'createdAt'],
  data: ['data'],
} as const

/** The kind and content of a pasted text. Sends no request, never throws. `now`: epoch milliseconds. */
export function parsePayload(
  text: string,
  now: number,
  settings: { readonly loopbackForTests: boolean },
): ParsedWebhook {
  const parsed = parseJsonText(text)
  if (parsed.problem !== null)
    return { form: null, validation: null, events: [], leftOut: 0, problem: parsed.problem }
  const { value } = parsed
  const elements = Array.isArray(value)
    ? (value as readonly Json[]).map((element, index) => ({ place: `[${index}]`, element }))
    : [{ place: '', element: value }]
  const objects = elements.flatMap(({ place, element }) =>
    isJsonObject(element) ? [{ place, element }] : [],
  )
  if (!Array.isArray(value) && objects.length === 0)
    return {
      form: null,
      validation: null,
      events: [],
      leftOut: 0,
      problem: 'This is JSON, but neither an event nor a list of events.',
    }
  const events = objects.slice(0, eventsAtMost).map(({ place, element }) => eventOf(place, element))
  const order = events.toSorted((one, other) => (one.at ?? Infinity) - (other.at ?? Infinity) || 0)
  return {
    form: formOf(value, objects[0]?.element ?? null),
    validation: validationIn(value, now, settings),
    events: order,
    leftOut: elements.length - events.length,
    problem: null,
  }
}

function formOf(value: Json, first: JsonObject | null): WebhookForm {
  if (first !== null && typeof first['specversion'] === 'string') return 'cloud-events'
  if (
    first !== null &&
    typeof first['eventType'] === 'string' &&
    ('eventTime' in first || 'topic' in first || 'dataVersion' in first)
  )
    return 'event-grid'
  return Array.isArray(value) ? 'array' : 'object'
}

/** The actual name of a member: exact spelling before other cases. */
function nameIn(object: JsonObject, names: readonly string[]): string | null {
  for (const name of names) if (Object.hasOwn(object, name)) return name
  const lower = names.map((name) => name.toLowerCase())
  return Object.keys(object).find((name) => lower.includes(name.toLowerCase())) ?? null
}

function eventOf(place: string, event: JsonObject): WebhookEvent {
  const used = new Set<string>()
  const take = <T>(names: readonly string[], parse: (value: Json) => T | null): T | null => {
    const name = nameIn(event, names)
    const value = name === null ? undefined : event[name]
    const taken = value === undefined ? null : parse(value)
    if (name !== null && taken !== null) used.add(name)
    return taken
  }
  const id = take(memberNames.id, textIn)
  const type = take(memberNames.type, textIn)
  const subject = take(memberNames.subject, textIn)
  const at = take(memberNames.at, timeIn)
  const data = take(memberNames.data, (value) => value)
  return {
    place,
    id,
    type,
    subject,
    at,
    data,
    others: Object.fromEntries(Object.entries(event).filter(([name]) => !used.has(name))),
  }
}

const textIn = (value: Json): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * ISO 8601 with any number of decimals (Event Grid writes seven, services.md#W9); without a zone it counts as
 * UTC. Numbers are assumed to be epoch seconds or milliseconds.
 */
function timeIn(value: Json): number | null {
  if (typeof value === 'number')
    return value >= 1e11 && value < 1e14
      ? Math.trunc(value)
      : value >= 1e8 && value < 1e11
        ? Math.trunc(value * 1000)
        : null
  if (typeof value !== 'string') return null
  const zone = isoTime.exec(value.trim())
  if (zone === null) return null
  const at = Date.parse(zone[1] === undefined ? `${value.trim()}Z` : value.trim())
  return Number.isNaN(at) ? null : at
}

/**
 * Levels below an event, and objects of a payload, that are searched for a validation address. Raise them if
 * a real payload has it deeper.
 */
const levelsAtMost = 16
const objectsAtMost = 20_000

interface Inner {
  readonly object: JsonObject
  /** The path to it, with separators. */
  readonly before: string
  /** The surrounding objects, the event first. */
  readonly around: readonly JsonObject[]
}

/**
 * The first event with an address, and in it the place nearest to the top: at the top or inside `data`
 * (services.md#W2), or anywhere else, because the specification only says that the payload contains it.
 */
function validationIn(
  payload: Json,
  now: number,
  settings: { readonly loopbackForTests: boolean },
): ParsedWebhook['validation'] {
  let left = objectsAtMost
  for (const { place, object: event } of objectsWithin(payload, '')) {
    const waiting: Inner[] = [{ object: event, before: place === '' ? '' : `${place}.`, around: [] }]
    for (const inner of waiting) {
      if (left-- <= 0) return null
      const { object, before, around } = inner
      const name = nameIn(object, ['validationUrl'])
      const url = name === null ? undefined : object[name]
      if (name === null || typeof url !== 'string') {
        // Only as many as are examined, because a text may contain more objects than a call accepts
        // arguments.
        if (around.length < levelsAtMost) waiting.push(...innerOf(inner).slice(0, left))
        continue
      }
      const codeName = nameIn(object, ['validationCode'])
      const code = codeName === null ? null : textIn(object[codeName] ?? null)
      const eventAt =
        [object, ...around.toReversed()].map((one) => eventOf('', one).at).find((at) => at !== null) ?? null
      const address = judgedAddress(url, settings)
      return {
        place: `${before}${name}`,
        url,
        host: address.host,
        code,
        eventAt,
        readAt: now,
        until: Math.min(eventAt ?? now, now) + windowInMs,
        refused: address.refused,
      }
    }
  }
  return null
}

/** The objects in an object: its members, and the elements of its lists. `data` comes first, as observed. */
function innerOf({ object, before, around }: Inner): readonly Inner[] {
  const members = Object.entries(object).toSorted(
    ([one], [other]) => Number(isData(other)) - Number(isData(one)),
  )
  return members.flatMap(([name, value]) =>
    objectsWithin(value, `${before}${name}`).map((inner) => ({
      object: inner.object,
      before: `${inner.place}.`,
      around: [...around, object],
    })),
  )
}

const isData = (name: string): boolean => memberNames.data.some((one) => one === name.toLowerCase())

/** The objects of a value: itself, the elements of a list, or the content of JSON inside a text. */
function objectsWithin(
  value: Json,
  place: string,
): readonly { readonly object: JsonObject; readonly place: string }[] {
  if (typeof value === 'string') {
    if (!/^\s*[[{]/.test(value) || !/validationurl/i.test(value)) return []
    const { value: inner, problem } = parseJsonText(value)
    return problem === null ? objectsWithin(typeof inner === 'string' ? null : inner, place) : []
  }
  if (isJsonObject(value)) return [{ object: value, place }]
  if (!Array.isArray(value)) return []
  return (value as readonly Json[]).flatMap((element, index) => objectsWithin(element, `${place}[${index}]`))
}
