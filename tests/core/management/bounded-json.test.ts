import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { boundedRecord } from '../../../electron/core/management/bounded-json.ts'
import { parseDevice } from '../../../electron/core/management/device-json.ts'
import { aDevice } from '../../a-device.ts'

const nested = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json
const mega = 1024 * 1024

describe('a record of a usual size', () => {
  it.each<[string, Json]>([
    ['a device', aDevice(1)],
    ['a name of 60,000 characters', { id: 'D1', name: 'x'.repeat(60_000) }],
    [
      'a room that lists a thousand devices',
      { id: 'R1', devices: Array.from({ length: 1_000 }, (_, index) => aDevice(index)) },
    ],
    ['thirty-one levels', { id: 'D1', deep: nested(30) }],
    ['no object', null],
    ['a member named __proto__', JSON.parse('{"__proto__":{"id":1}}') as Json],
  ])('is kept as received: %s', (_, record) => {
    expect(boundedRecord(record)).toBe(record)
  })
})

describe('a record that is too large is shortened, with a mark', () => {
  it('in its texts', () => {
    expect(boundedRecord({ id: 'D1', name: 'x'.repeat(2 * mega), serialNumber: 'S1' })).toEqual({
      id: 'D1',
      name: `${'x'.repeat(1_000)}… (2097152 characters, cut by Headroom)`,
      serialNumber: 'S1',
    })
  })

  it('in its levels', () => {
    const levels = JSON.stringify(boundedRecord({ id: 'D1', deep: nested(1_000_000) }))
    expect(levels).toBe(
      `{"id":"D1","deep":${'['.repeat(31)}"… (deeper levels cut by Headroom)"${']'.repeat(31)}}`,
    )
  })

  it('in an endless list, without losing the members after it', () => {
    const cut = boundedRecord({
      devices: Array.from({ length: mega }, () => ({ id: 'same' })),
      id: 'R1',
      name: 'Aarhus',
    }) as Record<string, Json>
    const list = cut['devices'] as Json[]
    expect([Object.keys(cut), cut['id'], cut['name'], list.at(-1)]).toEqual([
      ['devices', 'id', 'name'],
      'R1',
      'Aarhus',
      `… (${mega - list.length + 1} entries, cut by Headroom)`,
    ])
  })

  it('in endless members, and names of members', () => {
    const named = boundedRecord({ id: 'D1', ['n'.repeat(2 * mega)]: 1 }) as Record<string, Json>
    const many = boundedRecord({
      id: 'D1',
      ...Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, 'x'.repeat(60)])),
    })
    expect([
      Object.keys(named).map(({ length }) => length),
      Object.keys(many as object).length,
      many,
    ]).toEqual([
      [2, 1_001],
      10_001,
      expect.objectContaining({ id: 'D1', m9998: 'x'.repeat(60), '…': '10001 members, cut by Headroom' }),
    ])
  })
})

describe('any service data', () => {
  const big = fc.oneof(
    fc.jsonValue({ maxDepth: 6 }),
    fc.integer({ min: 1, max: 40 }).map((levels) => nested(levels)),
    fc.integer({ min: 1, max: 1_200_000 }).map((length) => 'æ'.repeat(length)),
    fc.integer({ min: 1, max: 300_000 }).map((length) => Array.from({ length }, (_, index) => index)),
  )
  it('is stored within the size limit, is shortened the same way again, and names the same device', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), big as fc.Arbitrary<Json>, { maxKeys: 4 }), (members) => {
        const record = { ...members, id: 'D1' }
        const cut = boundedRecord(record)
        const text = JSON.stringify(cut)
        expect(text.length).toBeLessThan(3 * mega)
        expect(JSON.stringify(boundedRecord(record))).toBe(text)
        expect(parseDevice(cut)).toMatchObject({ readable: true, record: { id: 'D1' } })
      }),
      { numRuns: 30 },
    )
  })
})
