import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import {
  joseDefinitionOf,
  mappingOf,
  recoveryIdsOf,
  tolerantRecordsOf,
} from '../../../electron/core/metadata/record-json.ts'
import { openApiOf } from '../../../electron/core/metadata/open-api-json.ts'
import { isExample, strictFindings } from '../../../electron/core/metadata/records.ts'
import { telemetryOf } from '../../../electron/core/metadata/telemetry-json.ts'

const whole = {
  thresholdEvents: [{ name: 'backgroundNoiseLevel', defaultMinimum: 0, defaultMaximum: 75 }],
  integerStateChangedEvents: [
    { name: 'batteryLevel', isAscending: false, defaultWarningThreshold: 25, defaultErrorThreshold: 10 },
  ],
  booleanStateChangedEvents: [{ name: 'roomCapacityExceeded', desiredValue: false }],
  callSummary: {
    aggregations: [{ name: 'lowestBattery', deviceEventType: 'batteryLevel', aggregationMethod: 'Min' }],
  },
}

describe('telemetry definitions', () => {
  it('are parsed kind by kind', () => {
    expect(telemetryOf(whole)?.events).toEqual([
      { kind: 'threshold', name: 'backgroundNoiseLevel', minimum: 0, maximum: 75 },
      { kind: 'integer', name: 'batteryLevel', ascending: false, warning: 25, error: 10 },
      { kind: 'boolean', name: 'roomCapacityExceeded', desired: false },
      { kind: 'call-summary', name: 'lowestBattery', deviceEventType: 'batteryLevel', method: 'Min' },
    ])
  })

  test.each<[string, Json, unknown]>([
    [
      'a missing section',
      { thresholdEvents: whole.thresholdEvents },
      [{ kind: 'threshold', name: 'backgroundNoiseLevel', minimum: 0, maximum: 75 }],
    ],
    [
      'numbers as text',
      { thresholdEvents: [{ name: 'a', defaultMinimum: '1', defaultMaximum: null }] },
      [{ kind: 'threshold', name: 'a', minimum: 1, maximum: null }],
    ],
    ['a section of another type', { thresholdEvents: 'none', callSummary: [] }, []],
    [
      'an event without a name, or a name alone,',
      { booleanStateChangedEvents: [{ desiredValue: true }, null, 'x'] },
      [
        { kind: 'boolean', name: null, desired: true },
        { kind: 'boolean', name: 'x', desired: null },
      ],
    ],
    [
      'a dictionary by name',
      {
        data: {
          thresholdEvents: { noise: { defaultMaximum: 75 } },
          callSummary: [{ name: 'a', aggregationMethod: 'Max' }],
        },
      },
      [
        { kind: 'threshold', name: 'noise', minimum: null, maximum: 75 },
        { kind: 'call-summary', name: 'a', deviceEventType: null, method: 'Max' },
      ],
    ],
    [
      'an unknown value',
      { callSummary: { aggregations: [{ name: 'a', deviceEventType: 3, aggregationMethod: 'Median' }] } },
      [{ kind: 'call-summary', name: 'a', deviceEventType: null, method: 'Median' }],
    ],
  ])('with %s lose no more than that', (_, json, events) => {
    expect(telemetryOf(json)?.events).toEqual(events)
  })

  it('keep entries that are no event as received', () => {
    const odd = {
      thresholdEvents: 'none',
      booleanStateChangedEvents: [null, 7, { name: 'a' }],
      later: [{ name: 'b' }],
    }
    expect(telemetryOf(odd)?.unreadable).toEqual(['none', null, 7, { name: 'b' }])
  })

  test.each<[Json]>([[{ message: 'no' }], [[]], ['text'], [null], [{}]])('%j is no such document', (json) => {
    expect(telemetryOf(json)).toBeNull()
  })
})

