import type { CallPlace, Failure, FailureKind, FailureOf } from '../../electron/contract/failure.ts'
import { policyOf } from '../../electron/contract/failure-policy.ts'
import { text } from '../locales/i18n.ts'
import { formatBytes, formatCount, formatDuration, formatMoment, formatTime } from '../components/format.ts'

export interface FailureText {
  /** What happened. */
  readonly sentence: string
  /** What to do about it. */
  readonly advice: string
}

const plain = (
  kind: FailureKind,
  named: Record<string, unknown> = {},
  sentence = 'sentence',
): FailureText => ({
  sentence: text(`failures.${kind}.${sentence}`, named),
  advice: text(`failures.${kind}.advice`, named),
})

/** The sentence already ends with punctuation. */
const withoutEnd = (sentence: string): string => sentence.replace(/[.\s]+$/, '')
/** A message that makes sense only next to the name of its field: `must be a guid`, `This is empty.` */
const aboutField = /^(?:[a-z]|This (?:must|is|cannot|contains|has)\b)/

/** At the start of a sentence. */
const hostOf = ({ host }: CallPlace): string => host ?? text('failures.note.serviceFirst')

/** One sentence and one advice per kind: a new kind of Failure does not compile until it has them. */
const table: { readonly [K in FailureKind]: (failure: FailureOf<K>) => FailureText } = {
  'key-missing': () => plain('key-missing'),
  'key-refused': ({ slot }) => plain('key-refused', { slot: text(`failures.slot.${slot}`) }),
  'key-not-bound': ({ slot, boundTo, wouldGoTo }) =>
    plain('key-not-bound', { slot: text(`failures.slot.${slot}`), boundTo, wouldGoTo }),
  'key-unreadable': ({ slot }) => plain('key-unreadable', { slot: text(`failures.slot.${slot}`) }),
  'rate-limited': ({ untilAt, held }) => {
    if (untilAt === null) return plain('rate-limited', {}, 'sentenceOpen')
    // A hold may last for days.
    if (held)
      return {
        ...plain('rate-limited', { until: formatMoment(untilAt) }, 'sentenceHeld'),
        advice: text('failures.rate-limited.adviceHeld'),
      }
    return plain('rate-limited', { until: formatTime(untilAt) })
  },
  offline: ({ call }) => plain('offline', { host: call.host ?? text('failures.note.service') }),
  'service-unavailable': ({ call, status }) =>
    plain(
      'service-unavailable',
      { host: hostOf(call), status },
      status === null ? 'sentenceOpen' : 'sentence',
    ),
  'not-found': ({ what }) => plain('not-found', { what: withoutEnd(what) }),
  refused: ({ status }) => plain('refused', { status }),
  'unreadable-answer': ({ call }) =>
    plain('unreadable-answer', { host: call.host ?? text('failures.note.service') }),
  'timed-out': ({ call, afterInMs, what }) =>
    plain(
      'timed-out',
      { host: hostOf(call), after: formatDuration(afterInMs), what: what ?? '' },
      what === undefined ? 'sentence' : 'sentenceDocument',
    ),
  unconfirmed: () => plain('unconfirmed'),
  cancelled: () => plain('cancelled'),
  'keychain-unavailable': ({ reason }) =>
    plain('keychain-unavailable', {
      reason: text(`failures.keychainReason.${reason}`),
      advice: text(`failures.keychainAdvice.${reason}`),
    }),
  'cache-unusable': ({ file, reason, refusesWrite }) =>
    plain(
      'cache-unusable',
      {
        file,
        reason: text(`failures.cacheReason.${reason}`),
        advice: text(`failures.cacheAdvice.${reason}`),
      },
      refusesWrite ? 'sentenceWrite' : 'sentence',
    ),
  'writes-locked': () => plain('writes-locked'),
  'data-folder': ({ reason, holder, detail }) => {
    const named = { holder: holder ?? text('failures.data-folder.somebody'), detail }
    return plain('data-folder', { ...named, advice: text(`failures.folderAdvice.${reason}`, named) }, reason)
  },
  'unsafe-setup': ({ what, detail }) =>
    plain('unsafe-setup', { detail, advice: text(`failures.unsafeAdvice.${what}`) }, what),
  'too-busy': ({ waiting }) => plain('too-busy', { waiting: formatCount(waiting) }),
  'file-mismatch': ({ what, file, expected, actual, sinceAt }) =>
    plain(
      'file-mismatch',
      {
        file,
        expected: expected ?? text('failures.file-mismatch.unknown'),
        actual: actual ?? text('failures.file-mismatch.unknown'),
        since: sinceAt === null ? '' : formatMoment(sinceAt),
      },
      what,
    ),
  'folder-unusable': ({ reason, path, needed, free }) =>
    plain('folder-unusable', {
      path,
      reason: text(`failures.folderReason.${reason}`, {
        needed: needed === null ? '' : formatBytes(needed),
        free: free === null ? '' : formatBytes(free),
      }),
    }),
  'address-refused': ({ address, rule }) =>
    plain('address-refused', { address, rule: text(`failures.addressRule.${rule}`) }),
  'releases-unread': ({ product, observedAt }) =>
    plain('releases-unread', {
      product,
      age:
        observedAt === null
          ? text('failures.releases-unread.never')
          : text('failures.releases-unread.from', { when: formatMoment(observedAt) }),
    }),
  invalid: ({ field, message }) =>
    plain(
      'invalid',
      { field, message: withoutEnd(message) },
      aboutField.test(message) ? 'sentenceField' : 'sentence',
    ),
  bug: ({ reference }) => plain('bug', { reference }),
}

