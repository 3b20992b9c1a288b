import { describe, expect, test } from 'vitest'
import {
  openNewerVersions,
  type NewerVersionSource,
} from '../../../electron/core/newer-version/newer-version.ts'
import type { WireFault, WireRequest, WireResponse } from '../../../electron/core/platform.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { FakeClock } from '../../fake-clock.ts'
import { answer, FakeTransport } from '../../fake-transport.ts'

const url = 'https://updates.example.com/newest.json'
const document = {
  version: '1.2.0',
  date: '2026-11-20',
  notes: 'Faster lists.\n<b>And</b> more.',
  page: 'https://updates.example.com/headroom/1.2.0',
}
const dayInMs = 86_400_000

function opened(
  script: (request: WireRequest) => WireResponse | WireFault,
  { source = { url }, stored = null }: { source?: NewerVersionSource; stored?: unknown } = {},
) {
  const clock = new FakeClock()
  const transport = new FakeTransport(script)
  const lines: unknown[] = []
  const kept: unknown[] = [stored]
  let changes = 0
  const versions = openNewerVersions({
    clock,
    transport,
    source: () => source,
    version: '1.1.9',
    log: { write: (level, message, details) => void lines.push([level, message, details]) },
    workbook: {
      remembered: async () => kept.at(-1),
      remember: async (_, value) => void kept.push(JSON.parse(JSON.stringify(value))),
    },
    changed: () => void changes++,
  })
  return { versions, clock, transport, lines, kept, changes: () => changes }
}
const asked = (transport: FakeTransport): string[] => transport.attempts.map((one) => one.url)

test('a higher version is told with its notes and its page', async () => {
  const { versions, transport, kept, lines, changes, clock } = opened(() => answer(200, document))
  const check = await versions.check()
  expect([check, versions.known(), transport.attempts, kept.at(-1), lines, changes()]).toEqual([
    { version: '1.1.9', newer: document, problem: null },
    document,
    [expect.objectContaining({ method: 'GET', url, body: null, maxBytes: 65_536 })],
    { askedAt: clock.now(), found: document },
    [['info', 'A newer version', { reason: '1.2.0' }]],
    1,
  ])
})

test.each(['1.1.9', '1.1.8', '0.9.20', '01.1.9'])('%s is not newer than 1.1.9', async (version) => {
  const { versions, lines } = opened(() => answer(200, { ...document, version }))
  expect([await versions.check(), versions.known(), lines]).toEqual([
    { version: '1.1.9', newer: null, problem: null },
    null,
    [['info', 'No newer version', { reason: 'this one is not lower' }]],
  ])
})

const fault = (reason: WireFault['reason'], more: Partial<WireFault> = {}): WireFault => ({
  kind: 'fault',
  sent: 'maybe',
  reason,
  message: 'said',
  ...more,
})

describe('nothing newer is told', () => {
  test.each<[string, WireResponse | WireFault, string, string]>([
    ['no answer', fault('offline'), 'no-answer', 'said'],
    ['another status', answer(404, document), 'no-answer', 'it answered 404'],
    ['more than 64 KiB', fault('too-large'), 'too-large', ''],
    [
      'a redirect to another host',
      fault('redirect', { location: 'https://evil.example.com/' }),
      'redirect',
      '',
    ],
    ['a redirect to http', fault('redirect', { location: 'http://updates.example.com/' }), 'redirect', ''],
    [
      'a redirect to another port',
      fault('redirect', { location: 'https://updates.example.com:8443/' }),
      'redirect',
      '',
    ],
    ['a redirect without an address', fault('redirect'), 'redirect', ''],
    ['a page of HTML', answer(200, '<html>'), 'unreadable', ''],
    ['a list', answer(200, [document]), 'unreadable', ''],
    ['no version', answer(200, { ...document, version: null }), 'version', ''],
    ['a number as version', answer(200, { ...document, version: 2 }), 'version', ''],
    ['a version with a suffix', answer(200, { ...document, version: '2.0.0-rc1' }), 'version', ''],
    ['a version of text', answer(200, { ...document, version: 'newest' }), 'version', ''],
    [
      'a version of many digits',
      answer(200, { ...document, version: `9.0.${'9'.repeat(99)}` }),
      'version',
      '',
    ],
    ['a date that is none', answer(200, { ...document, date: '2026-02-30' }), 'date', ''],
    ['a date of another form', answer(200, { ...document, date: '20.11.2026' }), 'date', ''],
    ['notes that are no text', answer(200, { ...document, notes: ['x'] }), 'notes', ''],
    ['a page on another host', answer(200, { ...document, page: 'https://evil.example.com/' }), 'page', ''],
    ['a page by http', answer(200, { ...document, page: 'http://updates.example.com/' }), 'page', ''],
    [
      'a page with a sign-in',
      answer(200, { ...document, page: 'https://a@updates.example.com/' }),
      'page',
      '',
    ],
    ['a script as page', answer(200, { ...document, page: 'javascript:alert(1)' }), 'page', ''],
  ])('for %s, and the reason is a line in the log', async (_, outcome, reason, detail) => {
    const { versions, lines, changes } = opened(() => outcome)
    expect([await versions.check(), versions.known(), lines, changes()]).toEqual([
      { version: '1.1.9', newer: null, problem: { reason, host: 'updates.example.com', detail } },
      null,
      [['info', 'No newer version', { reason }]],
      0,
    ])
  })

  test.each(['not-configured', 'by-policy', 'by-installer'] as const)(
    'and nothing is asked when it is off: %s',
    async (off) => {
      const { versions, transport, clock } = opened(() => answer(200, document), { source: { off } })
      await versions.start()
      await clock.advance(2 * dayInMs)
      expect([await versions.check(), asked(transport)]).toEqual([
        { version: '1.1.9', newer: null, problem: { reason: off, host: '', detail: '' } },
        [],
      ])
    },
  )
})

