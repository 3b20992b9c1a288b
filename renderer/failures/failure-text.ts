import { isKind, type CallPlace, type Failure } from '../../electron/contract/failure.ts'
import { policyOf } from '../../electron/contract/failure-policy.ts'
import { sayFailure, type FailureText } from '../../electron/contract/sentences/failure-sentences.ts'
import { i18n, say, text } from '../locales/i18n.ts'
import { formatBytes, formatCount, formatDuration, formatMoment, formatTime } from '../components/format.ts'

export const failureText = (failure: Failure): FailureText =>
  sayFailure(failure, {
    say,
    ownAdvice: (names, named) => {
      const known = names.map((name) => `failures.advice.${name}`).find((key) => i18n.global.te(key, 'en'))
      return known === undefined ? null : text(known, named)
    },
    // They are in the fold, by `detailsOf`.
    details: () => '',
    fieldName: () => null,
    until: (at, isHeld) => (isHeld ? formatMoment(at) : formatTime(at)),
    moment: formatMoment,
    duration: formatDuration,
    bytes: formatBytes,
    count: formatCount,
  })

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
    ['found', isKind(failure, 'file-mismatch') ? formatMoment(failure.at) : null],
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
