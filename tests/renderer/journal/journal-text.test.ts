import { createPinia, setActivePinia } from 'pinia'
import { describe, expect, it, vi } from 'vitest'
import type { JournalLine } from '../../../electron/contract/api/journal.ts'
import type { SeenAfterwards } from '../../../electron/contract/journal.ts'
import {
  durationOf,
  eventOf,
  markOfLine,
  messageIn,
  outcomeOf,
  operationOf,
  sentenceOf,
  shortChangeOf,
  targetOf,
  wantsCheck,
} from '../../../renderer/journal/journal-text.ts'
import { useSettingNames } from '../../../renderer/settings/setting-names-store.ts'
import { openCore } from '../core.ts'

/** Long after the line was begun. */
const now = 10_000_000
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

describe('the text of a journal entry', () => {
  it.each<[Partial<JournalLine>, string, string, string]>([
    [{}, 'unknown', 'Accepted', 'Accepted. A later sync shows whether the devices came back online.'],
    [
      { operation: 'UpdateDeviceSettings' },
      'unknown',
      'Accepted',
      'Accepted. Not yet confirmed on the device.',
    ],
    [
      { operation: 'UpdateDeviceSettings', afterwards: 'verified' },
      'ok',
      'Accepted',
      'Accepted, read back and verified.',
    ],
    [
      { afterwards: 'did-not-come-back' },
      'warn',
      'Not confirmed',
      'Accepted. The devices did not come back online in time.',
    ],
    [{ outcome: 'refused', status: 409 }, 'bad', 'Refused (409)', 'Nothing was changed.'],
    [
      { outcome: 'refused', status: null },
      'idle',
      'Not sent',
      'It never reached the service. Nothing was changed.',
    ],
    [
      { outcome: 'refused', status: null, message: 'cancelled' },
      'idle',
      'Not sent',
      'Stopped before it was sent. Nothing was changed.',
    ],
    [
      { outcome: 'refused', status: null, message: 'writes-locked' },
      'idle',
      'Not sent',
      'Actions were locked before it was sent. Nothing was changed.',
    ],
    [
      { outcome: 'refused', status: null, message: 'key-missing' },
      'idle',
      'Not sent',
      'There was no key to send it with. Nothing was changed.',
    ],
    [
      { outcome: 'refused', status: 429, message: 'rate-limited' },
      'bad',
      'Refused (429)',
      'The service asked Headroom to wait. Nothing was changed.',
    ],
    [
      { outcome: 'unconfirmed', status: null },
      'warn',
      'Unknown — check',
      'Sent, but no answer came. It may have happened. Headroom did not send it again.',
    ],
    [
      { outcome: 'unconfirmed', status: null, endedAt: Date.UTC(2026, 10, 21, 14, 2), endFoundLater: true },
      'warn',
      'Unknown — check',
      expect.stringMatching(
        /^Headroom ended before the answer came\. It may have happened\. Headroom did not send it again\. Found .*21.*14:02.*\.$/,
      ) as string,
    ],
    [
      { outcome: null, status: null, endedAt: null },
      'warn',
      'Unknown — check',
      'Headroom ended while sending it. It may have happened.',
    ],
    [
      { outcome: null, status: null, endedAt: null, startedAt: now - 1_000 },
      'busy',
      'In progress',
      'Being sent, or waiting for an answer.',
    ],
  ])('%o', (change, mark, outcome, sentence) => {
    const one = line(change)
    expect([markOfLine(one, now), outcomeOf(one, now), sentenceOf(one, now)]).toEqual([
      mark,
      outcome,
      sentence,
    ])
  })
  it.each([
    [
      'AcceptChangedFirmware',
      'Accept changed firmware file',
      'This file is accepted for this version from now on. Both hashes are kept.',
    ],
    ['ApproveFirmware', 'Approve firmware', 'This is the approved version from now on.'],
    ['UnapproveFirmware', 'Remove approval', 'No version is approved for it from now on.'],
    [
      'RemoveJournalLines',
      'Remove old entries',
      'Older entries were removed, because your organization limits how long they are kept.',
    ],
  ])('describes %s as a decision, not as a response of the service', (operation, label, sentence) => {
    const one = line({
      operation,
      target: { of: 'organization', id: 'org-1', name: 'Jabra Link 380a 1.12.0' },
      deviceIds: [],
      status: null,
    })
    expect([operationOf(one), markOfLine(one, now), outcomeOf(one, now), sentenceOf(one, now)]).toEqual([
      label,
      'ok',
      'Accepted',
      sentence,
    ])
  })
  it.each<[Partial<JournalLine>, string | null]>([
    [{}, null],
    [{ before: '2.12.7', after: '3.1.4' }, '2.12.7 → 3.1.4'],
    [{ before: 'sidetoneLevel=2', after: 'sidetoneLevel=3' }, 'Sidetone level: 2 → 3'],
    [{ before: 'deviceLabel=ROOM_A', after: 'deviceLabel=ROOM_B' }, 'Device label: ROOM_A → ROOM_B'],
    [{ before: 'sidetoneLevel=2; volume=1', after: 'sidetoneLevel=3; volume=2' }, '2 settings'],
  ])('in a row, %o changed %s', (change, said) => {
    setActivePinia(createPinia())
    expect(shortChangeOf(line(change))).toBe(said)
  })
  it.each<[Partial<JournalLine>, string | null]>([
    [{}, '640 ms'],
    [{ endedAt: null }, null],
    [{ outcome: 'unconfirmed', endedAt: 90_000_000, endFoundLater: true }, null],
  ])('has the observed duration: %o', (change, took) => {
    expect(durationOf(line(change))).toBe(took)
  })
  it.each<[JournalLine['outcome'], string | null, string | null]>([
    ['refused', null, null],
    ['refused', 'cancelled', null],
    ['refused', 'writes-locked', null],
    ['refused', 'refused: It may not do this.', 'It may not do this.'],
    ['refused', 'key-missing', null],
    ['refused', 'rate-limited', null],
    ['unconfirmed', 'timed-out', 'timed-out'],
    ['accepted', 'cancelled', 'cancelled'],
    ['accepted', 'why: checked in Oslo', 'why: checked in Oslo'],
  ])('of the message of what was %s, %s, %s is shown', (outcome, message, shown) => {
    expect(messageIn(line({ outcome, status: null, message }))).toBe(shown)
  })
  it('describes an event: author, change, response of the service', () => {
    const one = line({
      operation: 'UpdateDeviceSettings',
      before: 'sidetoneLevel: 4',
      after: 'sidetoneLevel: 6',
      outcome: 'refused',
      status: 409,
      message: 'locked',
    })
    expect(eventOf(one, now)).toEqual({
      id: 7,
      kind: 'bad',
      label: 'Change settings · Refused (409)',
      at: 1_000,
      what: 'by m.ito · sidetoneLevel: 4 → sidetoneLevel: 6 · locked',
    })
  })
  it('describes a setting by label and API name, in the usual order', async () => {
    const core = await openCore()
    vi.spyOn(core.handlers.definitions, 'settingNames').mockResolvedValue({
      labels: [['zoom', 'Distance']],
      groups: [],
    })
    await useSettingNames().load()
    const one = line({
      operation: 'UpdateDeviceSettings',
      before: 'zoom=1; autoZoom=on',
      after: 'zoom=2; autoZoom=off',
    })
    expect(eventOf(one, now).what).toBe('by m.ito · Auto zoom (autoZoom): on → off, Distance (zoom): 1 → 2')
  })
  it('names an operation without a label as the specification does', () => {
    expect(eventOf(line({ operation: 'SomethingNew' }), now).label).toBe('SomethingNew · Accepted')
  })
})

