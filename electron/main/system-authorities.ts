import type { FileTransport, Transport, WireFault } from '../core/platform.ts'

/**
 * On Linux Chromium trusts a store of its own, and a company's authority is in the system's. A connection that
 * Chromium does not trust is made once more by Node, which checks the certificate against the system's. Nothing
 * was sent. Cost: two network stacks there, of which Node's knows no NTLM and Kerberos.
 */
export function alsoTrustingTheSystem(chromium: Transport, node: Transport): Transport {
  const overNode = new Set<string>()
  return {
    ...chromium,
    async attempt(request) {
      const { origin } = new URL(request.url)
      if (overNode.has(origin)) return node.attempt(request)
      const outcome = await chromium.attempt(request)
      if (!isUntrusted(outcome)) return outcome
      const second = await node.attempt(request)
      if (isUntrusted(second)) return outcome
      overNode.add(origin)
      return second
    },
  }
}

/** The same for files through a proxy; without one they are Node's anyway. */
export function filesAlsoTrustingTheSystem(chromium: FileTransport, node: FileTransport): FileTransport {
  return {
    ...chromium,
    async get(request, address) {
      const outcome = await chromium.get(request, address)
      if (address !== null || !isUntrusted(outcome)) return outcome
      const second = await node.get(request, null)
      return isUntrusted(second) ? outcome : second
    },
  }
}

const isUntrusted = (outcome: { readonly kind: 'answer' } | WireFault): boolean =>
  outcome.kind === 'fault' && outcome.reason === 'tls' && outcome.sent === 'no'
