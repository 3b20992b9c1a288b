import type { z } from 'zod'

/**
 * What a client may do that has lost its owner before the result arrived. `none`: call it again. `local`: say
 * that something may have been stored. `write`: ask by its reference, because a write may have been sent.
 * `window`: it needs a dialog, the clipboard or the file manager, so only the window may call it.
 */
export type Effect = 'none' | 'local' | 'write' | 'window'

/** A method that a client may call: its argument (a schema, checked by the server) and its result. */
export interface Method<S extends z.ZodType = z.ZodType, R = unknown> {
  readonly kind: 'method'
  readonly effect: Effect
  readonly argument: S
  /** Exists only for the compiler. */
  readonly result?: R
}
/**
 * An event of the core for its clients: it says what changed and never contains rows. At most ten a second of
 * each.
 */
export interface Event<T = unknown> {
  readonly kind: 'event'
  /** Exists only for the compiler. */
  readonly payload?: T
}

type Returning<S extends z.ZodType> = { readonly returns: <R>() => Method<S, R> }
const methodOf =
  (effect: Effect) =>
  <S extends z.ZodType>(argument: S): Returning<S> => ({
    returns: () => ({ kind: 'method', effect, argument }),
  })
/**
 * A query, or what has the same result when repeated: reading from the service, pausing, cancelling and
 * locking, a sync, a site kit, which is continued.
 */
export const method = methodOf('none')
/** Changes something on this computer, or makes a request that is never repeated (`webhooks.validate`). */
export const local = methodOf('local')
/** May lead to a write to the service. */
export const write = methodOf('write')
/** Needs a person at this process. */
export const windowOnly = methodOf('window')
export const event = <T>(): Event<T> => ({ kind: 'event' })
