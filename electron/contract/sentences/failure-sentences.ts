import type { BundledFirmware, Failure, FailureKind, FailureOf, Via } from '../failure.ts'
import { sentences, type Named, type Say } from './sentences.ts'

export interface FailureText {
  /** What happened. */
  readonly sentence: string
  /** What to do about it. Empty: nothing. */
  readonly advice: string
}

/** How a client says it. */
export interface Wording {
  readonly say: Say
  /** What only this client advises, by the first of these names that it knows; null: none. */
  readonly ownAdvice: (names: readonly string[], named: Named) => string | null
  /** What the sentence itself says of call and message. Empty: they are shown elsewhere. */
  readonly details: (failure: Failure) => string
  /** The name that people know a field of an input by; null: none, or the failure is shown beside it. */
  readonly fieldName: (field: string) => string | null
  /** `isHeld`: it may be days away. */
  readonly until: (at: number, isHeld: boolean) => string
  readonly moment: (at: number) => string
  readonly duration: (inMs: number) => string
  readonly bytes: (count: number) => string
  readonly count: (count: number) => string
}

type Case = keyof typeof sentences.failure
/** `advice`: the name of the advice; that of the kind applies if there is none. */
type Row = readonly [sentence: Case, named?: Named, advice?: string]

/** The sentence already ends with punctuation. */
export const withoutEnd = (sentence: string): string => sentence.replace(/[.\s]+$/, '')
/** A message that makes sense only next to the name of its field: `must be a guid`, `This is empty.` */
const aboutField = /^(?:[a-z]|This (?:must|is|cannot|contains|has)\b)/

/** Members of the failure are named values of its sentence. A new kind does not compile without a row. */
const rows: { readonly [K in FailureKind]: (failure: FailureOf<K>, wording: Wording) => Row } = {
  'key-missing': () => ['key-missing'],
  'key-refused': () => ['key-refused'],
  'key-not-bound': () => ['key-not-bound'],
  'key-unreadable': () => ['key-unreadable'],
  'rate-limited': ({ untilAt, held = false }, { until }) =>
    untilAt === null
      ? ['rate-limited-open']
      : [held ? 'rate-limited-held' : 'rate-limited', { until: until(untilAt, held) }],
  offline: (failure) =>
    'reason' in failure ? [`offline-${failure.reason}`, { proxy: proxyText(failure.via) }] : ['offline'],
  'service-unavailable': ({ status }) => [
    status === null ? 'service-unavailable-open' : 'service-unavailable',
  ],
  'not-found': ({ what, inBundles = [] }, { say }) =>
    inBundles.length > 0
      ? ['not-found-bundled', { bundles: bundlesText(inBundles, say) }]
      : [/[.!?]$/.test(what) ? 'not-found-said' : 'not-found'],
  refused: () => ['refused'],
  'unreadable-answer': () => ['unreadable-answer'],
  'timed-out': ({ afterInMs, what, via }, { duration }) => [
    via !== undefined ? 'timed-out-proxy' : what === undefined ? 'timed-out' : 'timed-out-document',
    { after: duration(afterInMs), proxy: proxyText(via ?? null) },
  ],
  unconfirmed: () => ['unconfirmed'],
  cancelled: () => ['cancelled'],
  'keychain-unavailable': ({ reason }, { say }) => [
    'keychain-unavailable',
    { reason: say(`keychainReason.${reason}`) },
    `keychain-unavailable-${reason}`,
  ],
  'cache-unusable': ({ file, reason, refusesWrite }, { say }) => [
    refusesWrite ? 'cache-unusable-write' : 'cache-unusable',
    { reason: say(`fileReason.${reason}`) },
    // A store is made of what can be read again, a workbook is not.
    file === 'store.sqlite' && (reason === 'damaged' || reason === 'earlier')
      ? 'cache-unusable-set-aside'
      : `cache-unusable-${reason}`,
  ],
  'data-folder': ({ reason, holder, detail }, { say }) => [
    `data-folder-${reason}`,
    { holder: holder ?? say('otherProcess'), why: detail ? ` (${detail})` : '' },
  ],
  'unsafe-setup': ({ what }) => [`unsafe-setup-${what}`],
  'too-busy': ({ waiting }, { count }) => ['too-busy', { waiting: count(waiting) }],
  'file-mismatch': ({ what, expected, actual, sinceAt }, { say, moment }) => [
    `file-mismatch-${what}`,
    {
      expected: expected ?? say('unknown'),
      actual: actual ?? say('unknown'),
      since: sinceAt === null ? say('unknown') : moment(sinceAt),
    },
  ],
  'folder-unusable': (failure, { say, bytes }) => [
    'folder-unusable',
    {
      reason: say(`folderReason.${folderReason(failure)}`, {
        needed: bytes(failure.needed ?? 0),
        free: bytes(failure.free ?? 0),
      }),
    },
  ],
  'address-refused': ({ rule }, { say }) => ['address-refused', { rule: say(`addressRule.${rule}`) }],
  policy: ({ rule, detail }) => [`policy-${rule}`, { detail: withoutEnd(detail ?? '') }],
  'writes-locked': () => ['writes-locked'],
  'releases-unread': ({ observedAt }, { say, moment }) => [
    'releases-unread',
    { age: observedAt === null ? say('listNeverRead') : say('listFrom', { when: moment(observedAt) }) },
  ],
  invalid: ({ field, message }, { fieldName }) => {
    const name = fieldName(field) ?? (aboutField.test(message) ? field : null)
    return [name === null ? 'invalid' : 'invalid-field', { field: name ?? '', message: withoutEnd(message) }]
  },
  bug: () => ['bug'],
}

export function sayFailure(failure: Failure, wording: Wording): FailureText {
  const { say } = wording
  const row = rows[failure.kind] as (failure: Failure, wording: Wording) => Row
  const [name, more, advice = name] = row(failure, wording)
  const host = 'call' in failure ? (failure.call?.host ?? null) : null
  const named = {
    ...failure,
    host: host ?? say('service'),
    Host: host ?? say('serviceFirst'),
    details: wording.details(failure),
    ...more,
  }
  const names = [advice, failure.kind]
  const known = names.find((one): one is keyof typeof sentences.advice => one in sentences.advice)
  return {
    sentence: say(`failure.${name}`, named),
    advice: wording.ownAdvice(names, named) ?? (known === undefined ? '' : say(`advice.${known}`, named)),
  }
}

/** Empty: no sentence about an unknown proxy names it. */
const proxyText = (via: Via | null): string => (via === null ? '' : `${via.host}:${via.port}`)

/** Some reasons name sizes, if they were measured. */
function folderReason(failure: FailureOf<'folder-unusable'>): keyof typeof sentences.folderReason {
  const { reason, needed, free } = failure
  if (reason === 'no-room' && (needed === null || free === null)) return 'no-room-unmeasured'
  return reason === 'too-large' && needed === null ? 'too-large-unmeasured' : reason
}

/** `firmware bundle Bar 1.0.0, which contains 6.5.0, firmware bundle Terse`. */
export const bundlesText = (bundles: readonly BundledFirmware[], say: Say): string =>
  bundles
    .map(({ bundle, bundleVersion, firmware: version }) =>
      say(version === null ? 'bundle' : 'bundleHolds', {
        bundle: [bundle, bundleVersion].filter(Boolean).join(' '),
        version,
      }),
    )
    .join(', ')
