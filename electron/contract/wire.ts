import { calls, type Call, type Calls, type Push } from './calls.ts'
import { done, Failed, failed, type Outcome } from './failure.ts'

type Room = keyof Calls
type CallNames<R extends Room> = {
  [K in keyof Calls[R]]: Calls[R][K] extends Call<never, unknown>
    ? K
    : Calls[R][K] extends { kind: 'call' }
      ? K
      : never
}[keyof Calls[R]]
type PushNames<R extends Room> = {
  [K in keyof Calls[R]]: Calls[R][K] extends { kind: 'push' } ? K : never
}[keyof Calls[R]]
type ArgumentOf<C> = C extends Call<infer A, unknown> ? A : never
type ResultOf<C> = C extends Call<never, infer R> ? R : C extends { result?: infer R } ? R : never
type PayloadOf<P> = P extends Push<infer T> ? T : never

/** What the view holds: every call as a function that never rejects, every announcement as a subscription. */
export type Link = {
  readonly [R in Room]: {
    readonly [K in CallNames<R>]: (
      argument: ArgumentOf<Calls[R][K]>,
    ) => Promise<Outcome<Exclude<ResultOf<Calls[R][K]>, undefined>>>
  } & {
    /** Returns the function that ends the subscription. */
    readonly [K in PushNames<R>]: (
      listener: (payload: Exclude<PayloadOf<Calls[R][K]>, undefined>) => void,
    ) => () => void
  }
}

/** What the core must answer: plain functions that may throw Failed. */
export type Answers = {
  readonly [R in Room]: {
    readonly [K in CallNames<R>]: (
      argument: ArgumentOf<Calls[R][K]>,
    ) => Promise<Exclude<ResultOf<Calls[R][K]>, undefined>>
  }
}

export type Announce = <R extends Room, K extends PushNames<R>>(
  room: R,
  name: K,
  payload: Exclude<PayloadOf<Calls[R][K]>, undefined>,
) => void

/** The channel of a call or announcement: `devices.window`. */
export type Channel = `${string}.${string}`

export interface Transport {
  /** Never rejects: what goes wrong on the way is a Failure. */
  ask(channel: Channel, argument: unknown): Promise<Outcome<unknown>>
  listen(channel: Channel, listener: (payload: unknown) => void): () => void
}

type Entries = Readonly<Record<string, { readonly kind: 'call' | 'push' }>>
const rooms = Object.entries(calls as Readonly<Record<string, Entries>>)

const members = (kind: 'call' | 'push'): Channel[] =>
  rooms.flatMap(([room, entries]) =>
    Object.entries(entries)
      .filter(([, entry]) => entry.kind === kind)
      .map(([name]) => `${room}.${name}` as const),
  )

export const callChannels: readonly Channel[] = members('call')
export const pushChannels: readonly Channel[] = members('push')

/** Derives the typed link from the table over any transport (IPC, a test double, a direct core). */
export function linkOver(transport: Transport): Link {
  const link: Record<string, Record<string, unknown>> = {}
  for (const [room, entries] of rooms) {
    const face: Record<string, unknown> = (link[room] = {})
    for (const [name, entry] of Object.entries(entries)) {
      const channel = `${room}.${name}` as const
      face[name] =
        entry.kind === 'call'
          ? (argument: unknown) => transport.ask(channel, argument)
          : (listener: (payload: unknown) => void) => transport.listen(channel, listener)
    }
  }
  return link as unknown as Link
}

/** The function that answers a channel, or undefined for a channel that does not exist. */
export function answerOf(
  answers: Answers,
  channel: string,
): ((argument: unknown) => Promise<unknown>) | undefined {
  if (!callChannels.includes(channel as Channel)) return undefined
  const [room, name] = channel.split('.') as [string, string]
  return (answers as unknown as Record<string, Record<string, (argument: unknown) => Promise<unknown>>>)[
    room
  ]?.[name]
}

type Guard = (channel: string, argument: unknown) => Outcome<unknown>

/**
 * The host's end of a transport: guards the argument, asks the core, and turns whatever happens into an Outcome.
 * `onBug` records what was not a Failed and answers the reference under which it is found.
 */
export function answerer(
  answers: Answers,
  guard: Guard,
  onBug: (error: unknown, channel: string) => string,
): (channel: string, argument: unknown) => Promise<Outcome<unknown>> {
  return async (channel, argument) => {
    try {
      const answer = answerOf(answers, channel)
      if (answer === undefined)
        return failed({ kind: 'invalid', field: 'channel', message: 'There is no such call.' })
      const guarded = guard(channel, argument)
      if (!guarded.ok) return guarded
      return done(await answer(guarded.value))
    } catch (error) {
      return failed(
        error instanceof Failed ? error.failure : { kind: 'bug', reference: onBug(error, channel) },
      )
    }
  }
}
