import { describe, expect, it } from 'vitest'
import type { JournalLine } from '../../../electron/contract/journal.ts'
import { eventOf, markOfLine, outcomeOf, sentenceOf } from '../../../renderer/journal/journal-words.ts'

const line = (change: Partial<JournalLine>): JournalLine => ({
  id: 7,
  organizationId: 'org-1',
  organizationName: 'Nordlys A/S',
  who: 'm.ito',
  operation: 'RebootRoom',
  target: { of: 'room', id: 'room-1', name: 'Fjord' },
  deviceIds: ['D1'],
  startedAt: 1_000,
  endedAt: 1_640,
  outcome: 'accepted',
  status: 202,
  message: null,
  before: null,
  after: null,
  ...change,
})

describe('how a line of the journal is told', () => {
  it.each<[Partial<JournalLine>, string, string, string]>([
    [{}, 'ok', 'Accepted', 'The service took it on. Whether the devices are back, a later sync tells.'],
    [{ outcome: 'refused', status: 409 }, 'bad', 'Refused (409)', 'Nothing was changed.'],
    [{ outcome: 'refused', status: null }, 'off', 'Not sent', 'It never reached the service. Nothing was changed.'],
    [{ outcome: 'unconfirmed', status: null }, 'warn', 'Unconfirmed', 'It was sent, and no answer came: it may have happened. Headroom did not repeat it.'],
    [
      { outcome: null, status: null, endedAt: null },
      'unknown',
      'Ended unknown',
      'It was about to be sent, and Headroom ended before it knew the outcome: it may have happened.',
    ],
  ])('%o', (change, mark, outcome, sentence) => {
    const one = line(change)
    expect([markOfLine(one), outcomeOf(one), sentenceOf(one)]).toEqual([mark, outcome, sentence])
  })
  it('as an event: who, what changed, what the service said', () => {
    const one = line({
      operation: 'UpdateDeviceSettings',
      before: 'sidetoneLevel: 4',
      after: 'sidetoneLevel: 6',
      outcome: 'refused',
      status: 409,
      message: 'locked',
    })
    expect(eventOf(one)).toEqual({
      id: 7,
      kind: 'bad',
      label: 'Change settings · Refused (409)',
      at: 1_000,
      what: 'by m.ito · sidetoneLevel: 4 → sidetoneLevel: 6 · locked',
    })
  })
  it('names an operation it has no words for as the specification does', () => {
    expect(eventOf(line({ operation: 'SomethingNew' })).label).toBe('SomethingNew · Accepted')
  })
})
