import { describe, expect, it, test } from 'vitest'
import type { Failure } from '../../electron/contract/failure.ts'
import { sentence, swapSentence } from '../../electron/cli/texts.ts'
import { everyFailure } from '../every-failure.ts'

it.each(everyFailure)('is one line without placeholders: %j', (failure) => {
  const said = sentence(failure)
  expect(said).toMatch(/^[^{}!\n]{10,}[.\w]$/)
  expect(said).not.toMatch(/failure\.|undefined|null|please| {2}|\.\./i)
})

describe('an item that was not found', () => {
  it.each([
    ['nosuch', 'Not found: nosuch.'],
    ['Device was not found.', 'Device was not found.'],
    ['firmware releases of 2830/12344', 'Not found: firmware releases of 2830/12344.'],
    ['a path for GetX (not published)', 'Not found: a path for GetX (not published).'],
  ])('%s: a sentence stays one', (what, said) => {
    expect(sentence({ kind: 'not-found', call: null, what })).toBe(said)
  })
})

describe('releases that are published only in bundles', () => {
  it('are not reported as missing: the bundles are named', () => {
    const inBundles = [
      { bundle: 'Bar VBS', bundleVersion: '1.0.0', firmware: '6.5.0' },
      { bundle: 'Terse', bundleVersion: null, firmware: null },
    ]
    const what = 'firmware releases of Bar'
    expect(sentence({ kind: 'not-found', call: null, what, inBundles })).toBe(
      'Not published separately: firmware releases of Bar. See firmware bundle Bar VBS 1.0.0, which contains 6.5.0, firmware bundle Terse. Bundles as received: headroom call GetFirmwareBundles',
    )
  })
})

describe('a response that did not arrive in time', () => {
  const call = { operation: 'GetGnpSchemaVersions', host: 'cdn.example.com' }
  it.each([
    [
      undefined,
      'cdn.example.com did not answer within 10 s (GetGnpSchemaVersions). Nothing was changed. Try again; if it keeps happening, check the network.',
    ],
    [
      'the list of schema versions',
      'cdn.example.com did not send the list of schema versions within 10 s (GetGnpSchemaVersions). Nothing was changed. Try again; if it keeps happening, check the network.',
    ],
  ])('%s: names what is missing', (what, said) => {
    expect(
      sentence({ kind: 'timed-out', call, afterInMs: 10_000, ...(what === undefined ? {} : { what }) }),
    ).toBe(said)
  })
})

describe('a failure rebuilt from a stored line', () => {
  const call = { operation: 'RebootRoom', host: null }
  it.each<[Failure, string]>([
    [
      { kind: 'offline', call, message: 'no network' },
      'Cannot reach the service (RebootRoom): no network. Check the network, the address and the proxy. All data read so far stays available.',
    ],
    [
      { kind: 'refused', call, status: 409, message: null },
      'The service refused the call with status 409 (RebootRoom). Often a version or an address of the organization is wrong.',
    ],
  ])('%j names no host', (failure, said) => {
    expect(sentence(failure)).toBe(said)
  })
})

describe('a key that is not sent', () => {
  const wouldGoTo = 'https://elsewhere.example'
  it.each<[Failure, string]>([
    [
      { kind: 'key-not-bound', slot: 'secondary', boundTo: 'https://api.example', wouldGoTo },
      'The secondary subscription key belongs to https://api.example, but would have been sent to https://elsewhere.example. Nothing was sent. Correct the address, or enter the key for the new one: headroom key set secondary --stdin',
    ],
    [
      { kind: 'key-unreadable', slot: 'primary' },
      'The keychain entry of the primary subscription key has an unknown format. Nothing was sent, and the entry was not changed. Enter the key again: headroom key set primary --stdin',
    ],
  ])('explains what to do about %j', (failure, said) => {
    expect(sentence(failure)).toBe(said)
  })
})

describe('a key that was refused', () => {
  const failure = { kind: 'key-refused', slot: 'primary', message: 'Access denied' } as const
  it('explains where the other one is sent instead', () => {
    const done = 'Nordlys continues with the secondary key. Replace the primary key.'
    expect(swapSentence({ id: 'key-swapped:n', failure, since: 1, done })).toBe(
      `The service refused the primary subscription key: Access denied. ${done}`,
    )
  })
  it('is the failure of the command when there is no other key', () => {
    expect(swapSentence({ id: 'key-refused:n', failure, since: 1, done: null })).toBeNull()
  })
})

test.each<[argv: string, field: string, message: string, said: string]>([
  // The names of arguments of the core are no words of the command line.
  ['recovery zz', 'text', 'No USB ID found.', 'No USB ID found.'],
  ['product Bar', 'product', 'Bar may be A or B.', 'Bar may be A or B.'],
  ['jobs resume J1', 'id', 'This job has ended.', 'This job has ended.'],
  ['reboot --start-at 2h', 'startAt', 'Enter a time.', '--start-at: Enter a time.'],
  [
    'reboot --time-zone=Mars',
    'timeZone',
    'There is no such time zone.',
    '--time-zone: There is no such time zone.',
  ],
  ['org list', 'organization', 'There is no organization yet.', 'There is no organization yet.'],
  ['devices --where x', 'selection.where', 'This is empty.', '--where: This is empty.'],
  ['settings set D1 zoom=9', 'settings.zoom', 'Choose a number up to 4.', 'zoom: Choose a number up to 4.'],
  ['settings set D1 unlock=9 --unlock', 'settings.unlock', 'Choose on.', 'unlock: Choose on.'],
  ['jobs show J1', 'settings.zoom', 'Choose a number up to 4.', 'zoom: Choose a number up to 4.'],
  ['call GetX deviceId=•••', 'deviceId', 'Type the value itself.', 'deviceId: Type the value itself.'],
  ['call GetX', 'deviceId', 'is missing', 'deviceId: is missing.'],
  ['org add A', 'vendorId', 'This is empty.', 'vendorId: This is empty.'],
  ['org add A', 'assumed.stages', 'A value is too long.', 'assumed.stages: A value is too long.'],
  ['sync', 'HEADROOM_KEY', 'The key has spaces.', 'HEADROOM_KEY: The key has spaces.'],
])('%s, %s: %s', (argv, field, message, said) => {
  expect(sentence({ kind: 'invalid', field, message }, argv.split(' '))).toBe(said)
})
