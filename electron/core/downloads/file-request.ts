import { FileBroken, type FileResponse, type WireFault } from '../platform.ts'
import { addressRefused, fileAddress, type AddressDeps } from './file-address.ts'

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
export const silentAtMostInMs = 30_000
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