it.each([
  [3, 3, 0, 'device', '3 devices', '3 accepted'],
  [31, 423, 392, 'device', '423 devices, 31 sent', '31 accepted, 392 not sent'],
  [2, 8, 0, 'room', '8 rooms, 2 sent', '2 accepted'],
  [1, 69, 68, 'room', '69 rooms, 1 sent: Fjord', '1 accepted, 68 not sent'],
] as const)(
  'the %i actions of a job of %i, which left out %i, are on so many of all',
  (count, asked, unsent, of, target, outcome) => {
    const outcomes = { accepted: count, refused: 0, 'not-sent': 0, unconfirmed: 0, unknown: 0 }
    const together = { count, asked, devices: count, unsent, outcomes, afterwards: {} }
    const one = line({ target: { of, id: 'one', name: 'Fjord' }, together })
    expect([targetOf(one), outcomeOf(one, now)]).toEqual([target, outcome])
  },
)

it.each<[Partial<Record<SeenAfterwards, number>>, string, string]>([
  [{}, 'unknown', '4 accepted, 66 not sent'],
  [{ 'back-online': 3 }, 'unknown', '4 accepted, 66 not sent'],
  [{ 'back-online': 3, verified: 1 }, 'ok', '4 accepted, 66 not sent'],
  [{ 'back-online': 3, 'not-watched': 1 }, 'warn', '1 not confirmed, 3 accepted, 66 not sent'],
  [{ 'not-reported': 1, 'applies-later': 1 }, 'warn', '1 unknown, 1 not confirmed, 2 accepted, 66 not sent'],
])('the actions of a job end in its row as they do on their own: %o', (afterwards, mark, outcome) => {
  const outcomes = { accepted: 4, refused: 0, 'not-sent': 0, unconfirmed: 0, unknown: 0 }
  const together = { count: 4, asked: 70, devices: 9, unsent: 66, outcomes, afterwards }
  const one = line({ together })
  expect([markOfLine(one, now), outcomeOf(one, now)]).toEqual([mark, outcome])
})

it('an update that was not reported in time is unknown, as in its job', () => {
  const one = line({ operation: 'UpdateDeviceFirmware', afterwards: 'not-reported' })
  expect([markOfLine(one, now), outcomeOf(one, now), wantsCheck(one, now), sentenceOf(one, now)]).toEqual([
    'warn',
    'Unknown — check',
    true,
    'Accepted, but the device did not report the version in time.',
  ])
})
