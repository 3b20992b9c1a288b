import { describe, expect, it } from 'vitest'
import type { Failure, FailureKind } from '../../../electron/contract/failure.ts'
import { callOf, detailsOf, failureText } from '../../../renderer/failures/failure-text.ts'

const call = { operation: 'ListDevices', host: 'api.example.com' }
const untilAt = new Date(2026, 10, 21, 14, 5).getTime()

/** One failure of each kind; without an entry a new kind does not compile here either. */
const each: { readonly [K in FailureKind]: Failure & { kind: K } } = {
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

describe('the text of a failure', () => {
  it.each(Object.values(each))('has for $kind a sentence and plain advice', (failure) => {
    const { sentence, advice } = failureText(failure)
    for (const words of [sentence, advice]) {
      expect(words).toMatch(/^[^{}!]{10,}\.$/)
      expect(words).not.toMatch(/failures\.|undefined|null|please/i)
    }
  })
  it('names host, status, time and key if known', () => {
    expect(
      [
        failureText(each['key-refused']),
        failureText(each['rate-limited']),
        failureText(each['service-unavailable']),
        failureText(each['timed-out']),
        failureText({ ...each['timed-out'], what: 'the device catalogue' }),
      ].map((w) => w.sentence),
    ).toEqual([
      'The service refused the secondary subscription key.',
      'The service asked Headroom to wait until 14:05.',
      'api.example.com answered with status 503.',
      'api.example.com did not answer within 30 s.',
      'api.example.com did not send the device catalogue within 30 s.',
    ])
  })
  it('names the host of a key and the one it would have gone to', () => {
    expect(failureText(each['key-not-bound'])).toEqual({
      sentence:
        'The primary key belongs to https://api.example.com, but would have been sent to https://api.example.com:8443. Nothing was sent.',
      advice:
        'Correct the address, or enter the key for the new one under Organizations. All data read so far stays available.',
    })
  })
  it('differs when the time or the status is unknown', () => {
    expect(failureText({ kind: 'rate-limited', call, untilAt: null }).sentence).toBe(
      'The service asked Headroom to send fewer calls.',
    )
    expect(failureText({ kind: 'service-unavailable', call, status: null, message: null }).sentence).toBe(
      'api.example.com closed the connection.',
    )
  })
  it('says that nothing was sent when an unwritable file prevented a write', () => {
    expect(
      failureText({
        kind: 'cache-unusable',
        file: 'workbook.sqlite',
        reason: 'read-only',
        message: '',
        refusesWrite: true,
      }),
    ).toEqual({
      sentence:
        'Nothing was sent: the file workbook.sqlite cannot be written, and Headroom sends an action only when it can record it.',
      advice:
        'Make its folder writable for your user, or choose another or a shorter one with HEADROOM_HOME. Then start Headroom again. The data shown stays readable.',
    })
  })
  it('gives advice for each reason why the keychain or a file cannot be used', () => {
    const reasons = ['library-missing', 'no-bus', 'no-service', 'no-keyring', 'locked', 'unknown'] as const
    const files = ['damaged', 'read-only', 'disk-full', 'newer', 'busy', 'unknown'] as const
    const advice = [
      ...reasons.map((reason) => failureText({ kind: 'keychain-unavailable', reason, message: '' }).advice),
      ...files.map(
        (reason) => failureText({ kind: 'cache-unusable', file: 'f', reason, message: '' }).advice,
      ),
    ]
    expect(new Set(advice).size).toBe(reasons.length + files.length)
    expect(advice.filter((words) => words.includes('failures.'))).toEqual([])
  })
  it('lists what weakens Headroom, with advice', () => {
    const setup = [
      each['unsafe-setup'],
      { kind: 'unsafe-setup', what: 'certificates', detail: 'NODE_TLS_REJECT_UNAUTHORIZED=0' },
    ] as const
    expect(setup.map(failureText)).toEqual([
      {
        sentence: 'Other users of this computer can write to the data folder /srv/headroom.',
        advice: 'Remove that permission, or choose another folder with HEADROOM_HOME.',
      },
      {
        sentence:
          'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks. Headroom checks certificates anyway.',
        advice: 'Remove it. Add your own certificate authority to the system’s certificate store instead.',
      },
    ])
  })
  it('shows the message about an input as one sentence, and names the field if the message does not', () => {
    const sentenceOf = (message: string): string =>
      failureText({ kind: 'invalid', field: 'name', message }).sentence
    expect(
      ['Enter a name.', 'must be a guid', 'This is empty.', 'This plan has expired.'].map(sentenceOf),
    ).toEqual([
      'Enter a name.',
      '“name”: must be a guid.',
      '“name”: This is empty.',
      'This plan has expired.',
    ])
  })
  it('contains every known detail once, for the fold and for copying', () => {
    expect(detailsOf(each['unreadable-answer'])).toEqual([
      ['Kind', 'unreadable-answer'],
      ['Call', 'ListDevices at api.example.com'],
      ['Location', 'items[3]'],
      ['Message', 'HTML instead of JSON'],
    ])
    expect(callOf(each['not-found'])).toBeNull()
  })
})

it('a failure rebuilt from a stored line names no host', () => {
  const failure: Failure = { kind: 'offline', call: { operation: 'RebootRoom', host: null }, message: '' }
  expect(failureText(failure).sentence).toBe('Cannot reach the service.')
  expect(detailsOf(failure)).toContainEqual(['Call', 'RebootRoom'])
})
