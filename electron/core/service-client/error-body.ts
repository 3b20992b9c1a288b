import type { Json, JsonObject } from '../../contract/json.ts'

/** Names of members that error bodies have. Observed (4.8) and, for details, chosen. */
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

/** Only members that error bodies have, and something that says so: an error text inside a 200. */
export function isErrorText(json: Json): boolean {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return false
  const members = json as JsonObject
  const names = Object.keys(members)
  if (names.length === 0 || !names.every((name) => errorMembers.has(name))) return false
  const status = members['statusCode'] ?? members['status']
  return 'error' in members || 'errors' in members || (typeof members['message'] === 'string' && status === undefined) || saysError(members)
}

/**
 * Whether an envelope says that what is in it is no data: `error`, `code` with `message`, `title` with `status`, a status of 400 and more,
 * `success: false`; in any case. A code or status that means success says nothing. Chosen: error bodies are not shown (specification, part 7).
 */
export function saysError(envelope: JsonObject): boolean {
  const members = new Map(Object.entries(envelope).map(([name, value]) => [name.toLowerCase(), value]))
  const member = (...names: readonly string[]): Json | undefined =>
    names.map((name) => members.get(name)).find((value) => value !== undefined && !isNothing(value))
  if (member('error', 'errors', 'exception', 'fault') !== undefined) return true
  if (['success', 'succeeded', 'issuccess', 'ok'].some((name) => isWord(members.get(name), ['false']))) return true
  const status = member('statuscode', 'httpstatus', 'status')
  if (isFailedStatus(status) || isWord(status, ['error', 'failed', 'failure'])) return true
  const code = member('code', 'errorcode')
  if (code !== undefined && typeof member('message') === 'string' && !meansSuccess(code)) return true
  return status !== undefined && typeof member('title') === 'string' && !meansSuccess(status)
}

const isNothing = (value: Json): boolean =>
  value === null || value === false || value === 0 || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

const isWord = (value: Json | undefined, words: readonly string[]): boolean =>
  (typeof value === 'string' || typeof value === 'boolean') && words.includes(String(value).trim().toLowerCase())

const numberIn = (value: Json | undefined): number | null =>
  typeof value === 'number' ? value : typeof value === 'string' && /^\s*\d{1,5}\s*$/.test(value) ? Number(value) : null

const isFailedStatus = (value: Json | undefined): boolean => (numberIn(value) ?? 0) >= 400

const meansSuccess = (value: Json): boolean => {
  const number = numberIn(value)
  return (number !== null && number >= 200 && number < 300) || isWord(value, ['ok', 'success', 'succeeded'])
}
