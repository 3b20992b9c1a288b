import type { z } from 'zod'

/** A method that a client may call: what it takes (a schema, checked by the server) and what it answers. */
export interface Method<S extends z.ZodType = z.ZodType, R = unknown> {
  readonly kind: 'method'
  readonly argument: S
  /** Exists for the compiler alone. */
  readonly result?: R
}
/** What the core tells its clients: what changed, never rows. At most ten a second of each. */
export interface Event<T = unknown> {
  readonly kind: 'event'
  /** Exists for the compiler alone. */
  readonly payload?: T
}

export const method = <S extends z.ZodType>(argument: S): { readonly returns: <R>() => Method<S, R> } => ({
  returns: () => ({ kind: 'method', argument }),
})
export const event = <T>(): Event<T> => ({ kind: 'event' })
