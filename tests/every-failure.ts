import type { Failure, FailureKind } from '../electron/contract/failure.ts'
import { sentences } from '../electron/contract/sentences/sentences.ts'

export const call = { operation: 'ListDevices', host: 'api.example.com' }
const untilAt = new Date(2026, 10, 21, 14, 5).getTime()

/** One failure of each kind; a new kind does not compile without one. */
export const each: { readonly [K in FailureKind]: Failure & { kind: K } } = {
  'key-missing': { kind: 'key-missing' },
  'key-refused': { kind: 'key-refused', slot: 'secondary', message: 'Access denied' },
  'key-not-bound': {
    kind: 'key-not-bound',
    slot: 'primary',
    boundTo: 'https://api.example.com',
    wouldGoTo: 'https://api.example.com:8443',
  },
  'key-unreadable': { kind: 'key-unreadable', slot: 'secondary' },
  'rate-limited': { kind: 'rate-limited', call, untilAt },
  offline: { kind: 'offline', call, message: 'ENOTFOUND' },
  'service-unavailable': { kind: 'service-unavailable', call, status: 503, message: null },
  'not-found': { kind: 'not-found', call: null, what: 'room 7' },
  refused: { kind: 'refused', call, status: 400, message: 'bad api-version' },
  'unreadable-answer': {
    kind: 'unreadable-answer',
    call,
    where: 'items[3]',
    message: 'HTML instead of JSON',
  },
  'releases-unread': { kind: 'releases-unread', product: 'Jabra Evolve2 65', observedAt: untilAt },
  'timed-out': { kind: 'timed-out', call, afterInMs: 30_000 },
  unconfirmed: { kind: 'unconfirmed', call, message: 'reset' },
  cancelled: { kind: 'cancelled' },
  'keychain-unavailable': { kind: 'keychain-unavailable', reason: 'locked', message: 'locked collection' },
  'cache-unusable': {
    kind: 'cache-unusable',
    file: 'store.sqlite',
    reason: 'newer',
    message: 'user_version 9',
  },
  'writes-locked': { kind: 'writes-locked' },
  'data-folder': {
    kind: 'data-folder',
    reason: 'silent',
    holder: 'headroom on the command line',
    detail: null,
  },
  'unsafe-setup': { kind: 'unsafe-setup', what: 'data-folder', detail: '/srv/headroom' },
  policy: { kind: 'policy', rule: 'host', file: '/etc/headroom/policy.json', detail: 'api.example.com' },
  'too-busy': { kind: 'too-busy', waiting: 20_000 },
  'file-mismatch': {
    kind: 'file-mismatch',
    what: 'ledger',
    file: 'Jabra Link 380 1.12.0.zip',
    expected: 'a'.repeat(64),
    actual: 'b'.repeat(64),
    sinceAt: untilAt,
    at: untilAt + 1_000,
    checks: { size: 'ok', md5: 'not published', ledger: 'changed' },
  },
  'folder-unusable': { kind: 'folder-unusable', reason: 'no-room', path: '/srv', needed: 4_096, free: 512 },
  'address-refused': { kind: 'address-refused', address: 'https://10.0.0.1/a.zip', rule: 'not-public' },
  invalid: { kind: 'invalid', field: 'name', message: 'Enter a name.' },
  bug: { kind: 'bug', reference: 'B-17' },
}

/** A reason without a sentence does not compile, so that the file knows all of them. */
const namesIn = <T extends object>(texts: T): (keyof T & string)[] =>
  Object.keys(texts) as (keyof T & string)[]
const casesOf = <K extends FailureKind>(kind: K): string[] =>
  namesIn(sentences.failure).flatMap((name) =>
    name.startsWith(`${kind}-`) ? [name.slice(kind.length + 1)] : [],
  )

/** Every kind with every reason that its text depends on. */
export const everyFailure = [
  ...Object.values(each),
  { kind: 'rate-limited', call, untilAt: null },
  { kind: 'rate-limited', call, untilAt, held: true },
  { kind: 'service-unavailable', call, status: null, message: null },
  { kind: 'not-found', call: null, what: 'Device was not found.' },
  {
    kind: 'not-found',
    call: null,
    what: 'firmware releases of Bar',
    inBundles: [
      { bundle: 'Bar VBS', bundleVersion: '1.0.0', firmware: '6.5.0' },
      { bundle: 'Terse', bundleVersion: null, firmware: null },
    ],
  },
  { ...each['timed-out'], what: 'the device catalogue' },
  { ...each['timed-out'], via: { host: 'proxy.example.com', port: 8080 } },
  ...casesOf('offline').map((reason) => ({
    ...each.offline,
    via: { host: 'proxy.example.com', port: 8080 },
    reason,
    sent: false,
  })),
  { kind: 'offline', call: { operation: 'RebootRoom', host: null }, message: 'no network' },
  { ...each['cache-unusable'], refusesWrite: true },
  { ...each['releases-unread'], observedAt: null },
  { ...each['file-mismatch'], expected: null, actual: null, sinceAt: null },
  { ...each['unsafe-setup'], what: 'certificates' },
  { ...each['unsafe-setup'], what: 'switch', detail: '--no-sandbox' },
  { kind: 'invalid', field: 'name', message: 'must be a guid' },
  ...casesOf('data-folder').map((reason) => ({
    ...each['data-folder'],
    reason,
    holder: null,
    detail: 'nfs',
  })),
  ...namesIn(sentences.fileReason)
    .filter((reason) => reason !== 'slow')
    .flatMap((reason) =>
      ['store.sqlite', 'workbook.sqlite'].map((file) => ({ ...each['cache-unusable'], file, reason })),
    ),
  ...namesIn(sentences.keychainReason).map((reason) => ({ ...each['keychain-unavailable'], reason })),
  ...casesOf('file-mismatch').map((what) => ({ ...each['file-mismatch'], what })),
  ...namesIn(sentences.folderReason).flatMap((reason) => [
    { ...each['folder-unusable'], reason },
    { ...each['folder-unusable'], reason, needed: null, free: null },
  ]),
  ...casesOf('policy').map((rule) => ({ ...each.policy, rule })),
  ...namesIn(sentences.addressRule).map((rule) => ({ ...each['address-refused'], rule })),
] as readonly Failure[]
