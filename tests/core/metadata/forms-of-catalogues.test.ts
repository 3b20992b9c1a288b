import { describe, expect, it, test } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { catalogueOf } from '../../../electron/core/metadata/catalogue-json.ts'
import { idOf } from '../../../electron/core/metadata/json-reading.ts'

const variants = (product: Json): readonly string[] | null =>
  catalogueOf({ unbundledProducts: [product] })?.products[0]?.variants.map((one) =>
    `${one.vendorId}/${one.productId} ${one.variantType} ${one.name ?? ''}`.trim(),
  ) ?? null

describe('ids', () => {
  test.each<[Json, number | null]>([
    [2830, 2830],
    ['2830', 2830],
    ['0x0B0E', 2830],
    ['0X0b0e', 2830],
    ['0B0E', 2830],
    [' 24B3 ', 9395],
    ['VID_0B0E', 2830],
    ['PID_24B3', 9395],
    ['2475', 2475],
    ['0304', 304],
    [9395.0, 9395],
    ['9395.0', 9395],
    [5_000_000_000, null],
    ['0x1FFFFFFFF', null],
    [-1, null],
    [1.5, null],
    ['beef!', null],
    ['', null],
    [true, null],
    [{}, null],
  ])('%j is %s', (json, expected) => {
    expect(idOf(json)).toBe(expected)
  })
})

describe('a product of the catalogue', () => {
  test.each<[string, Json, readonly string[] | null]>([
    [
      'with ids in hexadecimal',
      { productName: 'A', variants: [{ vendorId: '0x0B0E', productId: '24B3', variantType: '01-64' }] },
      ['2830/9395 01-64'],
    ],
    ['with its ids in its own record', { productName: 'A', vendorId: 2830, productId: 9395 }, ['2830/9395']],
    [
      'with ids and variant in its own record',
      { name: 'A', vendorId: 2830, productId: '9395', variantType: '01-64' },
      ['2830/9395 01-64'],
    ],
    [
      'with several product ids',
      { productName: 'A', vendorId: 2830, productIds: [9395, '0x24B4'] },
      ['2830/9395', '2830/9396'],
    ],
    [
      'with the vendor in its own record',
      { productName: 'A', vendorId: 2830, variants: [{ productId: 9395, variantType: '01-64' }] },
      ['2830/9395 01-64'],
    ],
    [
      'with variants by type',
      {
        productName: 'A',
        variants: {
          '01-64': { vendorId: 2830, productId: 9395, name: 'MS' },
          '01-65': { vendorId: 2830, productId: 9396 },
        },
      },
      ['2830/9395 01-64 MS', '2830/9396 01-65'],
    ],
    [
      'with variants by product id',
      { productName: 'A', vendorId: 2830, variants: { '9395': { variantType: '01-64' } } },
      ['2830/9395 01-64'],
    ],
    [
      'with a single variant instead of a list',
      { productName: 'A', variants: { vendorId: 2830, productId: 9395, variantType: '01-64' } },
      ['2830/9395 01-64'],
    ],
    ['with a variant by number', { productName: 'A', vendorId: 2830, variants: [9395] }, ['2830/9395']],
    ['without any id', { productName: 'A' }, null],
    ['without a vendor', { productName: 'A', productId: 9395 }, null],
  ])('%s', (_, product, expected) => {
    expect(variants(product)).toEqual(expected)
  })

  it('has the entity ids of itself and of its variants', () => {
    const product = {
      productName: 'A',
      entityId: ' F525E3B0-1 ',
      variants: [
        { vendorId: 1, productId: 2, entityId: 'aa' },
        { vendorId: 1, productId: 3, entityId: 'AA' },
      ],
    }
    expect(catalogueOf({ unbundledProducts: [product] })?.products[0]?.entityIds).toEqual([
      'f525e3b0-1',
      'aa',
    ])
  })

  it('keeps unreadable variants and releases as received', () => {
    const product = {
      productName: 'A',
      variants: [{ vendorId: 2830, productId: 9395 }, { variantType: '01-65' }],
      firmwareReleases: [{ version: '1.0.0' }, { md5Checksum: 'x' }],
    }
    const read = catalogueOf({
      unbundledProducts: [product],
      bundles: [{ products: 'none' }, { name: 'empty' }],
    })
    expect([read?.products.length, read?.unreadable]).toEqual([
      1,
      [{ products: 'none' }, { variantType: '01-65' }, { md5Checksum: 'x' }],
    ])
  })
})

describe('a catalogue', () => {
  const product = { productName: 'A', variants: [{ vendorId: 2830, productId: 9395 }] }
  test.each<[string, Json, readonly string[] | null]>([
    ['that is a list', [product], ['A']],
    ['in a wrapper', { data: { unbundledProducts: [product] } }, ['A']],
    ['of products by id', { products: { '9395': { vendorId: 2830, productName: 'A' } } }, ['A']],
    [
      'of products by name',
      { products: { 'Jabra Evolve2 65': { vendorId: 2830, productId: 9395 } } },
      ['Jabra Evolve2 65'],
    ],
    ['of bundles by name', { bundles: { vbs: { products: [product] } } }, ['A']],
    ['whose products are wrapped', { products: { total: 1, items: [product] } }, ['A']],
    ['under another name', { items: [product] }, ['A']],
    ['of lists within lists', { unbundledProducts: [[product], [product]] }, ['A', 'A']],
    ['whose lists are null', { bundles: null, unbundledProducts: null }, []],
    ['that reports an error and has lists', { code: 13, message: 'no', products: [] }, null],
  ])('%s', (_, json, expected) => {
    expect(catalogueOf(json)?.products.map(({ name }) => name) ?? null).toEqual(expected)
  })
})

describe('a bundle with its products in an unexpected place', () => {
  const product = { productName: 'Bar', variants: [{ vendorId: 2830, productId: 1, variantType: '13-B5' }] }
  const bundle = { name: 'System', products: [product] }
  test.each<[string, Json, number, readonly Json[]]>([
    ['in a wrapper: they are read', { data: bundle }, 1, []],
    ['in a list of one: they are read', [bundle], 1, []],
    [
      'under another name: it is counted',
      { name: 'System', parts: [product] },
      0,
      [{ name: 'System', parts: [product] }],
    ],
    ['null: there are none', { name: 'System', products: null }, 0, []],
  ])('%s', (_, one, count, unreadable) => {
    const read = catalogueOf({ bundles: [one], unbundledProducts: [] })
    expect([read?.products.length, read?.unreadable]).toEqual([count, unreadable])
  })
})
