import type { Transport } from '../electron/core/platform.ts'
import type { Demonstration } from '../electron/demo/demonstration.ts'

const fixed = 'http://127.0.0.1:41001'

/**
 * A demonstration under an address that is the same for each one, so that prepared data names it, and a
 * transport that reaches it there.
 */
export function atFixedAddress(
  service: Demonstration,
  transport: Transport,
): { readonly service: Demonstration; readonly transport: Transport } {
  const { origin } = new URL(service.managementUrl)
  const named = (url: string): string => url.replace(origin, fixed)
  return {
    service: {
      ...service,
      managementUrl: named(service.managementUrl),
      metadataUrl: named(service.metadataUrl),
    },
    transport: {
      attempt: (request) => transport.attempt({ ...request, url: request.url.replace(fixed, origin) }),
    },
  }
}
