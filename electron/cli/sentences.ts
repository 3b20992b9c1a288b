import type { AppProblem } from '../contract/api/app.ts'
import type { CallPlace, Failure, FailureOf } from '../contract/failure.ts'
import type { Comparing } from '../contract/api/firmware.ts'
import { holdText } from './budget-text.ts'

import { counted, moment } from './table.ts'

/** At the start of a sentence. */
const hostOf = ({ call }: { readonly call: CallPlace }): string => call.host ?? 'The service'

/**
 * One line and one piece of advice for each kind of failure, on the command line. A new kind does not compile
 * until it has a text here.
 */
const sentences: { readonly [K in Failure['kind']]: (failure: Extract<Failure, { kind: K }>) => string } = {
  'key-missing': () =>
    'No subscription key is stored for this organization. Set one: headroom key set primary --stdin',
  'key-refused': (f) =>
    `The service refused the ${f.slot} subscription key${said(f.message)} Calls are stopped: check the key in the API portal and set it again with headroom key set ${f.slot} --stdin`,
  'key-not-bound': (f) =>
    `The ${f.slot} subscription key belongs to ${f.boundTo}, but would have been sent to ${f.wouldGoTo}. Nothing was sent. Correct the address, or enter the key for the new one: headroom key set ${f.slot} --stdin`,
  'key-unreadable': (f) =>
    `The keychain's entry of the ${f.slot} subscription key has an unknown format. Nothing was sent, and the entry was not changed. Enter the key again: headroom key set ${f.slot} --stdin`,
  'rate-limited': (f) =>
    f.held && f.untilAt !== null
      ? holdText(f.untilAt)
      : `The service asked to wait${f.untilAt === null ? '' : ` until ${new Date(f.untilAt).toISOString()}`} (${f.call.operation}). Try again then.`,
  offline: (f) =>
    `${hostOf(f)} could not be reached (${f.call.operation}): ${ended(f.message)} Check the network and the address. All data read so far stays available.`,
  'service-unavailable': (f) =>
    `${hostOf(f)} answered ${f.status === null ? 'nothing usable' : f.status} (${f.call.operation})${said(f.message)} Try again later.`,
  'not-found': (f) =>
    bundled(f) ??
    capital(
      /[.!?]$/.test(f.what)
        ? f.what
        : f.what.startsWith('a path for ')
          ? `There is no ${f.what.slice(2)}.`
          : /not published/.test(f.what)
            ? `${f.what}.`
            : `${named(f.what)} ${isSeveral.test(f.what) ? 'were' : 'was'} not found.`,
    ),
  refused: (f) => `${hostOf(f)} refused ${f.call.operation} with ${f.status}${said(f.message)}`,
  'unreadable-answer': (f) =>
    `The answer of ${f.call.host ?? 'the service'} to ${f.call.operation} could not be read (${f.where}): ${ended(f.message)} Try again; if it happens again, check the address. Earlier data is kept.`,
  'timed-out': (f) =>
    `${hostOf(f)} did not ${f.what === undefined ? `answer ${f.call.operation}` : `send ${f.what}`} within ${Math.round(f.afterInMs / 1000)} s. Nothing was changed; try again.`,
  unconfirmed: (f) =>
    `${f.call.operation} was sent, but no answer came: it may have happened. Check before you try again. ${ended(f.message)}`,
  cancelled: () => 'Cancelled.',
  'keychain-unavailable': (f) =>
    `The keychain cannot be used (${f.reason}): ${ended(f.message)} HEADROOM_KEY can supply a key for one run.`,
  'cache-unusable': (f) =>
    `${f.refusesWrite ? 'Nothing was sent, because an action is sent only if it can be recorded on the disk. ' : ''}The file ${f.file} cannot be used (${f.reason}): ${ended(f.message)} ${fileAdvice[f.reason]}`,
  'data-folder': (f) => folderSentences[f.reason](f.holder ?? 'another process', f.detail ?? ''),
  'file-mismatch': (f) => `${mismatches[f.what](f)} The file ${f.file} was not saved.`,
  'folder-unusable': (f) => `Cannot save to ${f.path}: ${unusable[f.reason](f)}.`,
  'address-refused': (f) =>
    `Headroom does not download from ${f.address}: ${addressRules[f.rule]}. Files must come by https from public hosts, or from the organization's own metadata host.`,
  'writes-locked': () => 'Actions are locked. Add --unlock to unlock them for this command.',
  'unsafe-setup': (f) =>
    f.what === 'certificates'
      ? `${f.detail} turns off certificate checks: Headroom checks certificates anyway. Remove it, and add your own certificate authority to the system's certificate store instead.`
      : `Other users of this computer can write to the data folder ${f.detail}. Remove that permission, or choose another folder with HEADROOM_HOME.`,
  'too-busy': (f) =>
    `${f.waiting} ${f.waiting === 1 ? 'call waits' : 'calls wait'} already. Try again when they are complete.`,
  'releases-unread': (f) =>
    `The list of releases of ${f.product} could not be read, so nothing was sent. ${f.observedAt === null ? 'It was never read.' : `The list is from ${moment(f.observedAt) ?? ''}.`}`,
  invalid: (f) => `${f.field}: ${ended(f.message)}`,
  bug: (f) => `Something went wrong in Headroom. The log has the details under ${f.reference}.`,
}

const mismatches: Readonly<
  Record<FailureOf<'file-mismatch'>['what'], (f: FailureOf<'file-mismatch'>) => string>
