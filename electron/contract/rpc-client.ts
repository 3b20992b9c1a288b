import type { z } from 'zod'
import type { Api } from './api.ts'
import { Failed, failed, type Outcome } from './failure.ts'
import type { Event, Method } from './method.ts'

type Feature = keyof Api
type KeysOf<F extends Feature, K> = {
  [N in keyof Api[F] & string]: Api[F][N] extends { readonly kind: K } ? N : never
}[keyof Api[F] & string]
type MethodKey<F extends Feature> = KeysOf<F, 'method'>
type EventKey<F extends Feature> = KeysOf<F, 'event'>

/** `devices.slice`. */
export type MethodName = { [F in Feature]: `${F}.${MethodKey<F>}` }[Feature]
/** `devices.changed`. */
export type EventName = { [F in Feature]: `${F}.${EventKey<F>}` }[Feature]

type ArgumentIn<M> = M extends Method<infer S, unknown> ? z.output<S> : never
type ResultIn<M> = M extends Method<z.ZodType, infer R> ? R : never
type PayloadIn<E> = E extends Event<infer T> ? T : never
/** A method without an argument may be called without one. */
type Given<A> = [A] extends [undefined] ? [argument?: A] : [argument: A]

type Member<N extends string> = N extends `${infer F extends Feature}.${infer K}`
  ? K extends keyof Api[F]
    ? Api[F][K]
    : never
  : never
export type ArgumentOf<N extends MethodName> = ArgumentIn<Member<N>>
export type PayloadOf<N extends EventName> = PayloadIn<Member<N>>

/**
 * A client: every method as a function that never rejects, every event as a subscription that returns the
 * function that ends it.
 */
export type Client = {
  readonly [F in Feature]: {
    readonly [K in MethodKey<F>]: (
      ...given: Given<ArgumentIn<Api[F][K]>>
    ) => Promise<Outcome<ResultIn<Api[F][K]>>>
  } & {
    readonly [K in EventKey<F>]: (listener: (payload: PayloadIn<Api[F][K]>) => void) => () => void
  }
}

/**
 * The handlers that the modules of the core register for a feature: plain functions that may throw `Failed`.
 */
export type Handlers<F extends Feature> = {
  readonly [K in MethodKey<F>]: (...given: Given<ArgumentIn<Api[F][K]>>) => Promise<ResultIn<Api[F][K]>>
}
/** All features; a missing one does not compile. */
export type AllHandlers = { readonly [F in Feature]: Handlers<F> }

/** Transports the contract: the preload's bridge, a socket, or a core in the same process. */
export interface Transport {
  /** Never rejects: a transport error is a Failure. */
  call(method: string, argument: unknown): Promise<Outcome<unknown>>
  /** Returns the function that ends it. */
  subscribe(event: string, listener: (payload: unknown) => void): () => void
}

/** Promises and serializers look for these members on any object; they are not methods of the client. */
const foreign = new Set<string | symbol>(['then', 'toJSON'])
const levels = (answer: (name: string) => unknown): object =>
  new Proxy(Object.freeze({}), {
    get: (_, name) => (typeof name === 'symbol' || foreign.has(name) ? undefined : answer(name)),
  })

/** Only plain JSON crosses: arguments may be reactive state. */
const plain = (argument: unknown): unknown =>
  argument === undefined ? undefined : JSON.parse(JSON.stringify(argument))

/** The methods of a client as plain functions that reject with Failed. */
export const handlersOver = (
  ask: (method: string, argument: unknown) => Promise<Outcome<unknown>>,
): AllHandlers =>
  levels((feature) =>
    levels((key) => async (argument: unknown) => {
      const outcome = await ask(`${feature}.${key}`, argument)
      if (!outcome.ok) throw new Failed(outcome.failure)
      return outcome.value
    }),
  ) as AllHandlers

/** A value that cannot be sent, such as a circular one, gives a failure and no rejection. */
async function call(transport: Transport, name: string, argument: unknown): Promise<Outcome<unknown>> {
  try {
    return await transport.call(name, plain(argument))
  } catch {
    return failed({ kind: 'bug', reference: `bridge ${name}` })
  }
}

/**
 * The typed client over any transport; `transport` is resolved at each call. A listener makes it a
 * subscription, anything else a call.
 */
export function clientOver(transport: () => Transport): Client {
  const member = (name: string) => (given: unknown) =>
    typeof given === 'function'
      ? transport().subscribe(name, given as (payload: unknown) => void)
      : call(transport(), name, given)
  return levels((feature) => levels((key) => member(`${feature}.${key}`))) as Client
}
