import {
  FileBroken,
  type FileResponse,
  type WireFault,
  type Clock,
  type FileTransport,
  type Names,
} from '../platform.ts'
import { Failed, type CallPlace, type Failure } from '../../contract/failure.ts'
import { offlineFailure, statedMoment } from '../service-client/service-client.ts'
import { isIP } from 'node:net'
import type { FileAddressRule } from '../../contract/download.ts'
import { isLoopback } from '../../contract/loopback.ts'
import { isPublicAddress, judgedAddress, lookupWithin } from '../public-address.ts'

/** Allowed sources of a file: a public host over https, or the organization's own metadata origin. */
interface FileAddress {
  readonly url: string
  readonly host: string
  /** Addresses to connect to, one at a time; null: a proxy connects. */
  readonly addresses: readonly string[] | null
}

interface AddressDeps {
  readonly clock: Clock
  readonly names: Names
  readonly transport: FileTransport
  /** The origin of the organization's metadata address: https, or http to this computer. */
  readonly ownOrigin: string
}

export const addressRefused = (url: string, rule: FileAddressRule): Failed =>
  new Failed({ kind: 'address-refused', address: withoutSecrets(url), rule })

/** The part of an address that a message may contain: no query, fragment or credentials. */
function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return url.slice(0, 200)
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`.slice(0, 500)
}

/**
 * Checks the address as written and after name lookup. Rejects with Failed `address-refused`, throws
 * FileBroken if the name is not found.
 */
export async function fileAddress(
  written: string,
  { clock, names, transport, ownOrigin }: AddressDeps,
): Promise<FileAddress> {
  const parsed = URL.canParse(written) ? new URL(written) : null
  const isOwn = parsed !== null && parsed.origin === ownOrigin && parsed.username + parsed.password === ''
  const isAllowedOwn =
    isOwn && (parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname)))
  // Blanks in a link are handled as in every browser.
  const judged = judgedAddress(parsed?.href ?? written, names)
  if (!isAllowedOwn && judged.refused !== null) throw addressRefused(written, judged.refused)
  const { href, host, hostname } = new URL(written)
  const [url = href] = href.split('#')
  if (await transport.isProxied(url)) return { url, host, addresses: null }
  const name = hostname.replace(/^\[|\]$/g, '')
  const addresses =
    isIP(name) !== 0
      ? [name]
      : isLoopback(hostname)
        ? ['127.0.0.1', '::1']
        : await lookupWithin(clock, names, name)
  if (addresses.length === 0)
    throw new FileBroken({
      kind: 'fault',
      sent: 'no',
      reason: 'offline',
      message: `${host} cannot be found; check the address and the network`,
    })
  // An attacker can mix a private address with public ones: all of them must be public.
  if (!isAllowedOwn && addresses.some((address) => !isPublicAddress(address, names)))
    throw addressRefused(written, 'leads-inside')
  return { url, host, addresses }
}

export interface FileRequestDeps extends AddressDeps {
  /** One attempt, counted on the Connections page. */
  readonly counted: <T extends { readonly kind: string }>(
    url: string,
    attempt: () => Promise<T>,
  ) => Promise<T>
}

export interface ReachedFile {
  readonly answer: FileResponse
  /** The host that sends the file, after redirects. */
  readonly host: string
}

/** Chosen; raise it if a host needs more. */
const redirectsAtMost = 5
/**
 * Timeout for the headers of a response, and between pieces: as long as for a response of the services. Raise
 * it if hosts are slower.
 */
const silentAtMostInMs = 30_000
/**
 * Number of addresses of a name that are tried as long as certainly nothing was sent. Raise it if hosts have
 * more dead addresses.
 */
const addressesAtMost = 3

/** The allowed targets of redirects. */
export interface RedirectRule {
  readonly atMost: number
  /** null: every source that the address rule allows. */
  readonly origins: ReadonlySet<string> | null
}
const fileRedirects: RedirectRule = { atMost: redirectsAtMost, origins: null }

/**
 * One GET with its redirects; the address rule applies to each of them. No key, cookie or referrer is sent.
 * Rejects with Failed `address-refused`; throws FileBroken without a response.
 */
export async function requestFile(
  link: string,
  more: Readonly<Record<string, string>>,
  signal: AbortSignal,
  deps: FileRequestDeps,
  { atMost, origins }: RedirectRule = fileRedirects,
): Promise<ReachedFile> {
  // Uncompressed bytes: compressed ones could neither be counted nor resumed.
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Headroom', ...more }
  let written = link
  for (let redirects = 0; ; redirects++) {
    const { url, host, addresses } = await fileAddress(written, deps)
    let outcome: FileResponse | WireFault | null = null
    for (const address of addresses?.slice(0, addressesAtMost) ?? [null]) {
      outcome = await deps.counted(url, () =>
        deps.transport.get({ url, headers, silentAtMostInMs, signal }, address),
      )
      if (outcome.kind === 'answer' || outcome.sent !== 'no' || outcome.reason !== 'offline') break
    }
    if (outcome === null || outcome.kind === 'fault') throw new FileBroken(outcome ?? nothing)
    const { location } = outcome.headers
    if (![301, 302, 303, 307, 308].includes(outcome.status) || location === undefined)
      return { answer: outcome, host }
    outcome.close()
    if (redirects === atMost) throw addressRefused(written, 'too-many-redirects')
    if (!URL.canParse(location, url)) throw addressRefused(location, 'not-an-address')
    const { href, origin } = new URL(location, url)
    if (origins !== null && !origins.has(origin)) throw addressRefused(href, 'leads-elsewhere')
    written = href
  }
}

const nothing: WireFault = {
  kind: 'fault',
  sent: 'no',
  reason: 'offline',
  message: 'the host name has no IP address',
}

/** A longer wait than this, if a host demands it, ends the attempt. Raise it if hosts often demand more. */
const waitAtMostInMs = 60_000
/** Statuses by which a host rejects an expired link (assumed: none is published). */
export const linkIsOver = new Set([401, 403, 404, 410])

export const callOf = (host: string): CallPlace => ({ operation: 'DownloadFile', host })

/** The next attempt may start at once: the response showed that another request is needed. */
export class Again extends Error {}
/** The link was renewed. */
export class Renewed extends Again {}
/** The host asked the client to try later. */
export class NotNow extends Error {
  readonly failure: Failure
  readonly inMs: number
  constructor(failure: Failure, inMs: number) {
    super(failure.kind)
    this.failure = failure
    this.inMs = inMs
  }
}

/** The meaning of a response without a file: Failed, or NotNow. */
export function refusalOf({ status, headers }: FileResponse, host: string, now: number): Failed | NotNow {
  if (status !== 429 && status !== 408 && status < 500)
    return new Failed({ kind: 'refused', call: callOf(host), status, message: null })
  const untilAt = statedMoment(headers['retry-after'] ?? null, headers['date'] ?? null, now)
  const failure: Failure =
    status === 429
      ? { kind: 'rate-limited', call: callOf(host), untilAt }
      : { kind: 'service-unavailable', call: callOf(host), status, message: null }
  const inMs = (untilAt ?? now) - now
  return inMs > waitAtMostInMs ? new Failed(failure) : new NotNow(failure, inMs)
}

export function failureOf(error: FileBroken | Again | NotNow, host: string): Failure {
  if (error instanceof NotNow) return error.failure
  if (error instanceof Again)
    return {
      kind: 'service-unavailable',
      call: callOf(host),
      status: null,
      message: 'the file could not be downloaded completely',
    }
  const { reason, message } = error.fault
  if (reason === 'offline') return offlineFailure(error.fault, callOf(host))
  if (reason === 'timeout') return { kind: 'timed-out', call: callOf(host), afterInMs: silentAtMostInMs }
  return { kind: 'service-unavailable', call: callOf(host), status: null, message }
}

/** Detects a captive portal's page, or an error with a success status; null: it may be a file. */
export function pageFound(headers: FileResponse['headers']): string | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity') return `content-encoding ${encoding}`
  const [written = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const type = written.trim()
  return /^(?:text\/html|application\/xhtml\+xml|application\/(?:[\w.-]+\+)?json)$/.test(type) ? type : null
}

export const lengthOf = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null

interface StatedRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Of the whole file; null: the host does not state it. */
  readonly size: number | null
}

/** null: it cannot be parsed, or contradicts itself. */
export function rangeOf(header: string | undefined): StatedRange | null {
  const [, first, last, whole] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined) return null
  const [from, to, size] = [Number(first), Number(last) + 1, whole === '*' ? null : Number(whole)]
  return from < to && (size === null || to <= size) ? { from, to, size } : null
}

/** The size of a file that has no byte of the requested range (RFC 9110, 15.5.17); null: not stated. */
export function sizeWithoutRange(header: string | undefined): number | null {
  const [, size] = /^bytes \*\/(\d{1,15})$/.exec(header?.trim() ?? '') ?? []
  return size === undefined ? null : Number(size)
}
