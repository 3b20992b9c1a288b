import { lookup } from 'node:dns/promises'
import type { Names } from '../core/platform.ts'

/**
 * The system's own name lookup, including the hosts file: it gives the address that any program here would
 * connect to.
 */
export const systemNames: Names = {
  lookup: async (host) => {
    try {
      return (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address)
    } catch {
      return []
    }
  },
  loopbackForTests: false,
}
