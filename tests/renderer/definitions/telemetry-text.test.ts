import { describe, expect, it } from 'vitest'
import type { TelemetryEvent } from '../../../electron/contract/api/metadata.ts'
import { findEvents, meaningOf, explainedEvent } from '../../../renderer/definitions/telemetry-text.ts'

describe('Telemetry in plain words', () => {
  it.each<[TelemetryEvent, string]>([
    [{ kind: 'threshold', name: 'a', minimum: 0, maximum: 85 }, 'Normal: 0 to 85.'],
    [{ kind: 'threshold', name: 'a', minimum: null, maximum: 1200 }, 'Normal: up to 1,200.'],
    [{ kind: 'threshold', name: 'a', minimum: 5, maximum: null }, 'Normal: from 5.'],
    [{ kind: 'threshold', name: 'a', minimum: null, maximum: null }, 'The limits are not published.'],
    [
      { kind: 'integer', name: 'a', ascending: false, warning: 20, error: 10 },
      'Lower is worse. Warning at 20. Error at 10.',
    ],
    [
      { kind: 'integer', name: 'a', ascending: true, warning: null, error: 80 },
      'Higher is worse. Error at 80.',
    ],
    [
      { kind: 'integer', name: 'a', ascending: null, warning: null, error: null },
      'The service does not specify which direction is worse. No levels are published.',
    ],
    [{ kind: 'boolean', name: 'a', desired: true }, 'Alerts when false.'],
    [{ kind: 'boolean', name: 'a', desired: false }, 'Alerts when true.'],
    [
      { kind: 'boolean', name: 'a', desired: null },
      'Reported at each change. The service does not specify which state is expected.',
    ],
    [
      { kind: 'call-summary', name: 'a', deviceEventType: 'audioExposure', method: 'Max' },
      'The highest “Audio exposure” of the call.',
    ],
    [
      { kind: 'call-summary', name: 'a', deviceEventType: 'audioExposure', method: 'Median' },
      '“Audio exposure” for each call, by Median.',
    ],
    [
      { kind: 'call-summary', name: 'a', deviceEventType: null, method: null },
      'One value of “an unnamed event” for each call. The calculation is not published.',
    ],
  ])('%j', (event, meaning) => {
    expect(meaningOf(event)).toBe(meaning)
  })

  it('is found by name, label, meaning and the event it aggregates', () => {
    const reported = (
      [
        { kind: 'boolean', name: 'microphoneStatusOK', desired: true },
        { kind: 'call-summary', name: 'crosstalk', deviceEventType: 'customerSpeaking', method: 'Max' },
      ] as const
    ).map(explainedEvent)
    const names = (words: string): (string | null)[] =>
      findEvents(reported, words).map(({ event }) => event.name)
    expect(names('statusok')).toEqual(['microphoneStatusOK'])
    expect(names('status OK')).toEqual(['microphoneStatusOK'])
    expect(names('highest call')).toEqual(['crosstalk'])
    expect(names('customerSpeaking')).toEqual(['crosstalk'])
    expect(names('')).toEqual(['microphoneStatusOK', 'crosstalk'])
    expect(names('nowhere')).toEqual([])
  })
})
