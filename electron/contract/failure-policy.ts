import type { WaitReason } from './api/jobs.ts'
import type { Failure, FailureKind } from './failure.ts'

/** What a kind of failure means for everything that meets it. A new kind does not compile without a row. */
export interface FailurePolicy {
  /**
   * `one`: only this call or record. `all`: the next call would fail as well, a later one may succeed. `end`:
   * nothing more may be asked, because the work was ended or a person must act first.
   */
  readonly reach: 'one' | 'all' | 'end'
  /** What an item of a job waits for until it is tried again; null: the failure ends the item. */
  readonly waitsFor: Exclude<WaitReason, 'key' | 'releases'> | null
  /** False: a write that ended with it certainly did not arrive, so the minute of its devices does not begin. */
  readonly countsAsSent: boolean
  /** The only HTTP status that it comes from (service-client); null: several or none. */
  readonly status: number | null
  /** Whether an older copy of a document is shown instead; `unless-asked`: not to somebody who asks for a new one. */
  readonly copyHelps: 'always' | 'unless-asked' | 'never'
  /** What a person must provide first; null: nothing. */
  readonly needs: 'key' | 'keychain' | null
  /** `mild`: shown in amber, because it waits for something or is no error of a program; else red. */
  readonly notice: 'mild' | 'bad'
  /** Of a command that ends with it. */
  readonly exitCode: 2 | 3
}

const ofOneCall: FailurePolicy = {
  reach: 'one',
  waitsFor: null,
  countsAsSent: true,
  status: null,
  copyHelps: 'never',
  needs: null,
  notice: 'bad',
  exitCode: 3,
}
/** There was no key to send, and nothing is sent until a person acts. */
const withoutKey: FailurePolicy = {
  ...ofOneCall,
  reach: 'end',
  waitsFor: 'paused',
  countsAsSent: false,
  needs: 'key',
  notice: 'mild',
}

const policies: Readonly<Record<FailureKind, FailurePolicy>> = {
  'key-missing': withoutKey,
  'key-not-bound': withoutKey,
  'key-unreadable': { ...withoutKey, notice: 'bad' },
  'keychain-unavailable': { ...withoutKey, needs: 'keychain' },
  'key-refused': { ...withoutKey, countsAsSent: true, status: 401, notice: 'bad' },
  'rate-limited': {
    ...ofOneCall,
    reach: 'all',
    waitsFor: 'rate-limited',
    status: 429,
    copyHelps: 'always',
    notice: 'mild',
  },
  'too-busy': {
    ...ofOneCall,
    reach: 'all',
    waitsFor: 'call-budget',
    countsAsSent: false,
    copyHelps: 'always',
    notice: 'mild',
  },
  offline: {
    ...ofOneCall,
    reach: 'all',
    waitsFor: 'offline',
    countsAsSent: false,
    copyHelps: 'always',
    notice: 'mild',
  },
  'timed-out': { ...ofOneCall, countsAsSent: false, copyHelps: 'always' },
  'service-unavailable': { ...ofOneCall, copyHelps: 'always' },
  'not-found': { ...ofOneCall, status: 404, notice: 'mild' },
  refused: { ...ofOneCall, copyHelps: 'unless-asked' },
  'unreadable-answer': { ...ofOneCall, copyHelps: 'unless-asked' },
  unconfirmed: { ...ofOneCall, notice: 'mild' },
  cancelled: { ...ofOneCall, reach: 'end', waitsFor: 'paused', countsAsSent: false, notice: 'mild' },
  'writes-locked': { ...ofOneCall, reach: 'all', waitsFor: 'locked', countsAsSent: false, notice: 'mild' },
  policy: {
    ...ofOneCall,
    reach: 'all',
    waitsFor: 'policy',
    countsAsSent: false,
    copyHelps: 'always',
    notice: 'mild',
  },
  'cache-unusable': { ...ofOneCall, reach: 'all' },
  'data-folder': { ...ofOneCall, reach: 'end', waitsFor: 'paused' },
  'unsafe-setup': ofOneCall,
  'file-mismatch': ofOneCall,
  'folder-unusable': ofOneCall,
  'address-refused': ofOneCall,
  'releases-unread': ofOneCall,
  invalid: { ...ofOneCall, exitCode: 2 },
  bug: ofOneCall,
}

export const policyOf = (failure: Failure): FailurePolicy => policies[failure.kind]
/** By the name of a kind, as journal lines store it; null: no kind. */
export const policyNamed = (kind: string): FailurePolicy | null =>
  Object.hasOwn(policies, kind) ? policies[kind as FailureKind] : null
