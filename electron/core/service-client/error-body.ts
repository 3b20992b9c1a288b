import type { Json, JsonObject } from '../../contract/json.ts'

/** Member names of error bodies. services.md#B18; those of details are assumed. */
const errorMembers = new Set([
  'statusCode',
  'status',
  'message',
  'error',
  'errors',
  'title',
  'detail',
  'details',
  'type',
  'code',
  'traceId',
  'requestId',
  'instance',
  'activityId',
  'timestamp',
  'path',
  'success',
])

/** Only members of error bodies, and one that reports an error: an error text inside a 200. */
export function isErrorText(json: Json): boolean {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return false
  const members = json as JsonObject
  const names = Object.keys(members)
  if (names.length === 0 || !names.every((name) => errorMembers.has(name))) return false
  const status = members['statusCode'] ?? members['status']
  return (
    'error' in members ||
    'errors' in members ||
    (typeof members['message'] === 'string' && status === undefined) ||
    saysError(members)
  )
}

/**
 * Whether an envelope reports an error instead of data: `error`, `code` with `message`, `title` with
 * `status`, a status of 400 or more, `success: false`; in any case. A code or status that means success is
 * ignored. Error bodies are not published (services.md#B33): extend the rules when others are observed.
 */
export function saysError(envelope: JsonObject): boolean {
  const members = new Map(Object.entries(envelope).map(([name, value]) => [name.toLowerCase(), value]))
  const member = (...names: readonly string[]): Json | undefined =>
    names.map((name) => members.get(name)).find((value) => value !== undefined && !isNothing(value))
  if (member('error', 'errors', 'exception', 'fault') !== undefined) return true
  if (['success', 'succeeded', 'issuccess', 'ok'].some((name) => isWord(members.get(name), ['false'])))
    return true
  const status = member('statuscode', 'httpstatus', 'status')
  if (isFailedStatus(status) || isWord(status, ['error', 'failed', 'failure'])) return true
  const code = member('code', 'errorcode')
  if (code !== undefined && typeof member('message') === 'string' && !meansSuccess(code)) return true
  return status !== undefined && typeof member('title') === 'string' && !meansSuccess(status)
}

/** Depth at which a list of results may be found in a response. Raise it if one is found deeper. */
const verdictLevels = 3
/**
 * Members that report success or failure, without case and separators; deeper `status` members have other
 * values. Extend it when others are observed.
 */
const verdicts = new Set([
  'success',
  'succeeded',
  'successful',
  'issuccess',
  'issucceeded',
  'issuccessful',
  'ok',
  'isok',
  'accepted',
  'isaccepted',
])
const outcomes = new Set(['status', 'result', 'outcome', 'state'])
const negative = [
  'false',
  'error',
  'errors',
  'fail',
  'failed',
  'failure',
  'reject',
  'rejected',
  'denied',
  'refused',
]
/** Members that contain the error, besides those of `saysError`. */
const errorHolders = new Set(['errormessage', 'failure', 'failures'])
const plainName = (name: string): string => name.replaceAll(/[-_\s]/g, '').toLowerCase()

/**
 * Whether the response to a write says that it was not done, or not completely: `false`, an error envelope, a
 * negative verdict or outcome, also in a list of results. No body of a write is published.
 */
export function saysNo(json: Json): boolean {
  if (Array.isArray(json)) return json.some(saysNo)
  if (json === null || typeof json !== 'object') return isWord(json, ['false'])
  const members = Object.entries(json).map(([name, value]) => [plainName(name), value] as const)
  const isNegative = members.some(([name, value]) => outcomes.has(name) && isWord(value, negative))
  return (
    isNegative ||
    members.some(([name, value]) => errorHolders.has(name) && !isNothing(value)) ||
    saysError(json as JsonObject) ||
    isDenied(json, verdictLevels)
  )
}

function isDenied(json: Json, levels: number): boolean {
  if (json === null || typeof json !== 'object' || levels === 0) return false
  if (Array.isArray(json)) return json.some((one: Json) => isDenied(one, levels))
  return Object.entries(json).some(
    ([name, value]) =>
      (verdicts.has(plainName(name)) && isWord(value, ['false'])) || isDenied(value, levels - 1),
  )
}

const isNothing = (value: Json): boolean =>
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const isWord = (value: Json | undefined, words: readonly string[]): boolean =>
  (typeof value === 'string' || typeof value === 'boolean') &&
  words.includes(String(value).trim().toLowerCase())

const numberIn = (value: Json | undefined): number | null =>
  typeof value === 'number'
    ? value
    : typeof value === 'string' && /^\s*\d{1,5}\s*$/.test(value)
      ? Number(value)
      : null

const isFailedStatus = (value: Json | undefined): boolean => (numberIn(value) ?? 0) >= 400

const meansSuccess = (value: Json): boolean => {
  const number = numberIn(value)
  return (number !== null && number >= 200 && number < 300) || isWord(value, ['ok', 'success', 'succeeded'])
}
