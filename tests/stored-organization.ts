import { insertOrganization } from '../electron/core/organizations/organizations-rows.ts'
import type { Transaction } from '../electron/core/platform.ts'
import { customDraft } from './add-organization.ts'

/** A custom organization whose name and budget scope are its id unless others are given. */
export const storeOrganization = (
  transaction: Transaction,
  id: string,
  { name = id, budgetScope = id }: { readonly name?: string; readonly budgetScope?: string } = {},
): void =>
  insertOrganization(
    transaction,
    {
      id,
      draft: { ...customDraft, name, managementUrl: 'https://a', metadataUrl: 'https://b' },
      slotInUse: 'primary',
      budgetScope,
      createdAt: 0,
    },
    name.toLowerCase(),
  )
