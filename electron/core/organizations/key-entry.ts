import type { OrganizationDraft } from '../../contract/api/organizations.ts'

/** A subscription key and the origin (scheme, host, port) it may be sent to; null: it was stored before keys were bound to one. */
export interface BoundKey {
  readonly key: string
  readonly boundTo: string | null
}

/**
 * An entry of the keychain: the key, a space, the origin. It stands there and not in the workbook, so that who can change that file
 * cannot lead the key to another host. Keys have no white space: an entry without any is from before the rule.
 */
const form = /^([\x21-\x7e]{1,500})(?: (\S+))?$/

export const entryOf = (key: string, boundTo: string): string => `${key} ${boundTo}`

/** null: this is in no form that was ever written. */
export function readEntry(entry: string): BoundKey | null {
  const [, key, boundTo] = form.exec(entry) ?? []
  if (key === undefined) return null
  if (boundTo === undefined) return { key, boundTo: null }
  return isOrigin(boundTo) ? { key, boundTo } : null
}

/** What a key of the organization is bound to; null: nothing it could be (contract/organization.ts). */
export const originOf = ({
  preset,
  managementUrl,
}: Pick<OrganizationDraft, 'preset' | 'managementUrl'>): string | null =>
  preset !== 'demonstration' && URL.canParse(managementUrl) ? new URL(managementUrl).origin : null

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
