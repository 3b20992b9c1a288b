import { advancedMembers, assumedLists } from '../../electron/contract/organization.ts'
import type { AssumedList, OrganizationDraft } from '../../electron/contract/api/organizations.ts'
import { templateNames, type TemplateName } from '../../electron/contract/template.ts'

/** The problem of a field, as a message key below `organizations.problems`. The core checks again and decides. */
export type Problem =
  | 'nameMissing'
  | 'nameLong'
  | 'addressMissing'
  | 'addressUnreadable'
  | 'addressHttp'
  | 'addressExtra'
  | 'addressLogin'
  | 'versionNumber'
  | 'limitUnreadable'
  | 'advancedUnreadable'
  | 'keyMissing'
  | 'keySpaces'
  | 'keyCharacters'

/** The fields that every profile needs, and that a preset may fill in. */
export const basicFields = ['name', 'managementUrl', 'metadataUrl'] as const
export type Basic = (typeof basicFields)[number]
export type DraftField = keyof OrganizationDraft | TemplateName | AssumedList | 'advanced' | 'key'
/** Fields whose messages are at the advanced text. */
export const advancedFields: readonly DraftField[] = [...advancedMembers, ...templateNames, ...assumedLists]
export type Problems = { readonly [F in DraftField]?: Problem }

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

function addressProblem(address: string): Problem | null {
  const text = address.trim()
  if (text === '') return 'addressMissing'
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'addressUnreadable'
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'addressUnreadable'
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) return 'addressHttp'
  if (url.username !== '' || url.password !== '') return 'addressLogin'
  if (url.search !== '' || url.hash !== '') return 'addressExtra'
  return null
}

const wholeNumber = (value: number): boolean => Number.isInteger(value) && value > 0

/**
 * Checks the typed values before anything is sent. The demonstration has no addresses to check. `unread`: the
 * advanced text, while it cannot be read.
 */
export function draftProblems(draft: OrganizationDraft, unread: string | null): Problems {
  const found: { [F in DraftField]?: Problem } = {}
  const name = draft.name.trim()
  if (name === '') found.name = 'nameMissing'
  else if (name.length > 80) found.name = 'nameLong'
  if (draft.preset !== 'demonstration') {
    const management = addressProblem(draft.managementUrl)
    if (management) found.managementUrl = management
    const metadata = addressProblem(draft.metadataUrl)
    if (metadata) found.metadataUrl = metadata
  }
  if (!wholeNumber(draft.managementVersion)) found.managementVersion = 'versionNumber'
  if (!wholeNumber(draft.metadataVersion)) found.metadataVersion = 'versionNumber'
  if (draft.definitionLimit !== null && !/^\d+(\.\d+){1,3}$/.test(draft.definitionLimit))
    found.definitionLimit = 'limitUnreadable'
  if (unread !== null) found.advanced = 'advancedUnreadable'
  return found
}

/** A pasted subscription key: white space around it is removed, inside it is an error. Never put into a message. */
export function keyProblem(key: string): Problem | null {
  const text = key.trim()
  if (text === '') return 'keyMissing'
  if (/\s/.test(text)) return 'keySpaces'
  return /^[\x21-\x7e]+$/.test(text) ? null : 'keyCharacters'
}

/** The field of a Failure `invalid` from the core: `draft.managementUrl` and `managementUrl` are the same field here. */
export const fieldOf = (named: string): string => named.split('.').pop() ?? named
