import type { z } from 'zod'
import { api, type Api } from './api.ts'
import { done, Failed, failed, type Failure, type Outcome } from './failure.ts'
import type { Effect, Event, Method } from './method.ts'
import type { AllHandlers, EventName, MethodName } from './rpc-client.ts'

const members: ReadonlyMap<string, Method | Event> = new Map(
  Object.entries<Readonly<Record<string, Method | Event>>>(api).flatMap(([feature, own]) =>
    Object.entries(own).map(([key, member]) => [`${feature}.${key}`, member] as const),
  ),
)
const namesOf = (kind: 'method' | 'event'): readonly string[] =>
  [...members].filter(([, member]) => member.kind === kind).map(([name]) => name)
export const methodNames = namesOf('method') as readonly MethodName[]
export const eventNames = namesOf('event') as readonly EventName[]

/** What a client that lost its owner may do with this method. */
export const effectOf = (name: MethodName): Effect => (members.get(name) as Method).effect

/** Longer than any existing name: a longer one is refused without a lookup. */
const nameAtMost = 100

/**
 * Dispatches a call by its name: checks the argument, calls the handler, and turns every result or error into
 * an Outcome. Never rejects.
 */
export type Server = (name: unknown, argument: unknown) => Promise<Outcome<unknown>>

/**
 * `onBug` records every error that is not a `Failed` and returns the reference under which it is found.
 * `isWindow`: the client is the window of this process.
 */
export function serverOver(
  handlers: AllHandlers,
  onBug: (error: unknown, name: string) => string,
  isWindow = true,
): Server {
  return async (name, argument) => {
    if (!isMethod(name))
      return failed({ kind: 'invalid', field: 'method', message: 'There is no such method.' })
    if (effectOf(name) === 'window' && !isWindow)
      return failed({ kind: 'invalid', field: 'method', message: 'Only the window can do this.' })
    try {
      const given = parseArgument(name, argument)
      if (!given.ok) return given
      return done(await handlerOf(handlers, name)(given.value))
    } catch (error) {
      return failed(error instanceof Failed ? error.failure : { kind: 'bug', reference: onBug(error, name) })
    }
  }
}

const isMethod = (name: unknown): name is MethodName =>
  typeof name === 'string' && name.length <= nameAtMost && members.get(name)?.kind === 'method'

function handlerOf(handlers: AllHandlers, name: MethodName): (argument: unknown) => Promise<unknown> {
  const [feature, key] = name.split('.') as [keyof Api, string]
  return (handlers[feature] as Readonly<Record<string, (argument: unknown) => Promise<unknown>>>)[key]!
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: Failure }

/**
 * Parses the untrusted argument of a method. Never throws; an invalid argument gives a Failure `invalid` that
 * names the member and its problem, and never repeats the value (it may be a key).
 */
export function parseArgument(name: MethodName, argument: unknown): Parsed {
  try {
    const parsed = (members.get(name) as Method).argument.safeParse(argument)
    if (parsed.success) return { ok: true, value: parsed.data }
    const issue = parsed.error.issues[0]
    return issue === undefined
      ? refuse('argument', 'This cannot be read.')
      : refuse(placeOf(issue), sentenceOf(issue))
  } catch {
    // A member that throws when read (a getter, a revoked proxy) is invalid too.
    return refuse('argument', 'This cannot be read.')
  }
}

const refuse = (field: string, message: string): Parsed => ({
  ok: false,
  failure: { kind: 'invalid', field, message },
})

const placeOf = (issue: z.core.$ZodIssue): string =>
  issue.path.length === 0 ? 'argument' : issue.path.map(String).join('.')

function sentenceOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `This must be ${issue.expected === 'int' ? 'a whole number' : `of the type "${issue.expected}"`}.`
    case 'too_big':
      if (issue.origin === 'string') return `This is longer than ${issue.maximum} characters.`
      return issue.origin === 'array'
        ? `This is longer than ${issue.maximum} entries.`
        : `This is greater than ${issue.maximum}.`
    case 'too_small':
      return issue.origin === 'string' ? 'This is empty.' : `This is smaller than ${issue.minimum}.`
    case 'unrecognized_keys':
      return 'This contains a member that the method does not know.'
    case 'invalid_value':
      return `This must be one of: ${issue.values.map(String).join(', ')}.`
    case 'invalid_union':
      return 'This method takes no argument.' // the only union in use: methods without an argument
    case 'invalid_format':
    case 'custom':
      return issue.message
    default:
      return 'This cannot be used here.'
  }
}