export const failureText = (failure: Failure): FailureText =>
  (table[failure.kind] as (failure: Failure) => FailureText)(failure)

/** Failures that are fixed under Organizations. */
export const needsKey = (failure: Failure): boolean => policyOf(failure).needs === 'key'

export const callOf = (failure: Failure): CallPlace | null => ('call' in failure ? failure.call : null)

/**
 * Label and value of all details of a failure, for display and for copying. A failure never contains a key or
 * a body.
 */
export function detailsOf(failure: Failure): readonly (readonly [label: string, value: string])[] {
  const call = callOf(failure)
  const rows: [string, string | number | null][] = [
    ['kind', failure.kind],
    [
      'call',
      call === null ? null : call.host === null ? call.operation : text('failures.note.call', { ...call }),
    ],
    ['status', 'status' in failure ? failure.status : null],
    ['where', 'where' in failure ? failure.where : null],
    ['reason', 'reason' in failure ? failure.reason : null],
    ['file', 'file' in failure ? failure.file : null],
    ['boundTo', 'boundTo' in failure ? failure.boundTo : null],
    ['wouldGoTo', 'wouldGoTo' in failure ? failure.wouldGoTo : null],
    ['path', 'path' in failure ? failure.path : null],
    ['address', 'address' in failure ? failure.address : null],
    ['rule', 'rule' in failure ? failure.rule : null],
    ['expected', 'expected' in failure ? failure.expected : null],
    ['actual', 'actual' in failure ? failure.actual : null],
    ['since', 'sinceAt' in failure && failure.sinceAt !== null ? formatMoment(failure.sinceAt) : null],
    ['found', failure.kind === 'file-mismatch' ? formatMoment(failure.at) : null],
    ['field', 'field' in failure ? failure.field : null],
    ['until', 'untilAt' in failure && failure.untilAt !== null ? formatMoment(failure.untilAt) : null],
    ['after', 'afterInMs' in failure ? formatDuration(failure.afterInMs) : null],
    ['waiting', 'waiting' in failure ? failure.waiting : null],
    ['reference', 'reference' in failure ? failure.reference : null],
    ['message', 'message' in failure ? failure.message : null],
  ]
  return rows.flatMap(([name, value]) =>
    value === null ? [] : [[text(`failures.detail.${name}`), String(value)] as const],
  )
}
