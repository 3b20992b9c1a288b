import { assumedValues } from '../../contract/organization.ts'
import type { OrganizationDraft, Preset } from '../../contract/api/organizations.ts'
import { observedTemplates } from '../../contract/template.ts'

/** Common values of the presets. */
const common = {
  managementVersion: 2, // services.md#B31
  metadataVersion: 18, // services.md#A36
  vendorId: 2830, // 0x0B0E (services.md#A40)
  definitionLimit: null,
  templates: observedTemplates,
  rebootBy: 'group-id', // services.md#B35
  assumed: assumedValues,
  includeStages: [],
} satisfies Partial<OrganizationDraft>

/** The presets of a new organization. Every member can be changed in the profile. */
export const presets: readonly Preset[] = [
  {
    name: 'demonstration',
    portalUrl: '',
    // The addresses are those of the embedded service: new at each start, never stored.
    draft: {
      ...common,
      name: 'Demonstration',
      preset: 'demonstration',
      managementUrl: '',
      metadataUrl: '',
      family: 'Jabra SDK V4',
      // The last three are not published: the paths are the demonstration's own.
      templates: {
        ...observedTemplates,
        devicesWithSettings: 'POST /devices/api/devices/settings',
        firmwareRead: 'GET /devices/api/devices/{deviceId}/firmware',
        firmwareUpdate: 'POST /devices/api/devices/{deviceId}/firmware/{firmwareVersion}',
      },
    },
  },
  {
    name: 'jabra-plus',
    // Observed: the vendor's page about these interfaces, which links to the API portal. The portal's own
    // address is not published.
    portalUrl: 'https://developer.jabra.com/sdks-and-tools/jabraplusapis',
    // Addresses and family as public clients use them (services.md#A47, services.md#A35).
    draft: {
      ...common,
      name: 'Jabra Plus',
      preset: 'jabra-plus',
      managementUrl: 'https://api.cloud.jabra.com',
      metadataUrl: 'https://cdn.cloud.jabra.com',
      family: 'Jabra SDK V4',
    },
  },
  {
    name: 'custom',
    portalUrl: '',
    draft: {
      ...common,
      name: '',
      preset: 'custom',
      managementUrl: '',
      metadataUrl: '',
      family: 'Brand SDK V4',
    }, // family: services.md#A35
  },
]
