import { insertOrganization } from '../electron/core/organizations/organizations-rows.ts'
import { presets } from '../electron/core/organizations/presets.ts'
import type { Transaction } from '../electron/core/platform.ts'

const { draft } = presets.find(({ name }) => name === 'custom')!

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
      draft: { ...draft, name, managementUrl: 'https://a', metadataUrl: 'https://b' },
      slotInUse: 'primary',
      budgetScope,
      createdAt: 0,
    },
    name.toLowerCase(),
  )
