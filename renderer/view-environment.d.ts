/// <reference types="vite/client" />
import type { Transport } from '../electron/contract/rpc-client.ts'

declare global {
  interface Window {
    /** What the preload exposes: the contract, and nothing else of the platform. */
    readonly headroom?: Transport
    /** Provided by Chromium; missing in the pages of unit tests. */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { readonly createHTML: (text: string) => string | null }): unknown
    }
  }
}
