import { describe, expect, it } from 'vitest'
import { historyText, sentence, waitText } from '../../electron/cli/texts.ts'
import type { BudgetState } from '../../electron/contract/api/budget.ts'

const at = Date.UTC(2026, 10, 21, 15, 30)
const idle: BudgetState = {
  second: { used: 0, limit: 100 },
  fiveMinutes: { used: 0, limit: 10_000 },
  waiting: 0,
  pausedUntil: null,
  heldUntilAt: null,
  waitReason: null,
  history: null,
}

it('reports until when a hold lasts and how to try again', () => {
  expect(
    sentence({
      kind: 'rate-limited',
      call: { operation: 'ListDevices', host: 'api.example' },
      untilAt: at,
      held: true,
    }),
  ).toBe(
    'Rate limited until 2026-11-21T15:30:00.000Z: the service asked to wait, and no calls are made before then. headroom budget --try-now makes one call; if the service answers, calls continue.',
  )
})

describe('what a waiting command prints', () => {
  it.each<[string, Partial<BudgetState>, string | null]>([
    ['nothing if no call waits', { pausedUntil: at }, null],
    ['nothing if calls only wait for others', { waiting: 3, waitReason: 'second-window' }, null],
    [
      'the end of a pause',
      { waiting: 1, pausedUntil: at, waitReason: 'paused' },
      'Waiting until 2026-11-21T15:30:00.000Z: the service asked to wait.',
    ],
    [
      'that others use the key',
      { waiting: 1, pausedUntil: at, waitReason: 'paused', byOthers: 9_880 },
      'Waiting until 2026-11-21T15:30:00.000Z: the service asked to wait. Fewer calls than allowed were made here: about 9880 by others with this key.',
    ],
    [
      'that the history of calls is written slowly',
      { waiting: 1, waitReason: 'second-window', history: { reason: null, since: 0 } },
      'The history of calls cannot be saved: workbook.sqlite is written slowly. Calls are counted in memory, up to half of each limit, until it can be saved again.',
    ],
  ])('%s', (_, state, words) => {
    expect(waitText({ ...idle, ...state })).toBe(words)
  })
})

it.each([
  ['busy', 'is in use by another program'],
  ['disk-full', 'does not fit on the disk'],
  ['newer', 'was written by a newer Headroom'],
] as const)('reports why a history cannot be saved (%s), and the effect', (reason, why) => {
  expect(historyText({ history: { reason, since: 0 } })).toBe(
    `The history of calls cannot be saved: workbook.sqlite ${why}. Calls are counted in memory, up to half of each limit, until it can be saved again.`,
  )
})
