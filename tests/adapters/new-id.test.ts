import { expect, it } from 'vitest'
import { newId } from '../../electron/adapters/new-id.ts'

it('creates unique ids that never begin with a dash', () => {
  const ids = Array.from({ length: 5_000 }, newId)
  expect([ids.filter((id) => !/^[0-9a-f]{24}$/.test(id)), new Set(ids).size]).toEqual([[], ids.length])
})
