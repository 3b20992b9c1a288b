import type { Trouble } from '../contract/api/app.ts'
import type { Failure, FailureOf } from '../contract/failure.ts'
import { heldWords } from './budget-words.ts'

/**
 * One line and one piece of advice for each kind of failure, on the command line. A new kind does not compile
 * until it has a text here.
 */
const sentences: { readonly [K in Failure['kind']]: (failure: Extract<Failure, { kind: K }>) => string } = {
  'key-missing': () =>
    'No subscription key is stored for this organization. Set one: headroom key set primary --stdin',
  'key-refused': (f) =>
    `The service refused the ${f.slot} subscription key${said(f.message)} Nothing more is sent until you act: check it in the API portal and set it again with headroom key set ${f.slot} --stdin`,
  'key-not-bound': (f) =>
    f.boundTo === null
      ? `The ${f.slot} subscription key was stored before keys were bound to a host. Nothing was sent. It would go to ${f.wouldGoTo}: if that is right, say so once with headroom key check ${f.slot} --bind`
      : `The ${f.slot} subscription key is for ${f.boundTo}, and would have gone to ${f.wouldGoTo}. Nothing was sent. Put the address right, or enter the key for the new one: headroom key set ${f.slot} --stdin`,
  'key-unreadable': (f) =>
    `The keychain's entry of the ${f.slot} subscription key is in no form that Headroom writes. Nothing was sent, and the entry is left as it is. Enter the key again: headroom key set ${f.slot} --stdin`,
  'rate-limited': (f) =>
    f.held && f.untilAt !== null
      ? heldWords(f.untilAt)
      : `The service asks to wait${f.untilAt === null ? '' : ` until ${new Date(f.untilAt).toISOString()}`} (${f.call.operation}). Try again then.`,
  offline: (f) =>
    `${f.call.host} could not be reached (${f.call.operation}): ${ended(f.message)} Check the network and the address; what was read before stays usable.`,
  'service-unavailable': (f) =>
    `${f.call.host} answered ${f.status === null ? 'nothing usable' : f.status} (${f.call.operation})${said(f.message)} Try again later.`,
  'not-found': (f) =>
    bundled(f) ??
    capital(
      /[.!?]$/.test(f.what)
        ? f.what
        : /not published/.test(f.what)
          ? `${f.what}.`
          : `${named(f.what)} ${isSeveral.test(f.what) ? 'were' : 'was'} not found.`,
    ),
  refused: (f) => `${f.call.host} refused ${f.call.operation} with ${f.status}${said(f.message)}`,
  'unreadable-answer': (f) =>
    `The answer of ${f.call.host} to ${f.call.operation} is not what it should be (${f.where}): ${ended(f.message)} Try again; if it stays so, check the address. What was read before is kept.`,
  'timed-out': (f) =>
    `${f.call.host} did not ${f.what === undefined ? `answer ${f.call.operation}` : `send ${f.what}`} within ${Math.round(f.afterInMs / 1000)} s. Nothing was changed; try again.`,
  unconfirmed: (f) =>
    `${f.call.operation} was sent and no answer came: it may have happened. Check before trying again. ${ended(f.message)}`,
  cancelled: () => 'Cancelled.',
  'keychain-unavailable': (f) =>
    `The keychain cannot be used (${f.reason}): ${ended(f.message)} HEADROOM_KEY can supply a key for one run.`,
  'cache-unusable': (f) =>
    `${f.refusesWrite ? 'Nothing was sent, for a change is sent only where its journal line and its write slot can be kept on the disk. ' : ''}The file ${f.file} cannot be used (${f.reason}): ${ended(f.message)} ${fileAdvice[f.reason]}`,
  'data-folder': (f) => folderSentences[f.reason](f.holder ?? 'another process', f.detail ?? ''),
  'file-mismatch': (f) => `${mismatches[f.what](f)} Nothing was put under the name ${f.file}.`,
  'folder-unusable': (f) => `Nothing can be put into ${f.path}: ${unusable[f.reason](f)}.`,
  'address-refused': (f) =>
    `The address ${f.address} is not asked: ${addressRules[f.rule]}. Files come by https from public hosts, or from the organization's own metadata host.`,
  'writes-locked': () => 'Actions are locked. Say --unlock to unlock them for this command.',
  'unsafe-setup': (f) =>
    f.what === 'certificates'
      ? `${f.detail} asks not to check certificates: Headroom checks them all the same. Remove it; an authority of your own belongs into the system's certificate store.`
      : `Others on this computer may write to the data folder ${f.detail}. Take that right from them, or choose another folder with HEADROOM_HOME.`,
  'too-busy': (f) =>
    `${f.waiting} ${f.waiting === 1 ? 'call waits' : 'calls wait'} already. Try again when they are done.`,
  invalid: (f) => `${f.field}: ${ended(f.message)}`,
  bug: (f) => `Headroom made a mistake. The log has the details under ${f.reference}.`,
}

const mismatches: Readonly<
  Record<FailureOf<'file-mismatch'>['what'], (f: FailureOf<'file-mismatch'>) => string>
> = {
  size: (f) =>
    `The file has another size than was published: ${f.actual ?? '?'} bytes, not ${f.expected ?? '?'}.`,
  md5: (f) => `The file has another MD5 than was published: ${f.actual ?? '?'}, not ${f.expected ?? '?'}.`,
  ledger: (f) =>
    `The same version had other bytes before. SHA-256 since ${f.sinceAt === null ? '?' : new Date(f.sinceAt).toISOString()}: ${f.expected ?? '?'}; ${new Date(f.at).toISOString()}: ${f.actual ?? '?'}. --accept-changed REASON takes the new ones.`,
  existing: (f) =>
    `Another file has the name, and was left as it is: ${f.actual ?? '?'}, not ${f.expected ?? '?'}.`,
  content: (f) => `Something else came in place of the file: ${f.actual ?? '?'}.`,
}

