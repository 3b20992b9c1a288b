import { failed } from '../electron/contract/failure.ts'
import { linkOver, type Link, type Transport } from '../electron/contract/wire.ts'

/** A page opened outside the app has no core behind it: every call says so, none throws. */
const nothingBehind: Transport = {
  ask: () => Promise.resolve(failed({ kind: 'bug', reference: 'no-core' })),
  listen: () => () => undefined,
}

// Looked up at each call: the gallery and tests put their double in place before or after this file is read.
const behind = (): Transport => (globalThis as { headroom?: Transport }).headroom ?? nothingBehind

/** Arguments come out of reactive state; only plain JSON crosses the bridge. */
const plain = (argument: unknown): unknown =>
  argument === undefined ? undefined : JSON.parse(JSON.stringify(argument))

/** The one way from the view to the core. Calls never reject; see contract/calls.ts for what there is. */
export const link: Link = linkOver({
  ask: (channel, argument) =>
    behind()
      .ask(channel, plain(argument))
      .catch(() => failed({ kind: 'bug', reference: `bridge ${channel}` })),
  listen: (channel, listener) => behind().listen(channel, listener),
})