test('a redirect on the same host is followed, three times at most', async () => {
  const location = 'https://updates.example.com/elsewhere.json'
  const once = opened((request) =>
    request.url === url ? fault('redirect', { location }) : answer(200, document),
  )
  const { newer } = await once.versions.check()
  const always = opened(() => fault('redirect', { location }))
  const { problem } = await always.versions.check()
  expect([newer, asked(once.transport), problem, asked(always.transport)]).toEqual([
    document,
    [url, location],
    { reason: 'no-answer', host: 'updates.example.com', detail: 'it redirects again and again' },
    [url, location, location, location],
  ])
})

describe('once started, it asks', () => {
  test.each<[string, (now: number) => unknown, number]>([
    ['at once if it never asked', () => null, 0],
    ['at once if the record cannot be read', () => ({ askedAt: 'x', found: 1 }), 0],
    ['a day after it asked last', (now) => ({ askedAt: now - 3_600_000, found: null }), dayInMs - 3_600_000],
    [
      'after a day at the latest, if the clock was set back',
      (now) => ({ askedAt: now + 9 * dayInMs }),
      dayInMs,
    ],
  ])('%s', async (_, storedAt, inMs) => {
    const { versions, transport, clock } = opened(() => answer(200, document), {
      stored: storedAt(new FakeClock().now()),
    })
    await versions.start()
    if (inMs > 0) await clock.advance(inMs - 1)
    const before = asked(transport)
    await clock.advance(1)
    expect([before, asked(transport)]).toEqual([[], [url]])
  })

  test('once a day, also after a check without an answer', async () => {
    const { versions, transport, clock } = opened(() => fault('offline'))
    await versions.start()
    await clock.advance(1)
    await clock.advance(dayInMs)
    await clock.advance(dayInMs)
    expect(asked(transport)).toEqual([url, url, url])
    versions.close()
  })

  test('and until then tells what it found last, if that is still newer', async () => {
    const at = (found: unknown) => ({ stored: { askedAt: new FakeClock().now(), found } })
    const newer = opened(() => answer(200, document), at(document))
    const installed = opened(() => answer(200, document), at({ ...document, version: '1.1.9' }))
    await newer.versions.start()
    await installed.versions.start()
    expect([newer.versions.known(), newer.changes(), installed.versions.known()]).toEqual([document, 1, null])
  })
})

test('a policy that comes while it runs hides what was found, and nothing more is asked', async () => {
  let source: NewerVersionSource = { url }
  const transport = new FakeTransport(() => answer(200, document))
  const clock = new FakeClock()
  const versions = openNewerVersions({
    clock,
    transport,
    source: () => source,
    version: '1.1.9',
    log: { write: () => undefined },
    workbook: { remembered: async () => null, remember: async () => undefined },
    changed: () => undefined,
  })
  await versions.check()
  const before = versions.known()?.version
  source = { off: 'by-policy' }
  const { problem } = await versions.check()
  expect([before, versions.known(), problem?.reason, transport.attempts.length]).toEqual([
    '1.2.0',
    null,
    'by-policy',
    1,
  ])
})

test('a host that a policy does not allow is judged again each day, and ends nothing', async () => {
  const refusal = {
    kind: 'policy',
    rule: 'host',
    file: '/etc/headroom/policy.json',
    detail: 'updates.example.com',
  } as const
  const { versions, clock, transport } = opened(() => {
    throw new Failed(refusal)
  })
  await versions.start()
  await clock.advance(2 * dayInMs)
  expect([asked(transport), versions.known()]).toEqual([[url, url, url], null])
})
