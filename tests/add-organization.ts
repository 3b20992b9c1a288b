import type { Organization, OrganizationDraft } from '../electron/contract/api/organizations.ts'
import type { Handlers } from '../electron/contract/rpc-client.ts'
import { presets } from '../electron/core/organizations/presets.ts'

export const customDraft = presets.find(({ name }) => name === 'custom')!.draft

/** Adds the service as a custom organization, `Nordlys` unless it is named, with its primary `key` if there is one. */
export async function addOrganization(
  { organizations }: { readonly organizations: Pick<Handlers<'organizations'>, 'add' | 'setKey'> },
  { managementUrl, metadataUrl }: Pick<OrganizationDraft, 'managementUrl' | 'metadataUrl'>,
  { key, ...draft }: Partial<OrganizationDraft> & { readonly key?: string } = {},
): Promise<Organization> {
  const urls = { managementUrl, metadataUrl }
  const made = await organizations.add({ ...customDraft, name: 'Nordlys', ...urls, ...draft })
  if (key !== undefined) await organizations.setKey({ id: made.id, slot: 'primary', key })
  return made
}
