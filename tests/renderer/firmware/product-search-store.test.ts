import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Product } from '../../../electron/contract/api/firmware.ts'
import { done } from '../../../electron/contract/failure.ts'
import { useProductSearch } from '../../../renderer/firmware/product-search-store.ts'
import type { DoubleLink } from '../double-link.ts'
import { aCore, settle } from '../open-page.ts'

let core: DoubleLink
beforeEach(() => {
  core = aCore()
})
const questions = (): readonly unknown[] =>
  core.asked.filter((one) => one.channel === 'firmware.products').map((one) => one.argument)

describe('the search for products', () => {
  it('asks for the first hundred, trimmed', async () => {
    const search = useProductSearch()
    await search.find('  0x24B3 ')
    expect(questions()).toEqual([{ text: '0x24B3', owned: false, start: 0, count: 100 }])
    expect(search.rows.map((row) => row.name)).toEqual(['Jabra Evolve2 65 Mono'])
  })

  it('only products of the fleet, then all again', async () => {
    const search = useProductSearch()
    await search.onlyOwned(true)
    await search.showAll()
    expect(questions()).toEqual([
      { text: '', owned: true, start: 0, count: 100 },
      { text: '', owned: false, start: 0, count: 100 },
    ])
  })

  it('asks for the next rows while there are more, and no further', async () => {
    const all: Product[] = Array.from({ length: 150 }, (_none, n) => ({
      vendorId: 2830,
      productId: n,
      name: `Product ${n}`,
      groupName: null,
      deviceType: null,
      supportedProtocols: [],
      variants: [],
      latestVersion: null,
      deviceCount: 0,
    }))
    const starts: number[] = []
    Object.assign(globalThis, {
      headroom: {
        call: (_channel: string, { start, count }: { start: number; count: number }) => {
          starts.push(start)
          return Promise.resolve(
            done({
              rows: all.slice(start, start + count),
              total: all.length,
              observedAt: 1,
              fromCache: false,
            }),
          )
        },
        subscribe: () => () => undefined,
      },
    })
    const search = useProductSearch()
    await search.search()
    await search.more()
    await search.more()
    expect(starts).toEqual([0, 100])
    expect(search.rows).toEqual(all)
  })

  it('a failure keeps the products found before, beside it', async () => {
    const search = useProductSearch()
    await search.search()
    core.fail('firmware.products', { kind: 'cancelled' })
    await search.find('Evolve2')
    await settle()
    expect([search.rows.length, search.failure]).toEqual([8, { kind: 'cancelled' }])
  })
})

describe('products follow what happens', () => {
  it('another organization in use makes them read again; a renamed one does not', async () => {
    const search = useProductSearch()
    const end = search.follow()
    await search.search()
    await settle()
    core.announce('organizations.changed', { ids: ['org-1'] })
    await settle()
    expect([questions().length, search.organizationId]).toEqual([1, 'org-1'])
    await core.call('organizations.use', { id: 'org-2' })
    await settle()
    expect([questions().length, search.organizationId]).toEqual([2, 'org-2'])
    end()
  })

  it('while devices arrive the counts are asked for again once in two seconds, as many rows as are shown', async () => {
    vi.useFakeTimers()
    try {
      const search = useProductSearch()
      const end = search.follow()
      for (let n = 0; n < 10; n += 1) core.announce('devices.changed', { count: 100 })
      expect(questions()).toEqual([])
      await vi.advanceTimersByTimeAsync(2_000)
      expect(questions()).toEqual([{ text: '', owned: false, start: 0, count: 100 }])
      end()
    } finally {
      vi.useRealTimers()
    }
  })
})
