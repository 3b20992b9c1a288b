import { describe, expect, it } from 'vitest'
import { done, failed } from '../../../electron/contract/failure.ts'
import { listPlace, type ListPlace } from '../../../renderer/components/list-place.ts'

const ids = ['a', 'b', 'c']
const aPlace = (): ListPlace =>
  listPlace({
    position: async (id) => done({ index: ids.includes(id) ? ids.indexOf(id) : null, total: ids.length }),
    idAt: async (index) => done(ids[index] ?? null),
  })
const stateOf = ({ index, total, hasPrevious, hasNext }: ListPlace): unknown[] => [
  index.value,
  total.value,
  hasPrevious.value,
  hasNext.value,
]

describe('a position in a list', () => {
  it.each<[string, unknown[]]>([
    ['a', [0, 3, false, true]],
    ['b', [1, 3, true, true]],
    ['c', [2, 3, true, false]],
    ['elsewhere', [null, 3, false, false]],
  ])('of %s has a previous and a next row', async (id, expected) => {
    const place = aPlace()
    await place.find(id)
    expect(stateOf(place)).toEqual(expected)
  })
  it('steps forward and back, and not beyond the ends', async () => {
    const place = aPlace()
    await place.find('b')
    expect([
      await place.step(1),
      await place.step(1),
      await place.step(-1),
      await place.step(-1),
      await place.step(-1),
    ]).toEqual(['c', null, 'b', 'a', null])
  })
  it('does not step from a missing row, or before it was found', async () => {
    const place = aPlace()
    expect(await place.step(1)).toBe(null)
    await place.find('elsewhere')
    expect([await place.step(1), await place.step(-1)]).toEqual([null, null])
  })
  it('performs a step requested while the position is being found', async () => {
    const place = aPlace()
    void place.find('a')
    expect([await place.step(1), place.index.value]).toEqual(['b', 1])
  })
  it('performs a step although the position is requested again, as after a change', async () => {
    const place = aPlace()
    await place.find('a')
    const step = place.step(1)
    void place.find('a')
    expect(await step).toBe('b')
  })
  it('returns only the last of two quick steps', async () => {
    const place = aPlace()
    await place.find('a')
    const first = place.step(1)
    const second = place.step(1)
    expect([await first, await second, place.index.value]).toEqual([null, 'c', 2])
  })
  it('is unknown when the list cannot be read, and after leaving it', async () => {
    const place = listPlace({
      position: async () => failed({ kind: 'bug', reference: 'x' }),
      idAt: async () => done(null),
    })
    await place.find('a')
    expect(stateOf(place)).toEqual([null, null, false, false])
    const left = aPlace()
    const finding = left.find('b')
    left.clear()
    await finding
    expect(stateOf(left)).toEqual([null, null, false, false])
  })
})
