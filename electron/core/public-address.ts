import { BlockList, isIP } from 'node:net'
import type { AddressRefusal } from '../contract/public-address.ts'
import { within } from './pause.ts'
import type { Clock, Names } from './platform.ts'

/**
 * Which addresses from untrusted text may be called: public ones only, so that a payload or a link cannot
 * reach the technician's own network. Checked as written and again after name lookup.
 */

/**
 * Registries of special addresses (IANA, RFC 6890 and its successors): those that are not globally reachable.
 */
const notPublic4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
  ['168.63.129.16', 32], // Azure's host, reached from inside a virtual machine
]
/**
 * In IPv6 only 2000::/3 is assigned for global use; of it, these are not global, or embed another address.
 */
const notPublic6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3ffe::', 16], // 6bone, given back
  ['3fff::', 20], // documentation
]
const refused4 = new BlockList()
for (const [net, bits] of notPublic4) refused4.addSubnet(net, bits, 'ipv4')
const refused6 = new BlockList()
for (const [net, bits] of notPublic6) refused6.addSubnet(net, bits, 'ipv6')
const given6 = new BlockList()
given6.addSubnet('2000::', 3, 'ipv6')
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Names that are never a public host: RFC 6761, 6762, 7686, 8375, 9476, ICANN's `internal`, and names used by
 * companies and routers.
 */
const notPublicNames = new Set(
  'localhost local localdomain internal intranet private corp home lan arpa test example invalid onion alt belkin domain workgroup'.split(
    ' ',
  ),
)

interface Bounds {
  readonly loopbackForTests: boolean
}

/** An IP address in the form of the lookup or the URL. */
export function isPublicAddress(address: string, { loopbackForTests }: Bounds): boolean {
  const family = isIP(address)
  // A zone belongs to link-local addresses.
  if (family === 0 || address.includes('%')) return false
  if (loopbackForTests && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true
  if (family === 4) return !refused4.check(address, 'ipv4')
  return given6.check(address, 'ipv6') && !refused6.check(address, 'ipv6')
}

export interface JudgedAddress {
  /** Host name with its port if that is not 443; null: it may not be called. */
  readonly host: string | null
  /** The name to resolve; an IP address needs no lookup. */
  readonly name: string
  readonly isIp: boolean
  readonly url: string
  readonly refused: AddressRefusal | null
}

/**
 * Longest address that is called; Event Grid's are under 1,000 characters (services.md#W2). Raise it if real
 * ones are longer.
 */
const longest = 4_000

/**
 * Whether an address may be called, by its text. Spellings such as `0x7f.1`, `2130706433`, full-width digits
 * or a dot at the end are parsed as in every browser (WHATWG URL), so the checked address is the address that
 * would be connected.
 */
export function judgedAddress(written: string, bounds: Bounds): JudgedAddress {
  const refuse = (refused: AddressRefusal): JudgedAddress => ({
    host: null,
    name: '',
    isIp: false,
    url: written,
    refused,
  })
  // A browser removes line ends and trims; in an address of a service they indicate damage.
  if (written.length > longest || /[\s\p{Cc}\\]/u.test(written) || !URL.canParse(written))
    return refuse('not-an-address')
  const { protocol, hostname, host, username, password, href } = new URL(written)
  const name = hostname.replace(/^\[|\]$/g, '')
  const isIp = isIP(name) !== 0
  const onLoopback =
    bounds.loopbackForTests && isIp && loopback.check(name, isIP(name) === 4 ? 'ipv4' : 'ipv6')
  if (protocol !== 'https:' && !(protocol === 'http:' && onLoopback)) return refuse('not-https')
  if (username !== '' || password !== '') return refuse('with-credentials')
  if (isIp ? !isPublicAddress(name, bounds) : !isPublicName(name, bounds)) return refuse('not-public')
  const [bare = ''] = href.split('#')
  return { host, name, isIp, url: bare, refused: null }
}

function isPublicName(name: string, { loopbackForTests }: Bounds): boolean {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.')
  if (labels.some((label) => label === '') || name.length > 254) return false
  const last = labels.at(-1) ?? ''
  if (loopbackForTests && last === 'localhost') return true
  // A name of one label would be resolved in the network's own domain.
  return labels.length > 1 && !notPublicNames.has(last)
}

/** A slower name lookup counts as failed. Raise it for slow networks. */
const lookupAtMostInMs = 10_000

/** The addresses of a name; empty: it cannot be found. */
export const lookupWithin = async (clock: Clock, names: Names, name: string): Promise<readonly string[]> =>
  (await within(clock, lookupAtMostInMs, names.lookup(name)).catch(() => null)) ?? []
