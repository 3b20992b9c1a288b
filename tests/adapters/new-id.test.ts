import { expect, it } from 'vitest'
import { newId } from '../../electron/adapters/new-id.ts'

it('an id can be given to a command as it stands: none begins with a dash, and none is there twice', () => {
  const ids = Array.from({ length: 5_000 }, newId)
  expect([ids.filter((id) => !/^[0-9a-f]{24}$/.test(id)), new Set(ids).size]).toEqual([[], ids.length])
})
