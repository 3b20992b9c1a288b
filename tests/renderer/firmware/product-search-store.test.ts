import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useProductSearch } from '../../../renderer/firmware/product-search-store.ts'
import { openCore, settle, type TestCore } from '../core.ts'

let core: TestCore
beforeEach(async () => {
  core = await openCore()
})
const questions = (): readonly unknown[] => core.argumentsOf('firmware.products')

describe('the search for products', () => {
  it('requests the first hundred, trimmed', async () => {
    const search = useProductSearch()
    await search.find('  0x24B3 ')
    expect(questions()).toEqual([{ text: '0x24B3', owned: false, start: 0, count: 100 }])
    expect(search.rows.map((row) => row.name)).toEqual(['Jabra Evolve2 65 Mono'])
  })

  it('has those of your devices first, most devices first', async () => {
    const search = useProductSearch()
    await search.search()
    const counts = search.rows.map(({ deviceCount }) => deviceCount)
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  })

  it('requests the next rows while there are more, and no further', async () => {
    const search = useProductSearch()
    await search.search()
    await search.more()
    await search.more()
    const { rows, total } = await core.handlers.firmware.products({
      text: '',
      owned: false,
      start: 0,
      count: 500,
    })
    expect(questions().map((query) => (query as { readonly start: number }).start)).toEqual([0, 100])
    expect([search.rows, search.rows.length]).toEqual([rows, total])
  })

  it('keeps the previous products beside a failure', async () => {
    const search = useProductSearch()
    await search.search()
    core.fail('firmware.products', { kind: 'cancelled' })
    await search.find('Evolve2')
    await settle()
    expect([search.rows.length, search.failure]).toEqual([100, { kind: 'cancelled' }])
  })
})

describe('products and events', () => {
  it('another organization reloads them; a renamed one does not', async () => {
    const search = useProductSearch()
    const end = search.follow()
    await search.search()
    await settle()
    const { organizations, presets } = await core.handlers.organizations.list()
    const { draft } = presets.find(({ name }) => name === 'jabra-plus')!
    const { id: first } = organizations[0]!
    await core.handlers.organizations.update({ id: first, draft: { ...draft, name: 'Nordlys' } })
    await core.advance(1_000)
    await settle()
    expect([questions().length, search.organizationId]).toEqual([1, first])
    const { id } = await core.handlers.organizations.add({ ...draft, name: 'Workshop' })
    await core.handlers.organizations.use({ id })
    await core.advance(1_000)
    await settle()
    expect([questions().length, search.organizationId]).toEqual([2, id])
    end()
  })

  it('while devices arrive the counts are requested every two seconds, with as many rows as shown', async () => {
    vi.useFakeTimers()
    try {
      const search = useProductSearch()
      const end = search.follow()
      for (let n = 0; n < 10; n += 1) core.emit('devices.changed', { count: 100 })
      expect(questions()).toEqual([])
      await vi.advanceTimersByTimeAsync(2_000)
      expect(questions()).toEqual([{ text: '', owned: false, start: 0, count: 100 }])
      end()
    } finally {
      vi.useRealTimers()
    }
  })
})
