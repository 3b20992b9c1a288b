import type { OrganizationDraft } from '../../contract/api/organizations.ts'
import { presets } from './presets.ts'
import { checkedDraft } from './profile-check.ts'

/** An organization of a policy. */
export type GivenOrganization = Pick<OrganizationDraft, 'name' | 'managementUrl' | 'metadataUrl'>

/** The rest comes from the preset with its address, else from the custom one. Throws Failed `invalid` naming the field. */
export function draftOfGiven(given: GivenOrganization): OrganizationDraft {
  const { managementUrl } = given
  const preset =
    presets.find(({ draft }) => managementUrl !== '' && draft.managementUrl === managementUrl) ??
    presets.find(({ name }) => name === 'custom')!
  return checkedDraft({ ...preset.draft, ...given })
}