> = {
  size: (f) =>
    `The file does not have its published size: ${f.actual ?? '?'} bytes, not ${f.expected ?? '?'}.`,
  md5: (f) => `The file does not have its published MD5: ${f.actual ?? '?'}, not ${f.expected ?? '?'}.`,
  ledger: (f) =>
    `The file differs from earlier downloads of the same version. SHA-256 since ${f.sinceAt === null ? '?' : new Date(f.sinceAt).toISOString()}: ${f.expected ?? '?'}; ${new Date(f.at).toISOString()}: ${f.actual ?? '?'}. --accept-changed REASON accepts the new file.`,
  existing: (f) =>
    `A different file with this name already exists and was not changed: ${f.actual ?? '?'}, not ${f.expected ?? '?'}.`,
  content: (f) => `The host sent something other than the file: ${f.actual ?? '?'}.`,
}

const unusable: Readonly<
  Record<FailureOf<'folder-unusable'>['reason'], (f: FailureOf<'folder-unusable'>) => string>
> = {
  missing: () => 'it does not exist',
  'not-a-folder': () => 'it is a file',
  'read-only': () => 'it cannot be written to',
  'no-room': ({ needed, free }) =>
    needed === null || free === null
      ? 'there is not enough space'
      : `there is not enough space (${needed} bytes needed, ${free} free)`,
  'too-large': ({ needed }) => `its file system does not support files of ${needed ?? 'that many'} bytes`,
  differs: () => 'what was read back is not what was written',
  taken: () => 'something else already uses the file’s name',
  unknown: () => 'the system refused access',
}

const addressRules: Readonly<Record<FailureOf<'address-refused'>['rule'], string>> = {
  'not-an-address': 'it cannot be read',
  'not-https': 'it is not https',
  'with-credentials': 'it contains a user name or password',
  'not-public': 'its host is not public',
  'leads-inside': 'its host name points to a host that is not public',
  'leads-elsewhere': 'it redirects to another host',
  'too-many-redirects': 'it redirects more than five times',
}

const folderSentences: Readonly<
  Record<FailureOf<'data-folder'>['reason'], (holder: string, detail: string) => string>
> = {
  silent: (holder) =>
    `The data folder is in use by ${holder}, which does not answer: it is stopped or hangs. Nothing was read or sent. End it, or let it continue, and run the command again.`,
  refused: () =>
    'An unknown program answers for the data folder, or its owner accepts no more clients. Nothing was sent. Try again; if it happens again, end every Headroom that uses this folder.',
  'other-version': (holder, detail) =>
    `The data folder is in use by ${holder}, which is a different version (${detail}). Nothing was sent. Update both, or end the other one.`,
  lost: (holder) => `${capital(holder)}, which used the data folder, ended before the command was complete.`,
  replaced: () =>
    'The lock of the data folder (owner.sqlite) was deleted, renamed or replaced while it was in use: another process may use the folder now. Nothing more is sent. Start Headroom again.',
  'read-only': (_, detail) =>
    `The data folder cannot be locked${detail === '' ? '' : ` (${detail})`}: Headroom shows the data read before and sends nothing. Make the folder writable, or choose another one with HEADROOM_HOME.`,
  unreliable: (_, detail) =>
    `The lock of the data folder is not reliable${detail === '' ? '' : ` (${detail})`}: Headroom shows the data read before and sends nothing. Choose a folder on a disk of this computer with HEADROOM_HOME.`,
  'key-beside': (holder) =>
    `The data folder is in use by ${holder}. HEADROOM_KEY is not used meanwhile and is not passed on, and this command needs a key. Store the key with headroom key set, or end ${holder}.`,
  unread: (_, detail) =>
    `The data folder ${detail} cannot be locked, and it contains no data yet. Choose another one with HEADROOM_HOME.`,
  'not-whole': (_, detail) =>
    `The data folder cannot be locked, and its data is incomplete: ${detail}. Nothing is shown. Use the folder on a system where it can be locked, or choose another one with HEADROOM_HOME.`,
  'nobody-stays': () =>
    '--detach leaves the work to the app, but no app that uses this data folder is running. Nothing was planned or sent. Start Headroom, or run the command without --detach.',
}

const fileAdvice: Readonly<Record<FailureOf<'cache-unusable'>['reason'], string>> = {
  damaged: 'It was set aside and a new one was started; a sync reads the fleet again.',
  empty: 'If you have a copy, close Headroom and replace the file with it.',
  'read-only': 'Make the folder writable, or choose another one with HEADROOM_HOME.',
  'disk-full': 'Free some space and run the command again; no stored data is lost.',
  newer: 'Update this Headroom, or choose another folder with HEADROOM_HOME.',
  earlier: 'Choose another folder with HEADROOM_HOME.',
  busy: 'Close the program that uses it, such as a backup or a database viewer, and run the command again.',
  unknown: 'Close other programs that use it and try again.',
}

const bundled = ({ what, inBundles = [] }: FailureOf<'not-found'>): string | null =>
  inBundles.length === 0
    ? null
    : `${capital(what)} are not published separately. ${inBundles
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

/** Says that the other key was used because one was refused; null: no other key was used. */
export const swapSentence = ({ failure, done }: AppProblem): string | null =>
  failure.kind === 'key-refused' && done !== null
    ? `The service refused the ${failure.slot} subscription key${said(failure.message)} ${done}`
    : null

export const sentence = (failure: Failure): string =>
  (sentences[failure.kind] as (failure: Failure) => string)(failure)

export const comparingText = ({ done, total }: Comparing): string =>
  `Comparing, ${done} of ${counted(total, 'product')}.`
