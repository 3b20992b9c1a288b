import type { z } from 'zod'

/** A method that a client may call: its argument (a schema, checked by the server) and its result. */
export interface Method<S extends z.ZodType = z.ZodType, R = unknown> {
  readonly kind: 'method'
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

export const method = <S extends z.ZodType>(argument: S): { readonly returns: <R>() => Method<S, R> } => ({
  returns: () => ({ kind: 'method', argument }),
})
export const event = <T>(): Event<T> => ({ kind: 'event' })