const unusable: Readonly<
  Record<FailureOf<'folder-unusable'>['reason'], (f: FailureOf<'folder-unusable'>) => string>
> = {
  missing: () => 'it is not there',
  'not-a-folder': () => 'it is a file',
  'read-only': () => 'it may not be written',
  'no-room': ({ needed, free }) =>
    needed === null || free === null
      ? 'there is no room'
      : `there is no room (${needed} bytes are needed, ${free} are free)`,
  'too-large': ({ needed }) => `the file system holds no file of ${needed ?? 'that many'} bytes`,
  taken: () => 'something else has the name of the file',
  unknown: () => 'the system refuses it',
}

const addressRules: Readonly<Record<FailureOf<'address-refused'>['rule'], string>> = {
  'not-an-address': 'it cannot be read',
  'not-https': 'it is not https',
  'with-credentials': 'it carries a sign-in',
  'not-public': 'its host is not public',
  'leads-inside': 'its name leads to a host that is not public',
  'leads-elsewhere': 'it is sent on to another host',
  'too-many-redirects': 'it is sent on more than five times',
}

const folderSentences: Readonly<
  Record<FailureOf<'data-folder'>['reason'], (holder: string, detail: string) => string>
> = {
  silent: (holder) =>
    `The data folder belongs to ${holder}, which does not answer: it is stopped or hangs. Nothing was read or sent past it. End it, or let it go on, and run the command again.`,
  refused: () =>
    'What answers in the name of the data folder is not its owner, or takes no more clients. Nothing was sent. Try again; if it stays so, end every Headroom of this folder.',
  'other-version': (holder, detail) =>
    `The data folder belongs to ${holder}, which is of another version (${detail}). Nothing was sent. Update both, or end it.`,
  lost: (holder) => `${capital(holder)}, which owned the data folder, ended before the command was done.`,
  replaced: () =>
    'The lock of the data folder (owner.sqlite) was deleted, renamed or replaced while it was in use: another process may own the folder by now. Nothing more is sent. Start Headroom again.',
  'read-only': (_, detail) =>
    `The data folder cannot be locked${detail === '' ? '' : ` (${detail})`}: what was read before is shown, and nothing is sent. Make the folder writable, or choose another one with HEADROOM_HOME.`,
  unreliable: (_, detail) =>
    `The lock of the data folder cannot be relied on${detail === '' ? '' : ` (${detail})`}: what was read before is shown, and nothing is sent. Choose a folder on a disk of this computer with HEADROOM_HOME.`,
  'key-beside': (holder) =>
    `The data folder belongs to ${holder}. HEADROOM_KEY is not used beside it and is not sent to it, and this command needs a key. Store the key with headroom key set, or end ${holder}.`,
  unread: (_, detail) =>
    `The data folder ${detail} cannot be locked, and nothing was read in it before: there is nothing to show. Choose another one with HEADROOM_HOME.`,
  'not-whole': (_, detail) =>
    `The data folder cannot be locked, and what was read before is not whole: ${detail}. Nothing of it is shown. Use the folder where it can be locked, or choose another one with HEADROOM_HOME.`,
  'nobody-stays': () =>
    '--detach leaves the work to the app, and no app of this data folder is running. Nothing was planned or sent. Start Headroom, or run the command without --detach.',
}

const fileAdvice: Readonly<Record<FailureOf<'cache-unusable'>['reason'], string>> = {
  damaged: 'It is set aside and begun anew; a sync reads the fleet again.',
  empty: 'Put a copy in its place while Headroom is closed, if there is one.',
  'read-only': 'Make the folder writable, or choose another one with HEADROOM_HOME.',
  'disk-full': 'Free some space and run the command again; nothing that was kept is lost.',
  newer: 'Update this Headroom; the file is left as it is.',
  busy: 'Close the program that uses it, such as a backup or a database viewer, and run the command again.',
  unknown: 'Close other programs that use it and try again.',
}

const bundled = ({ what, inBundles = [] }: FailureOf<'not-found'>): string | null =>
  inBundles.length === 0
    ? null
    : `${capital(what)} are not published by themselves. ${inBundles
        .map(
          ({ bundle, bundleVersion, firmware }) =>
            `Firmware bundle ${[bundle, bundleVersion].filter(Boolean).join(' ')} ${firmware === null ? 'names it' : `holds ${firmware}`}.`,
        )
        .join(' ')} Bundles as received: headroom call GetFirmwareBundles`

/** An id remains as typed. */
const named = (what: string): string => (/\s/.test(what) ? what : `"${what}"`)
/** Documents that are named by their content, `firmware releases of 2830/9395`. */
const isSeveral = /^[a-z ]*(?:releases|definitions|configurations) (?:of|for) /
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const said = (message: string | null): string => (message === null ? '.' : `: ${ended(message)}`)

/** Text of a service or a library, as a sentence. */
const ended = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`)

/**
 * What was done differently from the request: the other key was used because one was refused. null: nothing.
 */
export const swapSentence = ({ failure, done }: Trouble): string | null =>
  failure.kind === 'key-refused' && done !== null
    ? `The service refused the ${failure.slot} subscription key${said(failure.message)} ${done}`
    : null

export const sentence = (failure: Failure): string =>
  (sentences[failure.kind] as (failure: Failure) => string)(failure)