describe('records missing from the specification', () => {
  it('are parsed for the product that they name', () => {
    const raw = { entityId: 'f525e3b0', VendorId: '2830', product_id: '0x2345', variantType: '01-64' }
    expect(tolerantRecordsOf([raw, 'odd', null])).toEqual([
      { vendorId: 2830, productId: 0x2345, variantType: '01-64', raw },
      ...['odd', null].map((one) => ({ vendorId: null, productId: null, variantType: null, raw: one })),
    ])
  })

  test.each<[string, Json, number]>([
    [
      'a record that names itself is one record, whatever lists it holds',
      { entityId: 'e', variants: [{}, {}] },
      1,
    ],
    [
      'a record that contains only a list is that list',
      { products: [{ productId: 1 }, { productId: 2 }] },
      2,
    ],
    ['a dictionary is one record', { settingIds: { a: 'A' } }, 1],
    ['an empty list is none', [], 0],
  ])('%s', (_, json, count) => {
    expect(tolerantRecordsOf(json)).toHaveLength(count)
  })

  it('are a Jose definition with its versions and stage, if they contain a list or a record', () => {
    const label = { schemaVersion: '2', definitionVersion: '2.1.0', stage: 'Beta' }
    const json = { ...label, settings: { volume: { type: 'int' } } }
    expect(joseDefinitionOf(json)).toEqual({ ...label, raw: json })
    expect(joseDefinitionOf(label)).toBeNull()
  })

  test.each<[Json, [number, number[]][] | null]>([
    [[{ vendorId: 2830, dfuProductIds: [772, 9401] }], [[2830, [772, 9401]]]],
    [
      [
        { vendorId: 2830, productIds: ['772'] },
        { vendorId: 2830, ids: [{ dfuProductId: 9401 }] },
      ],
      [[2830, [772, 9401]]],
    ],
    [{ items: [{ vendorId: 2830 }, null, { dfuProductIds: [1] }] }, [[2830, []]]],
    [{ message: 'no' }, null],
  ])('have recovery ids of %j', (json, wanted) => {
    const read = recoveryIdsOf(json)
    expect(read === null ? null : [...read].map(([vendor, ids]) => [vendor, [...ids]])).toEqual(wanted)
  })

  it('have the texts of a property map', () => {
    expect(mappingOf({ mapping: { soundMode: 'CONFIG__SOUND_MODE', odd: 3 } })).toEqual(
      new Map([['soundMode', 'CONFIG__SOUND_MODE']]),
    )
  })

  it('never make a parser throw, and never become more records than there are values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        // A value of its own, and each member or item.
        const values = JSON.stringify(json).split(/[,{[]/).length
        expect(tolerantRecordsOf(json as Json)?.length ?? 0).toBeLessThanOrEqual(values)
        expect(openApiOf(json as Json)?.operations.length ?? 0).toBeLessThanOrEqual(values)
        expect(mappingOf(json as Json)?.size ?? 0).toBeLessThanOrEqual(values)
        for (const read of [telemetryOf, joseDefinitionOf, recoveryIdsOf]) read(json as Json)
        strictFindings('TelemetrySettings', json as Json)
        return true
      }),
    )
  })
})

describe('strict findings', () => {
  test.each<[string, string, Json, { unknown: string[]; missing: string[] }]>([
    ['a document as specified', 'TelemetrySettings', whole, { unknown: [], missing: [] }],
    [
      'one member too many, one missing, an unknown value, a wrong type',
      'TelemetrySettings',
      {
        ...whole,
        extra: 1,
        thresholdEvents: [{ name: 'a', defaultMinimum: 1.5 }],
        callSummary: { aggregations: [{ name: 'b', deviceEventType: 'c', aggregationMethod: 'Median' }] },
      },
      {
        unknown: ['callSummary.aggregations[].aggregationMethod = "Median"', 'extra'],
        missing: ['thresholdEvents[].defaultMinimum (int32)', 'thresholdEvents[].defaultMaximum'],
      },
    ],
    [
      'integers at and beyond the bounds of 32 bits',
      'TelemetrySettings',
      {
        ...whole,
        thresholdEvents: [
          { name: 'a', defaultMinimum: -2_147_483_648, defaultMaximum: 2_147_483_648 },
          { name: 'b', defaultMinimum: -2_147_483_649, defaultMaximum: 2_147_483_647 },
        ],
      },
      {
        unknown: [],
        missing: ['thresholdEvents[].defaultMaximum (int32)', 'thresholdEvents[].defaultMinimum (int32)'],
      },
    ],
    [
      'something else entirely',
      'array of SchemaVersion',
      { message: 'no' },
      { unknown: [], missing: ['the document (list)'] },
    ],
    [
      'an unknown stage',
      'GnpDefinition',
      { definitionVersion: '1', schemaVersion: '1', stage: 'Draft', properties: {} },
      { unknown: ['stage = "Draft"'], missing: [] },
    ],
    [
      'a dictionary of any names',
      'GnpMapping',
      { mapping: { a: 'A', b: 2 } },
      { unknown: [], missing: ['mapping.* (text)'] },
    ],
    ['a record that is not shown', 'NameMapRoot', { anything: 1 }, { unknown: [], missing: [] }],
  ])('of %s', (_, answer, json, findings) => {
    expect(strictFindings(answer, json)).toEqual(findings)
  })

  it('exist only for specified records', () => {
    const records = ['array of SchemaVersion', 'GnpDefinition', 'JoseDefinitionV2', null, 'constructor']
    expect(records.filter(isExample)).toEqual(['array of SchemaVersion', 'GnpDefinition'])
  })

  it('stay short for any wrong document', () => {
    const json = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, 1]))
    expect(strictFindings('ProtocolVersion', json).unknown).toHaveLength(200)
  })
})
