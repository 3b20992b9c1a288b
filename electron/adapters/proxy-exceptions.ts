import { BlockList, isIP } from 'node:net'

/** Whether a host is among those without a proxy, as NO_PROXY and the systems write them. */
export function isExcepted({ protocol, hostname, port }: URL, entries: readonly string[]): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return entries.some((written) => {
    const entry = written.toLowerCase()
    if (isIP(entry) !== 0) return entry === host
    if (entry === '<local>') return isIP(host) === 0 && !host.includes('.')
    const [, network, bits] = /^(\d+(?:\.\d+){0,3})\/(\d{1,2})$/.exec(entry) ?? []
    if (network !== undefined) return isIP(host) === 4 && isInside(host, network, Number(bits))
    const [, name = '', onPort] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? []
    if (name === '' || (onPort !== undefined && onPort !== at)) return false
    const pattern = name
      .replace(/^\./, '*.')
      .replaceAll(/[^\w*-]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
    return new RegExp(`^${pattern}$`).test(host)
  })
}

/** A network may be written without its last zeros: 169.254/16. */
function isInside(address: string, network: string, bits: number): boolean {
  const whole = [...network.split('.'), '0', '0', '0'].slice(0, 4).join('.')
  if (isIP(whole) !== 4 || bits > 32) return false
  const list = new BlockList()
  list.addSubnet(whole, bits)
  return list.check(address)
}
