import { expect, onTestFinished, test } from 'vitest'
import { aDevice } from '../../a-device.ts'
import { anOddService } from '../../an-odd-service.ts'

const product = { vendorId: 2830, productId: 9395 }
const releases = '/vendors/2830/products/9395/firmware-releases'

test('warns of approvals without effect, and counts the products that were not compared', async () => {
  const service = await anOddService()
  onTestFinished(() => service.close())
  const { firmware, sync } = service.core.handlers
  service.documents.set('/product-group-bundles/bundles', {
    unbundledProducts: [{ productName: 'Headset', variants: [{ ...product, variantType: '01' }] }],
  })
  service.documents.set(releases, [{ version: '2.9.0' }])
  service.devices = { MeetingRoom: [], Personal: [aDevice(1, { productId: 5_000_000_000 })] }
  await sync.runAndCompare({ acceptGone: null })
  await firmware.approve({ ...product, variant: null, version: '2.9.0', reason: 'tested', expires: null })
  const before = await firmware.warnings()
  service.documents.set(releases, [{ version: '2.9.0', revoked: true }])
  service.sleep(2 * 86_400_000)
  await firmware.releases(product)
  expect([before, await firmware.warnings()]).toEqual([
    { approvals: [], notCompared: 1 },
    {
      approvals: [
        'Version 2.9.0 of Headset is approved, but the vendor revoked it. Approve another version.',
      ],
      notCompared: 1,
    },
  ])
})
