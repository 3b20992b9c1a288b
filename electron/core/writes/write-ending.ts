import { Failed, isKind, type Failure } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { Log } from '../platform.ts'
import type { Json, JsonObject } from '../../contract/json.ts'

/** How the attempt of a write ended. */
export interface Ending {
  readonly outcome: 'accepted' | 'refused' | 'unconfirmed'
  readonly status: number | null
  readonly failure: Failure | null
}

/** The write certainly did not arrive: the minute of the devices does not begin. */
export const wasNotSent = ({ failure }: Ending): boolean =>
  failure !== null && !policyOf(failure).countsAsSent

export function endingOf(error: unknown, operation: string, log: Log): Ending {
  if (!(error instanceof Failed)) {
    log.write('error', 'A write ended unexpectedly', { operation, error: String(error) })
    const message = 'An error occurred in Headroom while it was sent.'
    return {
      outcome: 'unconfirmed',
      status: null,
      failure: { kind: 'unconfirmed', call: { operation, host: null }, message },
    }
  }
  const { failure } = error
  if (isKind(failure, 'unconfirmed'))
    return { outcome: 'unconfirmed', status: failure.status ?? null, failure }
  const status = isKind(failure, 'refused') ? failure.status : policyOf(failure).status
  return { outcome: 'refused', status, failure }
}

/** The message of the journal line. */
export function messageOf(failure: Failure): string {
  if ('message' in failure && failure.message !== null && failure.message !== '')
    return `${failure.kind}: ${failure.message}`
  if (isKind(failure, 'not-found')) return `${failure.kind}: ${failure.what}`
  return failure.kind
}

/**
 * Longest text of a write's before and after in the journal, in characters. Raise it if real texts are cut.
 */
const wordsAtMost = 2_000
/** Recorded levels of a body; known bodies have at most four. Raise it if one is deeper. */
const levelsAtMost = 50
const dots = '•••'

/** Words in a name that make its value confidential. Extend it when a new confidential name is observed. */
const confidential: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'pwd',
  'pass',
  'passkey',
  'psk',
  'passcode',
  'passphrase',
  'secret',
  'credential',
  'credentials',
  'pin',
  'code',
  'key',
  'token',
  'auth',
  'community',
  'otp',
])

/** Whether a value with this name may be a password or a code: it is only recorded as changed. */
export const isConfidential = (name: string): boolean =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => confidential.has(word))

export const shortened = (text: string): string =>
  text.length > wordsAtMost ? `${text.slice(0, wordsAtMost)}…` : text

/**
 * A request's body for the journal: JSON, with dots for possible passwords and codes, without keys,
 * shortened.
 */
export const bodyText = (body: Json, scrub: (text: string) => string): string =>
  shortened(scrub(JSON.stringify(concealed(body)) ?? ''))

/** Members that name their siblings, as in a list of settings. */
const naming: ReadonlySet<string> = new Set(['name', 'id', 'setting', 'settingName', 'settingId'])

/** A body with dots for possible passwords and codes. */
export function concealed(json: Json, level = 0): Json {
  if (typeof json !== 'object' || json === null) return json
  if (level >= levelsAtMost) return '…'
  if (Array.isArray(json)) return json.map((one: Json) => concealed(one, level + 1))
  const members = Object.entries(json)
  const isNamed = members.some(
    ([name, value]) => naming.has(name) && typeof value === 'string' && isConfidential(value),
  )
  return Object.fromEntries(
    members.map(([name, value]) => {
      const hides = isConfidential(name) || (isNamed && !naming.has(name))
      return [
        name,
        hides && value !== null && typeof value !== 'boolean' ? dots : concealed(value, level + 1),
      ]
    }),
  )
}

/**
 * A copy with dots for every text and number that may be a password or a code: a value under a confidential
 * name, or next to such a name. On, off and null reveal nothing, nor does a choice (`selected` alone): its
 * values are published.
 */
export function replaceConfidential(
  json: Json,
  replace: (name: string, value: string | number) => Json,
): Json {
  const walk = (value: Json, under: string | null, level: number): Json => {
    if (typeof value === 'string' || typeof value === 'number')
      return under === null ? value : replace(under, value)
    if (typeof value !== 'object' || value === null) return value
    if (level >= levelsAtMost) return '…'
    if (Array.isArray(value)) return value.map((one: Json) => walk(one, under, level + 1))
    const entry = value as JsonObject
    if (under !== null && isChoice(entry)) return entry
    const members = Object.entries(entry)
    const named = members.find(
      ([name, is]) => naming.has(name) && typeof is === 'string' && isConfidential(is),
    )?.[1]
    return Object.fromEntries(
      members.map(([name, is]) => {
        const inside =
          typeof named === 'string' && naming.has(name)
            ? null
            : (under ?? (typeof named === 'string' ? named : isConfidential(name) ? name : null))
        return [name, walk(is, inside, level + 1)]
      }),
    )
  }
  return walk(json, null, 0)
}

const isChoice = (entry: JsonObject): boolean => 'selected' in entry && (entry['value'] ?? null) === null
