import type { Json } from '../../../electron/contract/json.ts'
import { openFirmware } from '../../../electron/core/firmware/firmware.ts'
import { metadataRig } from '../metadata/fake-metadata-service.ts'

export const variant = (
  productId: number,
  variantType: string,
  name: string | null = null,
  vendorId = 2830,
) => ({
  vendorId,
  productId,
  variantType,
  name,
})
const catalogue = {
  bundles: [
    {
      products: [
        {
          productName: 'Jabra PanaCast 50',
          deviceType: 'Video',
          variants: [variant(12306, '12-01')],
          firmwareReleases: [{ version: '6.5.0' }],
        },
      ],
    },
  ],
  unbundledProducts: [
    {
      productName: 'Jabra Evolve2 65 Mono',
      productGroupName: 'Jabra Evolve2 65',
      deviceType: 'OnEar',
      variants: [variant(9395, '01-64', 'Evolve2 65 Mono MS')],
    },
    {
      productName: 'Jabra Evolve2 65',
      productGroupName: 'Jabra Evolve2 65',
      variants: [variant(9379, '01-65')],
      firmwareReleases: [{ version: '2.9.2' }],
    },
    {
      productName: 'Jabra Link 380a',
      variants: [variant(9416, '04-0B'), variant(9415, '04-0B')],
      firmwareReleases: [{ version: '1.16.0' }, { version: '1.9.0' }],
    },
    { productName: 'Jabra Link 380c', variants: [variant(9416, '04-0C')] },
    { productName: 'Speak 710', variants: [variant(0x2475, '08-01')] },
    { productName: 'Partner headset', variants: [variant(9395, '', null, 1130)] },
  ],
}
const releases: Json = [
  { version: '2.9.2' },
  { version: '2.10.0', buildTypes: ['Release', 'Candidate'] },
  { version: '2.11.0', revoked: true },
]
export const linkPath =
  '/vendors/2830/products/9395/firmware-versions/2.10.0/build-types/Release/downloadLink'
export const link = {
  downloadUrl: 'https://firmware.example.com/Jabra_EVOLVE2%2065.zip?sig=1',
  buildType: 'Release',
}

export function rig(counts: readonly (readonly [number, number])[] = []) {
  const metadata = metadataRig()
  metadata.service
    .set('/product-group-bundles/bundles', catalogue)
    .set('/vendors/2830/products/9395/firmware-releases', releases)
    .set(linkPath, link)
  const start = () =>
    openFirmware({
      clock: metadata.clock,
      metadata: metadata.start(),
      deviceCounts: async () => new Map(counts),
      vendorId: 2830,
      assumedBuildTypes: ['Release', 'Test', 'Debug'],
    })
  return { ...metadata, firmware: start(), restart: start }
}
export const all = { text: '', owned: false, start: 0, count: 50 }
