import type { Failure } from '../contract/failure.ts'

/** One line and one advice for each kind of failure, at the prompt. A new kind does not compile until it is said here. */
const sentences: { readonly [K in Failure['kind']]: (failure: Extract<Failure, { kind: K }>) => string } = {
  'key-missing': () => 'No subscription key is stored for this organization. Set one: headroom key set primary --stdin',
  'key-refused': (f) =>
    `The service refused the ${f.slot} subscription key${said(f.message)} Nothing more is sent until you act: check it in the API portal and set it again with headroom key set ${f.slot} --stdin`,
  'rate-limited': (f) =>
    `The service asks to wait${f.untilAt === null ? '' : ` until ${new Date(f.untilAt).toISOString()}`} (${f.call.operation}). Try again then.`,
  offline: (f) =>
    `${f.call.host} could not be reached (${f.call.operation}): ${ended(f.message)} Check the network and the address; what was read before stays usable.`,
  'service-unavailable': (f) =>
    `${f.call.host} answered ${f.status === null ? 'nothing usable' : f.status} (${f.call.operation})${said(f.message)} Try again later.`,
  'not-found': (f) => (/[.!?]$/.test(f.what) ? f.what : `${f.what} was not found.`),
  refused: (f) => `${f.call.host} refused ${f.call.operation} with ${f.status}${said(f.message)}`,
  'unreadable-answer': (f) =>
    `The answer of ${f.call.host} to ${f.call.operation} could not be read at ${f.where}: ${f.message} Check that the address is the right one.`,
  'timed-out': (f) => `${f.call.host} did not answer ${f.call.operation} within ${Math.round(f.afterInMs / 1000)} s. Nothing was changed; try again.`,
  unconfirmed: (f) => `${f.call.operation} was sent and no answer came: it may have happened. Check before trying again. ${ended(f.message)}`,
  cancelled: () => 'Cancelled.',
  'keychain-unavailable': (f) => `The keychain cannot be used (${f.reason}): ${ended(f.message)} HEADROOM_KEY can supply a key for one run.`,
  'cache-unusable': (f) => `The file ${f.file} cannot be used (${f.reason}): ${ended(f.message)}`,
  'writes-locked': () => 'Writes are locked. Say --unlock to unlock them for this command.',
  'too-busy': (f) => `${f.waiting} calls wait already. Try again when they are done.`,
  invalid: (f) => `${f.field}: ${ended(f.message)}`,
  bug: (f) => `Headroom made a mistake. The log has the details under ${f.reference}.`,
}

const said = (message: string | null): string => (message === null ? '.' : `: ${ended(message)}`)

/** A service's or a library's words, as a sentence. */
const ended = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`)

export const sentence = (failure: Failure): string => (sentences[failure.kind] as (failure: Failure) => string)(failure)
