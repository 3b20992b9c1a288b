import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { besideRecords } from '../../../electron/core/metadata/beside-records.ts'
import { firmwareBundlesOf } from '../../../electron/core/metadata/bundle-json.ts'
import { catalogueOf } from '../../../electron/core/metadata/catalogue-json.ts'
import { tolerantRecordsOf } from '../../../electron/core/metadata/record-json.ts'
import { releasesOf } from '../../../electron/core/metadata/release-json.ts'

const variant = { vendorId: 2830, productId: 9395, variantType: '01-64' }
const product = { productName: 'Evolve2 65', variants: [variant], more: 1 }
const readers = {
  records: tolerantRecordsOf,
  releases: releasesOf,
  bundles: firmwareBundlesOf,
  catalogue: catalogueOf,
}

describe('members beside the records of a document', () => {
  test.each<[string, keyof typeof readers, Json, readonly Json[]]>([
    ['nothing, for a list', 'records', [{ id: 'a', more: 1 }], []],
    ['nothing, for an empty list', 'records', [], []],
    ['nothing, for a single record', 'records', { id: 'a', more: 1 }, []],
    ['nothing, if the envelope contains only the list', 'records', { items: [{ id: 'a' }] }, []],
    ['members of the envelope', 'records', { items: [{ id: 'a' }], next: null }, [{ next: null }]],
    [
      'members of each envelope',
      'records',
      { data: { items: [{ id: 'a' }], b: 1 }, a: [] },
      [{ data: { b: 1 }, a: [] }],
    ],
    [
      'members of a dictionary by version',
      'releases',
      { releases: { '2.9.2': { size: 1 } }, a: 1 },
      [{ a: 1 }],
    ],
    [
      'no record that cannot be read',
      'releases',
      { releases: [{ version: '1' }, { size: 1 }], a: 1 },
      [{ a: 1 }],
    ],
    [
      'members of a group around its versions',
      'bundles',
      [{ id: 'g', versions: [{ bundleVersion: '1', members: [{ productId: 1 }] }], a: 1 }],
      [[{ id: 'g', a: 1 }]],
    ],
    [
      'no record of a bundle with one record for each member',
      'bundles',
      [
        { id: 'g', bundleVersion: '1', productId: 1, a: 1 },
        { id: 'g', bundleVersion: '1', productId: 2, a: 1 },
      ],
      [],
    ],
    [
      'members of a catalogue, not of its groups',
      'catalogue',
      { bundles: [{ name: 'Bar', products: [product], a: 1 }], unbundledProducts: [product], b: 1 },
      [{ b: 1 }],
    ],
  ])('are %s', (_, reader, json, wanted) => {
    expect(besideRecords(json, readers[reader](json))).toEqual(wanted)
  })

  it('are the document, if no record was parsed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const isEmpty = ['[]', '{}'].includes(JSON.stringify(json))
        expect(besideRecords(json as Json, null)).toEqual(isEmpty ? [] : [json])
      }),
    )
  })
})
