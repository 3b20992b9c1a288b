import { assumedAtMost, assumedLists } from '../../electron/contract/organization.ts'
import type {
  AssumedList,
  AssumedValues,
  OrganizationDraft,
} from '../../electron/contract/api/organizations.ts'
import type { EndpointTemplates } from '../../electron/contract/template.ts'

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
  | 'vendorNumber'
  | 'familyMissing'
  | 'limitUnreadable'
  | 'buildTypeMissing'
  | 'wordsMany'
  | 'wordLong'
  | 'keyMissing'
  | 'keySpaces'
  | 'keyCharacters'

/** The fields that every profile needs, and that a preset may fill in. */
export const basicFields = ['name', 'managementUrl', 'metadataUrl'] as const
export type Basic = (typeof basicFields)[number]
export type DraftField = keyof OrganizationDraft | AssumedList | 'key'
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

/** The values in a text with commas, each once. */
export const wordsIn = (text: string): readonly string[] =>
  [...new Set(text.split(',').map((word) => word.trim()))].filter((word) => word !== '')

function wordsProblem(list: AssumedList, words: readonly string[]): Problem | null {
  if (list === 'buildTypes' && words.length === 0) return 'buildTypeMissing'
  if (words.length > assumedAtMost.words) return 'wordsMany'
  return words.some((word) => word.length > assumedAtMost.characters) ? 'wordLong' : null
}

const wholeNumber = (value: number): boolean => Number.isInteger(value) && value > 0

/** Checks the typed values before anything is sent. The demonstration has no addresses to check. */
export function draftProblems(draft: OrganizationDraft): Problems {
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
  if (!wholeNumber(draft.vendorId) || draft.vendorId > 0xffff) found.vendorId = 'vendorNumber'
  if (draft.family.trim() === '') found.family = 'familyMissing'
  if (draft.definitionCeiling !== null && !/^\d+(\.\d+){1,3}$/.test(draft.definitionCeiling))
    found.definitionCeiling = 'limitUnreadable'
  for (const list of assumedLists) {
    const problem = wordsProblem(list, draft.assumed[list])
    if (problem) found[list] = problem
  }
  return found
}

/** A pasted subscription key: white space around it is removed, inside it is an error. Never put into a message. */
export function keyProblem(key: string): Problem | null {
  const text = key.trim()
  if (text === '') return 'keyMissing'
  if (/\s/.test(text)) return 'keySpaces'
  return /^[\x21-\x7e]+$/.test(text) ? null : 'keyCharacters'
}

const tidyTemplates = (typed: EndpointTemplates): EndpointTemplates => {
  const tidy = (text: string | null): string | null => text?.trim() || null
  return {
    deviceSettings: tidy(typed.deviceSettings),
    updateDeviceSettings: tidy(typed.updateDeviceSettings),
    devicesWithSettings: tidy(typed.devicesWithSettings),
    firmwareRead: tidy(typed.firmwareRead),
    firmwareUpdate: tidy(typed.firmwareUpdate),
  }
}

/** Plain lists: reactive proxies cannot be sent to the core. */
const tidyValues = (typed: AssumedValues): AssumedValues => ({
  buildTypes: [...typed.buildTypes],
  platforms: [...typed.platforms],
  agentTypes: [...typed.agentTypes],
})

/** The draft as sent: trimmed, addresses without trailing slashes. */
export function tidyDraft(draft: OrganizationDraft): OrganizationDraft {
  const address = (text: string): string => text.trim().replace(/\/+$/, '')
  return {
    ...draft,
    name: draft.name.trim(),
    managementUrl: address(draft.managementUrl),
    metadataUrl: address(draft.metadataUrl),
    family: draft.family.trim(),
    templates: tidyTemplates(draft.templates),
    assumed: tidyValues(draft.assumed),
    includeStages: [...draft.includeStages],
  }
}

/** The field of a Failure `invalid` from the core: `draft.managementUrl` and `managementUrl` are the same field here. */
export const fieldOf = (named: string): string => named.split('.').pop() ?? named
