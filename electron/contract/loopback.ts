/**
 * Whether a host, as `URL.hostname` writes it, is this computer: 127.0.0.0/8, ::1, localhost and the names
 * under it (RFC 6761, 6.3). Node's transports resolve such names as localhost, so that no name server can
 * redirect them.
 */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  )
}
