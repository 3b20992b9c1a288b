import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import { callOf, detailsOf, failureText } from '../../../renderer/failures/failure-text.ts'
import { call, each, everyFailure } from '../../every-failure.ts'

describe('the text of a failure', () => {
  it.each(everyFailure)('has a sentence and plain advice: %j', (failure) => {
    const { sentence, advice } = failureText(failure)
    for (const words of [sentence, advice]) {
      expect(words).toMatch(/^[^{}!]{9,}\.$/)
      expect(words).not.toMatch(/failures?\.|undefined|null|please/i)
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
        'The primary subscription key belongs to https://api.example.com, but would have been sent to https://api.example.com:8443. Nothing was sent.',
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
        'The file workbook.sqlite cannot be written. Nothing was sent, because Headroom sends an action only when it can record it.',
      advice:
        'Make its folder writable for your user, or choose another or a shorter one with HEADROOM_HOME. Then start Headroom again.',
    })
  })
  it.each([
    ['store.sqlite', 'damaged', 'It was set aside and a new one was started. A sync reads the fleet again.'],
    ['store.sqlite', 'earlier', 'It was set aside and a new one was started. A sync reads the fleet again.'],
    [
      'workbook.sqlite',
      'damaged',
      'It was set aside and a new one was started. If you have a copy, close Headroom and replace the file with it; else add your organizations again.',
    ],
    [
      'workbook.sqlite',
      'earlier',
      'Choose another folder with HEADROOM_HOME. The data in this file is not read.',
    ],
  ] as const)('says what became of a %s that is %s', (file, reason, advice) => {
    expect(failureText({ kind: 'cache-unusable', file, reason, message: '' }).advice).toBe(advice)
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
    ).toEqual(['Enter a name.', 'name: must be a guid.', 'name: This is empty.', 'This plan has expired.'])
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
