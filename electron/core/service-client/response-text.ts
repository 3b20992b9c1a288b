import type { Json, JsonObject } from '../../contract/json.ts'
import type { WireResponse } from '../platform.ts'
import type { KeyScrubber } from './service-request.ts'

/** Longest text of a service that is shown or logged. Raise it if real messages are cut. */
const longestMessage = 300

/**
 * Maximum levels of lists and objects in a response. JSON.parse accepts any depth, but JSON.stringify and
 * structured cloning are recursive and run out of stack at about 5,000. Observed: groups of a device model
 * nest up to 16. Raise it if real responses are deeper.
 */
const deepestNesting = 500

const anHtmlPage = 'an HTML page instead of JSON, perhaps of a proxy or a sign-in page'

/**
 * Content types that servers use for any content: here the text is examined. Extend the list when a server
 * uses another.
 */
const saysNothing: ReadonlySet<string> = new Set([
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-json',
])

/** A link that is the whole body, without quotation marks. */
const isAddress = /^https?:\/\/\S+$/i

/**
 * A 2xx response without data; `where` names the place, `message` describes its content. Neither contains any
 * of the body.
 */
export class Unreadable extends Error {
  readonly where: string
  constructor(where: string, message: string) {
    super(message)
    this.name = 'Unreadable'
    this.where = where
  }
}

/**
 * The JSON of a 2xx response: an object or an array, unless a document may be a single value, because the
 * records of the metadata interface are not published and a link may be a plain address. Throws Unreadable.
 */
export function parseJson(answer: WireResponse, mayBeSingle = false): Json {
  const text = answer.body.replace(/^\uFEFF/, '')
  if (text.trim() === '') throw new Unreadable('body', 'the body is empty')
  const type = mediaType(answer)
  const isJson = type === null || /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type)
  const wrongType = (): Unreadable =>
    new Unreadable(
      'content type',
      looksLikeHtml(type, text) ? anHtmlPage : `${cut(type ?? '', 80)} instead of JSON`,
    )
  if (!isJson && !saysNothing.has(type)) throw wrongType()
  let json: Json
  try {
    json = JSON.parse(text) as Json
  } catch (error) {
    if (mayBeSingle && isAddress.test(text.trim())) return text.trim()
    if (!isJson) throw wrongType()
    if (looksLikeHtml(type, text)) throw new Unreadable('body', anHtmlPage)
    throw new Unreadable(placeOf(error, text), 'the JSON is damaged or incomplete')
  }
  if (!mayBeSingle && (json === null || typeof json !== 'object'))
    throw new Unreadable('body', `a single ${json === null ? 'null' : typeof json} instead of data`)
  if (isNestedTooDeep(text)) throw new Unreadable('body', `more than ${deepestNesting} levels of nesting`)
  if (isErrorText(json)) throw new Unreadable('body', 'an error message inside a successful answer')
  return json
}

/**
 * The content of a 2xx response to a write: null for an empty body, or for text that is not JSON. The
 * specification shows no body for any write, so any is accepted (`true`, a sentence, plain text) except an
 * HTML page, an error message, a negative result, an incomplete body, or several results (207) in a form
 * that is not published. Throws Unreadable.
 */
export function parseWriteResponse(answer: WireResponse): Json {
  if (answer.status === 207) throw new Unreadable('status', 'several results (207), which need not be alike')
  const text = answer.body.replace(/^\uFEFF/, '').trim()
  if (text === '') return null
  if (looksLikeHtml(mediaType(answer), text)) throw new Unreadable('body', anHtmlPage)
  let json: Json
  try {
    json = JSON.parse(text) as Json
  } catch (error) {
    if (/^[[{"]/.test(text)) throw new Unreadable(placeOf(error, text), 'the JSON is damaged or incomplete')
    json = null
  }
  const said = json === null ? text : typeof json === 'string' ? json : ''
  if (isErrorText(json) || startsAsError.test(said))
    throw new Unreadable('body', 'an error message inside a successful answer')
  if (saysNo(json === null ? text : json)) throw new Unreadable('body', 'a body that reports a failure')
  return typeof json === 'object' && isNestedTooDeep(text) ? null : json
}

/** A plain text that is not a confirmation. Extend it when another is observed. */
const startsAsError = /^\W*(?:internal server )?(?:error|exception|fail(?:ed|ure))\b/i

/** For text that was parsed, so brackets outside strings are in pairs. About 1.5 ms a megabyte (measured). */
function isNestedTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      // Skips the string: to the first quote without a backslash before it.
      for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++)
        if (text.charCodeAt(at) === 0x5c) at++
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepestNesting) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/**
 * The service's error text, for display: the gateway's `message`, problem details, plain text
 * (services.md#B18); null: none. HTML is never shown. Shortened, one line, and without any key.
 */
export function errorMessage(answer: WireResponse, scrubber: Pick<KeyScrubber, 'text'>): string | null {
  const text = answer.body.trim()
  if (text === '') return null
  if (isHtmlPage(answer)) return 'an HTML page instead of an error message'
  return forPeople(saidIn(text), scrubber)
}

/** A proxy, a content filter or a sign-in page may answer with any status. */
export function isHtmlPage(answer: WireResponse): boolean {
  const text = answer.body.trim()
  return text !== '' && looksLikeHtml(mediaType(answer), text)
}

/** Shortens a text of the service and removes every key from it; null for an empty one. */
function forPeople(text: string | null, scrubber: Pick<KeyScrubber, 'text'>): string | null {
  if (text === null) return null
  // Control characters could break a log line; bidirectional marks could disguise a message.
  const clean = scrubber
    .text(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return clean === '' ? null : cut(clean, longestMessage)
}

function saidIn(text: string): string | null {
  let json: Json
  try {
    json = JSON.parse(text) as Json
  } catch {
    return text
  }
  if (typeof json === 'string') return json
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return null
  const members = json as JsonObject
  const inner = members['error']
  const from =
    inner !== null && typeof inner === 'object' && !Array.isArray(inner) ? (inner as JsonObject) : members
  const [message, title, detail] = ['message', 'title', 'detail'].map((name) =>
    typeof from[name] === 'string' ? from[name] : null,
  )
  if (message) return message
  const problem = [title, detail, ...namedErrors(members['errors'])].filter((part) => part)
  // Each may be a sentence: only the last keeps its end mark.
  if (problem.length > 0)
    return problem
      .map((part, at) => (at < problem.length - 1 ? part?.replace(/\.\s*$/, '') : part))
      .join(': ')
  return typeof inner === 'string' ? inner : null
}

/** `errors` of problem details: a dictionary from field to texts. */
function namedErrors(errors: Json | undefined): string[] {
  if (errors === null || typeof errors !== 'object' || Array.isArray(errors)) return []
  return Object.entries(errors as JsonObject).map(
    ([field, texts]) =>
      `${field}: ${[texts]
        .flat()
        .filter((text) => typeof text === 'string')
        .join(', ')}`,
  )
}

function mediaType(answer: WireResponse): string | null {
  return answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase() || null
}

function looksLikeHtml(type: string | null, text: string): boolean {
  return (
    type === 'text/html' ||
    type === 'application/xhtml+xml' ||
    /^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 1_000))
  )
}

/** The message of the JavaScript engine may quote the body, so only the position is used. */
function placeOf(error: unknown, text: string): string {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
  return position === undefined
    ? `body, within ${text.length} characters`
    : `body, character ${Math.min(Number(position) + 1, text.length)} of ${text.length}`
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}

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
function isErrorText(json: Json): boolean {
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
function saysNo(json: Json): boolean {
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
