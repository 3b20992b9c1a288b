import { feature, type Client } from '../feature.ts'
import type { Firmware } from '../firmware/firmware.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { SessionBase } from '../session.ts'
import type { CachedSettings } from '../settings/settings.ts'
import type { SharedDeps } from '../core-features.ts'
import { definitionHandlers, openDefinitions, type Definitions } from './definitions.ts'

/** Maximum of suggested variants and firmware versions of a product (contract/definition.ts). */
const fleetFirmwareAtMost = 50
/**
 * Maximum of variants and firmware versions whose documents give names and groups of settings. Raise it if
 * names are missing.
 */
const namedFirmware = 200

export const definitionsFeature = feature({
  open(
    needs: SessionBase & {
      readonly metadata: Metadata
      readonly cachedSettings: CachedSettings
      readonly firmware: Firmware
    },
  ) {
    const { organization, metadata, cachedSettings, firmware } = needs
    const { platform, workbook, devices } = needs.shared
    // Devices report no vendor (services.md#A40): the organization's is used.
    const { id, vendorId: ownVendor } = organization
    const definitions = openDefinitions({
      metadata,
      cachedValues: async ({ vendorId, productId, variantType }, names) =>
        vendorId === ownVendor ? await cachedSettings.ofProduct({ productId, variantType }, names) : [],
      installed: platform.definitionsPackage,
      versionLimit: organization.definitionLimit,
      workbook,
      clock: platform.clock,
      fleetFirmware: async ({ vendorId, productId }) =>
        vendorId === ownVendor ? await devices.commonFirmware(id, fleetFirmwareAtMost, productId) : [],
      fleet: async () =>
        (await devices.commonFirmware(id, namedFirmware)).map(({ count: _, ...one }) => ({
          vendorId: ownVendor,
          ...one,
        })),
      releases: (product) => firmware.releases(product),
    })
    return { gives: { definitions }, onRowsChanged: null, close: null }
  },
  handlers: ({ session }: Client<SharedDeps, { readonly definitions: Definitions }>) => ({
    definitions: definitionHandlers(session),
  }),
})
