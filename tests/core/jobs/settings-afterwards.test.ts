import { describe, expect, test } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { WriteReport } from '../../../electron/contract/api/writes.ts'
import { endingOf, endingOfWrite } from '../../../electron/core/jobs/job-work.ts'
import { checkUntilVerified, type SettingsState } from '../../../electron/core/jobs/settings-plan.ts'
import { FakeClock } from '../../fake-clock.ts'

const call = { operation: 'UpdateDeviceSettings', host: 'fake' }
const offline: Failure = { kind: 'offline', call, message: '' }
const refusedKey: Failure = { kind: 'key-refused', slot: 'primary', message: null }
const otherHost: Failure = {
  kind: 'key-not-bound',
  slot: 'primary',
  boundTo: 'https://api.example',
  wouldGoTo: 'https://elsewhere.example',
}
const verified = { kind: 'verified' } as const
const later = { kind: 'applies-later' } as const
const otherwise = {
  kind: 'otherwise',
  failure: { kind: 'invalid', field: 'settings.a', message: 'another' },
} as const

describe('checking a device after a change', () => {
  test.each<
    [
      string,
      readonly (Exclude<SettingsState, { kind: 'not-read' }> | Failure)[],
      SettingsState,
      readonly number[],
    ]
  >([
    ['once, if it reports the new values', [verified], verified, [0]],
    ['again after 20 s', [later, verified], verified, [0, 20]],
    ['and again after 30 s', [later, later, verified], verified, [0, 20, 50]],
    ['three times at most: it may apply them later', [later], later, [0, 20, 50]],
    ['again if it reports a third value, which may be temporary', [otherwise, verified], verified, [0, 20]],
    ['and the third value is reported if it remains', [otherwise], otherwise, [0, 20, 50]],
    ['again when it could not be read', [offline, verified], verified, [0, 20]],
    ['and why, when it never could be', [offline], { kind: 'not-read', failure: offline }, [0, 20, 50]],
    ['no more once the key is refused', [refusedKey], { kind: 'not-read', failure: refusedKey }, [0]],
    ['no more once the key is for another host', [otherHost], { kind: 'not-read', failure: otherHost }, [0]],
    [
      'with what it reported before, if it cannot be read later',
      [later, offline, offline],
      later,
      [0, 20, 50],
    ],
  ])('%s', async (_, reported, shown, at) => {
    const clock = new FakeClock()
    const looks: number[] = []
    const looking = checkUntilVerified(clock, new AbortController().signal, async () => {
      const now = reported[Math.min(looks.push(clock.monotonic() / 1_000) - 1, reported.length - 1)]!
      if (!['verified', 'applies-later', 'otherwise'].includes(now.kind)) throw new Failed(now as Failure)
      return now as Exclude<SettingsState, { kind: 'not-read' }>
    })
    await clock.advance(120_000)
    expect([await looking, looks]).toEqual([shown, at])
  })
})

const refused = (status: number, message: string | null = null): Failure => ({
  kind: 'refused',
  call,
  status,
  message,
})

describe('a failure ends an item, or allows another attempt', () => {
  test.each<[string, Failure, string]>([
    ['404', { kind: 'not-found', call, what: 'x' }, 'not-found'],
    ['403', refused(403), 'failed'],
    ['405', refused(405), 'not-supported'],
    ['409', refused(409), 'failed'],
    ['400 without a word', refused(400), 'failed'],
    ['400 for a value', refused(400, 'The value is not allowed.'), 'failed'],
    [
      '400 with that message',
      refused(400, 'settings.a: The setting is not supported by the device.'),
      'not-supported',
    ],
    ['400 with another message', refused(400, 'Unsupported setting'), 'not-supported'],
    ['403 with that message', refused(403, 'not supported'), 'failed'],
    ['501', { kind: 'unconfirmed', call, message: '', status: 501 }, 'not-supported'],
    ['500', { kind: 'unconfirmed', call, message: '', status: 500 }, 'unknown'],
    ['no answer', { kind: 'unconfirmed', call, message: '' }, 'unknown'],
    ['a damaged store', { kind: 'cache-unusable', file: 'x', reason: 'damaged', message: '' }, 'failed'],
    ['an unreadable response', { kind: 'unreadable-answer', call, where: '', message: '' }, 'failed'],
    ['no connection', offline, 'again: offline'],
    ['429', { kind: 'rate-limited', call, untilAt: 5 }, 'again: rate-limited'],
    ['the lock', { kind: 'writes-locked' }, 'again: locked'],
    ['a refused key', refusedKey, 'again: paused'],
    ['a key for another host', otherHost, 'again: paused'],
    ['a key that cannot be read', { kind: 'key-unreadable', slot: 'primary' }, 'again: paused'],
    ['being cancelled', { kind: 'cancelled' }, 'again: paused'],
    ['too many waiting', { kind: 'too-busy', waiting: 1 }, 'again: call-budget'],
  ])('%s', (_, failure, reported) => {
    const ending = endingOf(failure, 7)
    expect(ending.kind === 'ended' ? ending.outcome : `again: ${ending.waitsFor}`).toBe(reported)
    expect(ending).toMatchObject(ending.kind === 'ended' ? { failure, journalId: 7 } : { failure })
  })
})

test.each<[WriteReport['outcome'], unknown]>([
  ['accepted', null],
  ['waiting', { kind: 'again', at: 9, waitsFor: 'device-minute', failure: null }],
  ['refused', { kind: 'ended', outcome: 'failed', detail: null, failure: refused(403), journalId: 1 }],
])('a write that ended %s', (outcome, ending) => {
  const failure = outcome === 'refused' ? refused(403) : null
  expect(
    endingOfWrite({ outcome, failure, earliestAt: outcome === 'waiting' ? 9 : null, journalId: 1 }),
  ).toEqual(ending)
})
