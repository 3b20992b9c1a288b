import type { WebhookRefusal, WebhookValidation } from '../../contract/api/webhooks.ts'
import type { Clock, Names, PinnedTransport, Transport, WireResponse, WireFault } from '../platform.ts'
import { isPublicAddress, judgedAddress, lookupWithin } from '../public-address.ts'

export interface ValidatingDeps {
  readonly clock: Clock
  readonly names: Names
  readonly pinned: PinnedTransport
  /** The same transport, counted on the connections page. */
  readonly counted: (transport: Transport) => Transport
}

/** Timeout from the start of the GET to the end of its response. Raise it if real responses take longer. */
const responseAtMostInMs = 30_000
/** Maximum bytes read of a response, of which only the status is needed. Raise it if messages are cut. */
const bytesAtMost = 65_536
/**
 * Number of addresses that are tried as long as certainly nothing was sent, for example if IPv6 is announced
 * but does not work. Raise it if hosts have more dead addresses.
 */
const addressesAtMost = 3
/** Maximum characters of a plain response that are displayed. Raise it if messages are cut. */
const visibleAtMost = 300

/**
 * Calls a validation address once: https, public also after name lookup, connected to exactly the checked
 * address, no key, no cookie, no redirect, never repeated automatically. Every outcome is a result and not a
 * failure.
 */
export async function validate(
  written: string,
  { clock, names, pinned, counted }: ValidatingDeps,
): Promise<WebhookValidation> {
  const { host, name, isIp, url, refused } = judgedAddress(written, names)
  const ended = (
    more: Partial<WebhookValidation> & Pick<WebhookValidation, 'outcome'>,
  ): WebhookValidation => ({
    host: host ?? '',
    address: null,
    status: null,
    refused: null,
    message: null,
    ...more,
    at: clock.now(),
  })
  const notRequested = (why: WebhookRefusal, message: string | null = null): WebhookValidation =>
    ended({ outcome: 'not-asked', refused: why, message })
  if (host === null) return notRequested(refused ?? 'not-an-address')

  const found = isIp ? [name] : await lookupWithin(clock, names, name)
  if (found.length === 0) return notRequested('name-not-found')
  // An attacker can mix a private address with public ones: all of them must be public.
  const inner = found.find((address) => !isPublicAddress(address, names))
  if (inner !== undefined) return notRequested('not-public', `${host} resolves to ${inner}.`)

  let last: WebhookValidation | null = null
  for (const address of found.slice(0, addressesAtMost)) {
    const transport = counted({ attempt: (request) => pinned.attempt(request, address) })
    const outcome = await transport.attempt({
      method: 'GET',
      url,
      headers: { accept: '*/*', 'user-agent': 'Headroom' },
      body: null,
      timeoutInMs: responseAtMostInMs,
      maxBytes: bytesAtMost,
      freshConnection: true,
      signal: null,
    })
    last = ended({ address, ...resultOf(outcome, url) })
    if (outcome.kind === 'answer' || outcome.sent !== 'no' || outcome.reason !== 'offline') break
  }
  return last ?? notRequested('name-not-found')
}

function resultOf(
  outcome: WireResponse | WireFault,
  url: string,
): Pick<WebhookValidation, 'outcome' | 'status' | 'message'> {
  if (outcome.kind === 'fault') return { outcome: 'no-answer', status: null, message: outcome.message }
  const { status, headers, body } = outcome
  if (status >= 300 && status < 400)
    return { outcome: 'redirected', status, message: hostOf(headers['location'], url) }
  return {
    outcome: status >= 200 && status < 300 ? 'validated' : 'refused',
    status,
    message: plainText(headers['content-type'] ?? '', body),
  }
}

/** The target host of a redirect; null: not stated. */
function hostOf(location: string | undefined, base: string): string | null {
  return location !== undefined && URL.canParse(location, base) ? new URL(location, base).host || null : null
}

/** A short plain text, or the message in a JSON response; an HTML page contains nothing useful. */
function plainText(type: string, body: string): string | null {
  const json = /^application\/(?:[\w.+-]+\+)?json\b/i.test(type)
  const text = json ? messageIn(body) : /^text\/plain\b/i.test(type) ? body : null
  const line = (text ?? '').replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line === '' ? null : line.length > visibleAtMost ? `${line.slice(0, visibleAtMost)}…` : line
}

function messageIn(body: string): string | null {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed === 'string') return parsed
    if (typeof parsed !== 'object' || parsed === null) return null
    const { message, error, title, detail } = parsed as Record<string, unknown>
    const inside =
      typeof error === 'object' && error !== null ? (error as Record<string, unknown>)['message'] : error
    return [message, inside, detail, title].find((one) => typeof one === 'string') ?? null
  } catch {
    return null
  }
}
