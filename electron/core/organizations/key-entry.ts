import type { OrganizationDraft } from '../../contract/api/organizations.ts'

/** A subscription key and the origin (scheme, host, port) it may be sent to. */
export interface BoundKey {
  readonly key: string
  readonly boundTo: string
}

/**
 * An entry of the keychain: the key, a space, the origin. The origin is stored there and not in the workbook,
 * so that changing that file cannot redirect the key to another host.
 */
const form = /^([\x21-\x7e]{1,500}) (\S+)$/

export const entryOf = (key: string, boundTo: string): string => `${key} ${boundTo}`

/** null: not the form of an entry. */
export function parseEntry(entry: string): BoundKey | null {
  const [, key, boundTo] = form.exec(entry) ?? []
  return key !== undefined && boundTo !== undefined && isOrigin(boundTo) ? { key, boundTo } : null
}

/**
 * The origin that a key of the organization is bound to; null: none is possible (contract/organization.ts).
 */
export const originOf = ({
  preset,
  managementUrl,
}: Pick<OrganizationDraft, 'preset' | 'managementUrl'>): string | null =>
  preset !== 'demonstration' && URL.canParse(managementUrl) ? new URL(managementUrl).origin : null

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
