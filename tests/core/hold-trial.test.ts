import { describe, expect, it } from 'vitest'
import type { JournalBegin, JournalEnd } from '../../electron/core/journal/journal.ts'
import { openCallBudget } from '../../electron/core/call-budget/call-budget.ts'
import { openHoldTrial } from '../../electron/core/hold-trial.ts'
import type { WireResponse, WireFault } from '../../electron/core/platform.ts'
import { openManagement } from '../../electron/core/management/management.ts'
import { openManagementClient } from '../../electron/core/service-client/service-client.ts'
import { FakeClock } from '../fake-clock.ts'
import { answer, FakeTransport } from '../fake-transport.ts'
import { aFault, TwoKeys } from './service-client/a-request.ts'

const hour = 3_600_000

/** A subscription on hold for an hour, and the response to the one call. */
async function aHold(outcome: WireResponse | WireFault, { held = true, journalFails = false } = {}) {
  const clock = new FakeClock()
  const transport = new FakeTransport(() => outcome)
  const budget = await openCallBudget({ clock, random: () => 0, history: null })
  if (held) budget.pauseUntil(clock.now() + hour)
  const begun: JournalBegin[] = []
  const ended: JournalEnd[] = []
  const trial = openHoldTrial({
    budget,
    clock,
    journal: {
      begin: async (entry) => {
        if (journalFails) throw new Error('no line can be kept')
        expect(transport.attempts).toEqual([])
        return begun.push(entry)
      },
      end: async (_, entry) => void ended.push(entry),
    },
    organization: { id: 'org-1', name: 'Nordlys' },
    operation: 'ListDevices',
    client: () =>
      openManagementClient({
        transport,
        budget,
        clock,
        random: () => 0,
        apiVersion: 2,
        keys: new TwoKeys({ primary: 'the-only-key' }),
        baseUrl: 'https://api.example',
        exception: 'hold',
      }),
    managementOver: (client) => openManagement(client, { managementVersion: 2 }),
  })
  return { clock, transport, budget, begun, ended, trial, beginsAt: clock.now() }
}

describe('one call during a hold', () => {
  it.each<
    [
      string,
      WireResponse | WireFault,
      { kind: string | null; outcome: string; status: number | null; heldForInMs: number | null },
    ]
  >([
    [
      'a page of devices lifts it',
      answer(200, { items: [] }),
      { kind: null, outcome: 'lifted', status: 200, heldForInMs: null },
    ],
    [
      'a 2xx lifts it, whatever its body',
      answer(200, '<html>', { 'content-type': 'text/html' }),
      { kind: null, outcome: 'lifted', status: 200, heldForInMs: null },
    ],
    [
      'a 429 renews it by its own time, a shorter one',
      answer(429, {}, { 'retry-after': '60' }),
      { kind: 'rate-limited', outcome: 'held', status: 429, heldForInMs: 60_000 },
    ],
    [
      'a 429 renews it by its own time, a longer one',
      answer(429, {}, { 'retry-after': '86400' }),
      { kind: 'rate-limited', outcome: 'held', status: 429, heldForInMs: 24 * hour },
    ],
    [
      'a 429 without a time leaves it unchanged',
      answer(429, {}),
      { kind: 'rate-limited', outcome: 'held', status: 429, heldForInMs: hour },
    ],
    [
      'a 503 renews it by its own time',
      answer(503, {}, { 'retry-after': '7200' }),
      { kind: 'rate-limited', outcome: 'held', status: 503, heldForInMs: 2 * hour },
    ],
    [
      'a 403 renews it by its own time',
      answer(403, {}, { 'retry-after': '7200' }),
      { kind: 'refused', outcome: 'held', status: 403, heldForInMs: 2 * hour },
    ],
    [
      'a 500 without a time leaves it unchanged',
      answer(500, {}),
      { kind: 'service-unavailable', outcome: 'held', status: 500, heldForInMs: hour },
    ],
    [
      'a refused key leaves it unchanged',
      answer(401, {}),
      { kind: 'key-refused', outcome: 'held', status: 401, heldForInMs: hour },
    ],
    [
      'no response leaves it unchanged',
      aFault('timeout', 'maybe'),
      { kind: 'timed-out', outcome: 'held', status: null, heldForInMs: hour },
    ],
    [
      'no connection leaves it unchanged',
      aFault('offline', 'no'),
      { kind: 'offline', outcome: 'held', status: null, heldForInMs: hour },
    ],
  ])('%s', async (_, outcome, expected) => {
    const { clock, transport, budget, begun, ended, trial, beginsAt } = await aHold(outcome)
    const running = trial(null)
    await clock.advance(0)
    const result = await running
    const { heldUntilAt } = budget.state()
    expect({
      kind: result.failure?.kind ?? null,
      outcome: result.outcome,
      status: ended[0]?.status,
      heldForInMs: heldUntilAt === null ? null : heldUntilAt - beginsAt,
      attempts: transport.attempts.map(({ method, url, body }) => ({ method, url, body })),
      lines: [begun.length, ended.length],
      same: result.heldUntilAt === heldUntilAt,
    }).toEqual({
      ...expected,
      attempts: [
        {
          method: 'POST',
          url: 'https://api.example/devices/api/devices',
          body: '{"deviceClientType":"MeetingRoom","pageSize":1}',
        },
      ],
      lines: [1, 1],
      same: true,
    })
  })

  it('writes a journal entry with the end of the hold and the reference', async () => {
    const { clock, begun, ended, trial, beginsAt } = await aHold(answer(429, {}, { 'retry-after': '1800' }))
    const running = trial('client-0123456789abcdef0123456789abcdef')
    await clock.advance(0)
    await running
    expect({ begun, ended }).toEqual({
      begun: [
        {
          organization: { id: 'org-1', name: 'Nordlys' },
          operation: 'ListDevices',
          target: { of: 'organization', id: 'org-1', name: 'Nordlys' },
          deviceIds: [],
          before: `held until ${new Date(beginsAt + hour).toISOString()}`,
          after: null,
          reference: 'client-0123456789abcdef0123456789abcdef',
        },
      ],
      ended: [
        {
          outcome: 'refused',
          status: 429,
          message: `rate-limited, held until ${new Date(beginsAt + 1_800_000).toISOString()}`,
        },
      ],
    })
  })

  it('is not sent without a hold', async () => {
    const { transport, begun, trial } = await aHold(answer(200, { items: [] }), { held: false })
    expect({ result: await trial(null), attempts: transport.attempts, begun }).toEqual({
      result: { outcome: 'not-held', failure: null, heldUntilAt: null, journalId: null },
      attempts: [],
      begun: [],
    })
  })

  it('is not sent when its journal entry cannot be stored', async () => {
    const { transport, trial } = await aHold(answer(200, { items: [] }), { journalFails: true })
    await expect(trial(null)).rejects.toThrow('no line can be kept')
    expect(transport.attempts).toEqual([])
  })

  it('is sent once for two simultaneous requests', async () => {
    const { clock, transport, trial } = await aHold(answer(200, { items: [] }))
    const both = Promise.all([trial(null), trial(null)])
    await clock.advance(0)
    const [one, other] = await both
    expect({ attempts: transport.attempts.length, same: one === other }).toEqual({ attempts: 1, same: true })
  })
})
