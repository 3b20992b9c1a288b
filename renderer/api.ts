import { failed } from '../electron/contract/failure.ts'
import { clientOver, type Transport } from '../electron/contract/rpc-client.ts'

/** A page that is opened outside the app has no core: every call returns a failure and none throws. */
const nothingBehind: Transport = {
  call: () => Promise.resolve(failed({ kind: 'bug', reference: 'no-core' })),
  subscribe: () => () => undefined,
}

/** The only way from the renderer to the core. Calls never reject; contract/api lists the methods. */
export const api = clientOver(() => (globalThis as { headroom?: Transport }).headroom ?? nothingBehind)
