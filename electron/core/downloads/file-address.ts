import { isIP } from 'node:net'
import type { FileAddressRule } from '../../contract/download.ts'
import { Failed } from '../../contract/failure.ts'
import { isLoopback } from '../../contract/loopback.ts'
import { FileBroken, type Clock, type FileTransport, type Names } from '../platform.ts'
import { isPublicAddress, judgedAddress, lookupWithin } from '../public-address.ts'

/** Allowed sources of a file: a public host over https, or the organization's own metadata origin. */
export interface FileAddress {
  readonly url: string
  readonly host: string
  /** Addresses to connect to, one at a time; null: a proxy connects. */
  readonly addresses: readonly string[] | null
}

export interface AddressDeps {
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
