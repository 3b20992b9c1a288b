import { expect, it } from 'vitest'
import { keyHash } from '../../electron/adapters/key-hash.ts'

// The vector of RFC 7914 for the same cost: N 16384, r 8, p 1.
it('is scrypt with the cost of format 1', async () => {
  expect(await keyHash('pleaseletmein', 'SodiumChloride')).toBe(
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2',
  )
})
