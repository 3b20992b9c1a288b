import { describe, expect, it } from 'vitest'
import { openFirmware } from '../../../electron/core/firmware/firmware.ts'
import { metadataRig } from '../metadata/fake-metadata-service.ts'

const releases = '/vendors/2830/products/9395/firmware-releases'

/** A catalogue without products, and releases of one. */
function rig(counts: readonly (readonly [number, number])[] = []) {
  const metadata = metadataRig()
  metadata.service
    .set('/product-group-bundles/bundles', { bundles: [], unbundledProducts: [] })
    .set(releases, [{ version: '1.0.0' }])
    .set('/vendors/2830/products/9395/firmware-versions/1.0.0/build-types/Release/downloadLink', {
      url: 'https://files.example.com/a.zip',
    })
  const firmware = openFirmware({
    clock: metadata.clock,
    metadata: metadata.start(),
    deviceCounts: async () => new Map(counts),
    vendorId: 2830,
    assumedBuildTypes: ['Release'],
  })
  return { ...metadata, firmware }
}

describe('prefetching errors', () => {
  const away = {
    failure: { kind: 'service-unavailable', call: { operation: 'x', host: 'h' }, status: 500, message: null },
  } as const
  const unavailable = (service: ReturnType<typeof rig>['service'], ...ids: readonly number[]): void =>
    ids.forEach((id) => service.documents.set(`/vendors/2830/products/${id}/firmware-releases`, away))

  it('continues after products that the service cannot return', async () => {
    const { firmware, service } = rig([9395, 1, 2, 3, 4, 5].map((id) => [id, 1] as const))
    unavailable(service, 1, 2, 4, 5)
    expect(await firmware.warm({})).toEqual({ warmed: 1, notPublished: 1, left: 4 })
  })

  it('continues after a product whose list is unreadable or rejected', async () => {
    const { firmware, service } = rig([1, 2, 9395].map((id) => [id, 1] as const))
    service.set('/vendors/2830/products/1/firmware-releases', 'no list at all')
    service.documents.set('/vendors/2830/products/2/firmware-releases', {
      failure: { kind: 'refused', call: { operation: 'x', host: 'h' }, status: 400, message: null },
    })
    expect(await firmware.warm({})).toEqual({ warmed: 1, notPublished: 0, left: 2 })
  })

  it('stops at the third failure in a row', async () => {
    const { firmware, service } = rig([1, 2, 3, 4, 5, 6, 7].map((id) => [id, 1] as const))
    unavailable(service, 1, 2, 3, 4, 5, 6)
    const { left } = await firmware.warm({})
    expect([left, service.requested('/products/6/'), service.requested('/products/7/')]).toEqual([7, 0, 0])
  })

  it.each<[string, readonly (readonly [number, number])[]]>([
    [
      'a fleet',
      [
        [9395, 2],
        [4711, 1],
        [5_000_000_000, 1],
      ],
    ],
    ['no fleet yet', []],
  ])(
    'reports that nothing is published, for example at a wrong address, until something is: %s',
    async (_, counts) => {
      const { firmware, service, clock } = rig(counts)
      const published = new Map(service.documents)
      service.documents.clear()
      expect([await firmware.warm({}), firmware.nothingPublished()]).toEqual([
        { warmed: 0, notPublished: counts.length, left: 0, nothingPublished: true },
        true,
      ])
      for (const [path, document] of published) service.documents.set(path, document)
      await clock.advance(2 * 3_600_000)
      expect([(await firmware.warm({})).nothingPublished, firmware.nothingPublished()]).toEqual([
        undefined,
        false,
      ])
    },
  )

  it.each<[string, (service: ReturnType<typeof rig>['service']) => unknown]>([
    ['one product is published', (service) => service.documents.delete('/product-group-bundles/bundles')],
    ['the service is unreachable', (service) => (service.offline = true)],
    [
      'schema versions are published',
      (service) => {
        service.documents.clear()
        service.set('/protocol-definitions/gnp/schema-versions', [{ version: '1.11.0' }])
      },
    ],
  ])('does not report so when %s', async (_, change) => {
    const { firmware, service } = rig([[9395, 1]])
    change(service)
    await firmware.warm({})
    expect(firmware.nothingPublished()).toBe(false)
  })
})
