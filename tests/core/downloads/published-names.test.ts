import { expect, it } from 'vitest'
import type { Firmware } from '../../../electron/core/firmware/firmware.ts'
import type { Metadata } from '../../../electron/core/metadata/metadata.ts'
import { downloadSource } from '../../../electron/core/downloads/feature.ts'
import { secondsFor } from '../../../electron/core/downloads/download-rows.ts'
import type { Organization } from '../../../electron/contract/api/organizations.ts'

it('files are named by the catalogue and by the own list of each product, from stored documents only', async () => {
  const asked: unknown[] = []
  const variant = { vendorId: 2830, productId: 9395 }
  const ofCatalogue = { version: '2.9.0', fileName: 'a.zip', md5: 'aa' }
  const ofList = { version: '2.9.2', fileName: 'b.zip', md5: null }
  const metadata = {
    catalogue: async (ask: unknown) => {
      asked.push(ask)
      return { value: { products: [{ name: 'Bar', variants: [variant, variant], releases: [ofCatalogue] }] } }
    },
    firmwareReleases: async (_: unknown, ask: unknown) => {
      asked.push(ask)
      return { value: { releases: [ofList] } }
    },
  }
  const source = downloadSource(
    {
      organization: { id: 'o', name: 'O', preset: 'custom' } as unknown as Organization,
      firmware: {} as Firmware,
      metadata: metadata as unknown as Metadata,
    },
    'https://api.example.com/models',
  )
  const bar = { ...variant, name: 'Bar' }
  expect([await source.published(), asked]).toEqual([
    [
      { ...bar, ...ofCatalogue },
      { ...bar, ...ofList },
    ],
    [{ cachedOnly: true }, { cachedOnly: true }],
  ])
})

it.each([
  [1_000, 300, 4],
  [0, 300, 0],
  [-5, 300, 0],
  [1_000, 0, null],
  [1_000, null, null],
  [null, 300, null],
])('%s bytes at %s a second take %s s', (bytes, rate, seconds) => {
  expect(secondsFor(bytes, rate)).toBe(seconds)
})
