import { beforeEach, describe, expect, it } from 'vitest'
import { ResultCache } from '../../../electron/core/storage/result-cache.ts'
import { FakeClock } from '../../fake-clock.ts'

let clock: FakeClock
let cache: ResultCache
let made: number

beforeEach(() => {
  clock = new FakeClock()
  cache = new ResultCache(clock, 2)
  made = 0
})

/** Each result is the number of its computation; it takes 100 ms. */
const ask = async (question = 'by name', organizationId = 'nordlys'): Promise<number> => {
  const answer = cache.get(
    organizationId,
    question,
    () => new Promise<number>((resolve) => clock.after(100, () => resolve(++made))),
  )
  await clock.advance(100)
  return answer
}

describe('a cached result about rows', () => {
  it('is kept while nothing changes', async () => {
    expect([await ask(), await ask()]).toEqual([1, 1])
    await clock.advance(3_600_000)
    expect(await ask()).toBe(1)
  })

  it('is computed once for simultaneous queries', async () => {
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  })

  it('is served for four times its computing time while pages of a sync arrive', async () => {
    await ask()
    cache.changed('nordlys', 'more-to-come')
    expect([await ask(), await ask()]).toEqual([1, 1])
    await clock.advance(400)
    expect(await ask()).toBe(2)
  })

  it('is never served after the last page of a sync, however new it is', async () => {
    await ask()
    cache.changed('nordlys', 'more-to-come')
    cache.changed('nordlys', 'settled')
    expect(await ask()).toBe(2)
  })

  it('begun before the last page is not returned to later queries', async () => {
    const before = cache.get(
      'nordlys',
      'by name',
      () => new Promise<string>((resolve) => clock.after(100, () => resolve('before'))),
    )
    await clock.advance(50)
    cache.changed('nordlys', 'settled')
    const after = cache.get('nordlys', 'by name', () => Promise.resolve('after'))
    await clock.advance(50)
    expect([await before, await after]).toEqual(['before', 'after'])
  })

  it('of one organization survives changes in another', async () => {
    await ask()
    cache.changed('sydhavn', 'settled')
    expect(await ask()).toBe(1)
  })

  it('that failed is not kept', async () => {
    await expect(
      cache.get('nordlys', 'by name', () => Promise.reject(new Error('the disk'))),
    ).rejects.toThrow('the disk')
    expect(await ask()).toBe(1)
  })

  it('is derived only from another cached result for the same rows', async () => {
    await ask('by name')
    const begun = (): Promise<string> =>
      cache
        .get<string | number>(
          'nordlys',
          `from by name, ${made}`,
          async (stored) => (await stored('by name')) ?? 'none',
        )
        .then(String)
    const before = await begun()
    cache.changed('nordlys', 'more-to-come')
    expect([before, await begun()]).toEqual(['1', 'none'])
  })

  it('is replaced by newer queries', async () => {
    for (const question of ['by name', 'by status', 'by room']) await ask(question)
    expect(['by name', 'by status', 'by room'].filter((question) => cache.has('nordlys', question))).toEqual([
      'by status',
      'by room',
    ])
  })
})
