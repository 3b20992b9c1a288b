import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { fetchRuleNow, fetchUpdateRule, type UpdateRule } from '../../../electron/core/firmware/firmware.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import { rig } from './firmware-rig.ts'

const id = { vendorId: 2830, productId: 9395 }
const own = '/vendors/2830/products/9395/firmware-releases'
const bundleList = '/vendors/products/firmware-bundles'
const bundle = (group: string) => `${bundleList}/${group}/versions/1.0.0`
const call = { operation: 'x', host: 'h' }
const failure: Failure = { kind: 'service-unavailable', call, status: 500, message: null }

/** Everything that can list releases was read and is fresh. */
async function open(documents: Readonly<Record<string, Json | null>>, product = id) {
  const { service, clock, firmware, start } = rig()
  for (const [path, json] of Object.entries(documents))
    if (json === null) service.documents.delete(path)
    else service.set(path, json)
  const metadata = start()
  const parts = { firmware, metadata, approvals: { decisions: async () => none } as never }
  const planned = await fetchUpdateRule(parts, product)
  await clock.advance(60_000)
  service.requests.length = 0
  const now = () => fetchRuleNow(parts, product, new AbortController().signal)
  const asked = () =>
    service.requests.map(({ path }) => path.replace('/models/v/18', '').replace('.json', ''))
  return { service, clock, firmware, planned, now, asked }
}
const facts = ({ releases }: UpdateRule) =>
  releases.map(({ version, revoked, latest }) => [version, revoked, latest])
const none = { of: () => ({ kind: 'none' as const }) }

const member = (productId: number, version: string) => ({
  vendorId: 2830,
  productId,
  firmwareVersion: version,
})
const bundled = {
  [own]: null,
  [bundleList]: [
    { firmwareBundleGroupId: 'g1', firmwareBundleVersion: '1.0.0' },
    { firmwareBundleGroupId: 'g2', firmwareBundleVersion: '1.0.0' },
  ],
  [bundle('g1')]: [
    { firmwareBundleGroupId: 'g1', firmwareBundleVersion: '1.0.0', products: [member(9395, '3.1.0')] },
  ],
  [bundle('g2')]: [
    { firmwareBundleGroupId: 'g2', firmwareBundleVersion: '1.0.0', products: [member(1, '9.9.9')] },
  ],
}

const bundles = '/product-group-bundles/bundles'
const listed = (revoked: boolean): Json => ({
  bundles: [],
  unbundledProducts: [
    {
      productName: 'Jabra Evolve2 65',
      variants: [{ vendorId: 2830, productId: 9395, variantType: '01-64' }],
      firmwareReleases: [{ version: '3.0.0', revoked }],
    },
  ],
})
const alsoListed = { [own]: [{ version: '3.0.0' }], [bundles]: listed(false) }

describe('the releases of a product are asked again', () => {
  it.each([
    ['its own list', {}, id, [own]],
    ['the bundle list and its bundle', bundled, id, [own, bundleList, bundle('g1')]],
    [
      'the catalogue if it lists them',
      {},
      { vendorId: 2830, productId: 9416 },
      ['/vendors/2830/products/9416/firmware-releases', '/product-group-bundles/bundles'],
    ],
    ['the catalogue if it alone states which were revoked', alsoListed, id, [own, bundles]],
    [
      'its own list if it states that itself',
      { ...alsoListed, [own]: [{ version: '3.0.0', revoked: false }] },
      id,
      [own],
    ],
  ] as const)('%s: one request each', async (_, documents, product, asked) => {
    const opened = await open(documents, product)
    const rule = await opened.now()
    expect([opened.asked(), facts(rule)]).toEqual([asked, facts(opened.planned)])
  })

  it.each([
    ['its own list', {}, own],
    ['the list that it is not published alone', bundled, own],
    ['the bundle list', bundled, bundleList],
    ['its bundle', bundled, bundle('g1')],
    ['the catalogue that alone states which were revoked', alsoListed, bundles],
  ] as const)('%s cannot be read: no rule, but the age of the last one', async (_, documents, path) => {
    const opened = await open(documents)
    const observedAt = opened.clock.now() - 60_000
    opened.service.documents.set(path, { failure })
    expect(await failureOf(opened.now())).toMatchObject({ kind: 'releases-unread', observedAt })
    opened.service.documents.set(path, { json: 'nonsense' })
    expect(await failureOf(opened.now())).toMatchObject({ kind: 'releases-unread' })
  })

  it('what the catalogue revoked since it was stored is revoked', async () => {
    const opened = await open(alsoListed)
    opened.service.set(bundles, listed(true))
    expect(facts(await opened.now())).toEqual([['3.0.0', true, false]])
  })

  it('the bundle list cannot be read and its bundle no longer names the product: no rule, it may be in another', async () => {
    const opened = await open(bundled)
    opened.service.documents.set(bundleList, { failure })
    opened.service.set(bundle('g1'), [])
    expect(await failureOf(opened.now())).toMatchObject({ kind: 'releases-unread' })
  })

  it('a bundle that did not name the product when it was stored is asked again before nothing is believed', async () => {
    const opened = await open({ ...bundled, [bundle('g1')]: [], [own]: [{ version: '3.0.0' }] })
    await opened.firmware.bundles(null)
    opened.service.documents.delete(own)
    expect((await opened.now()).releases).toEqual([])
    opened.service.set(bundle('g1'), bundled[bundle('g1')]!)
    expect(facts(await opened.now())).toEqual([['3.1.0', false, true]])
    opened.service.documents.set(bundle('g1'), { failure })
    opened.service.documents.set(bundle('g2'), { failure })
    expect(await failureOf(opened.now())).toMatchObject({ kind: 'releases-unread' })
  })

  it('by the catalogue alone nothing may be sent, and no age is claimed', async () => {
    const opened = await open({}, { vendorId: 2830, productId: 9416 })
    opened.service.documents.set('/product-group-bundles/bundles', { failure })
    expect(await failureOf(opened.now())).toMatchObject({ kind: 'releases-unread' })
  })

  it('a product that is published nowhere any more has no releases', async () => {
    const opened = await open({})
    opened.service.documents.delete(own)
    expect((await opened.now()).releases).toEqual([])
  })

  it('a release that names variants is for no other', async () => {
    const opened = await open({ [own]: [{ version: '3.0.0', variantType: '01-64' }, { version: '2.9.0' }] })
    const { releases } = await opened.now()
    expect(['01-64', '01-65'].map((variant) => releases.map(({ isFor }) => isFor?.(variant)))).toEqual([
      [true, true],
      [false, true],
    ])
  })

  it('cancelling is no answer', async () => {
    const opened = await open({})
    opened.service.documents.set(own, { failure: { kind: 'cancelled' } })
    expect(await failureOf(opened.now())).toEqual({ kind: 'cancelled' })
  })
})
