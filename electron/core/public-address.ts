import { BlockList, isIP } from 'node:net'
import type { AddressRefusal } from '../contract/public-address.ts'

/**
 * Which addresses somebody else's text may have us ask: public ones only, so that a payload or a link cannot reach into the technician's
 * own network. Judged as written and again after the name was looked up.
 */

/** Registries of special addresses (IANA, RFC 6890 and its successors): what is not reachable by everyone. */
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
/** Of IPv6 only 2000::/3 is given out to everyone; inside it, these are not, or hide another address. */
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

/** Names that never are a public host: RFC 6761, 6762, 7686, 8375, 9476, ICANN's `internal`, and what companies and routers use. */
const notPublicNames = new Set(
  'localhost local localdomain internal intranet private corp home lan arpa test example invalid onion alt belkin domain workgroup'.split(
    ' ',
  ),
)

interface Bounds {
  readonly loopbackForTests: boolean
}

/** An address as the lookup or the URL wrote it. */
export function isPublicAddress(address: string, { loopbackForTests }: Bounds): boolean {
  const family = isIP(address)
  // A zone belongs to link-local addresses.
  if (family === 0 || address.includes('%')) return false
  if (loopbackForTests && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true
  if (family === 4) return !refused4.check(address, 'ipv4')
  return given6.check(address, 'ipv6') && !refused6.check(address, 'ipv6')
}

export interface JudgedAddress {
  /** Host name with its port where that is not 443; null: it may not be asked. */
  readonly host: string | null
  /** To look up; an IP address is one already. */
  readonly name: string
  readonly isIp: boolean
  readonly url: string
  readonly refused: AddressRefusal | null
}

/** Longest address that is asked. Chosen; Event Grid's are under 1,000 characters (observed 5). */
const longest = 4_000

/**
 * Whether an address may be asked, by what is written. Spellings such as `0x7f.1`, `2130706433`, full-width digits or a dot at the end
 * are read as every browser reads them (WHATWG URL), so what is judged is what would be connected.
 */
export function judgedAddress(written: string, bounds: Bounds): JudgedAddress {
  const refuse = (refused: AddressRefusal): JudgedAddress => ({
    host: null,
    name: '',
    isIp: false,
    url: written,
    refused,
  })
  // A browser drops line ends and trims; in an address of a service they are a sign of damage.
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
  // A name of one word is looked up in the network's own domain.
  return labels.length > 1 && !notPublicNames.has(last)
}
