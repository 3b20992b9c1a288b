import { Failed } from '../../contract/failure.ts'
import { prereleaseStages } from '../../contract/firmware.ts'
import { isLoopback } from '../../contract/loopback.ts'
import { assumedAtMost } from '../../contract/organization.ts'
import type { AssumedList, AssumedValues, OrganizationDraft } from '../../contract/api/organizations.ts'
import {
  parseTemplate,
  templateProblem,
  templateText,
  type EndpointTemplates,
  type TemplateName,
} from '../../contract/template.ts'

const invalid = (
  field: keyof OrganizationDraft | `templates.${TemplateName}` | `assumed.${AssumedList}`,
  message: string,
): Failed => Failed.invalid(field, message)

/** Two names are equal if a reader could not distinguish them in a list. */
export const foldedName = (name: string): string =>
  name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/**
 * A draft in the form to be stored: trimmed, addresses normalized. Throws Failed `invalid` naming the field.
 * The bounds have no outside source: raise one if it refuses a real value.
 */
export function checkedDraft(draft: OrganizationDraft): OrganizationDraft {
  const demonstration = draft.preset === 'demonstration'
  return {
    name: checkedName(draft.name),
    preset: draft.preset,
    managementUrl: demonstration ? '' : checkedAddress('managementUrl', draft.managementUrl),
    metadataUrl: demonstration ? '' : checkedAddress('metadataUrl', draft.metadataUrl),
    managementVersion: checkedVersion('managementVersion', draft.managementVersion),
    metadataVersion: checkedVersion('metadataVersion', draft.metadataVersion),
    family: checkedFamily(draft.family),
    vendorId: checkedVendor(draft.vendorId),
    definitionLimit: checkedLimit(draft.definitionLimit),
    templates: checkedTemplates(draft.templates),
    rebootBy: draft.rebootBy,
    assumed: checkedValues(draft.assumed),
    includeStages: prereleaseStages.filter((stage) => draft.includeStages.includes(stage)),
  }
}

function checkedName(typed: string): string {
  const name = typed.normalize('NFC').trim()
  if (name === '') throw invalid('name', 'Enter a name for the organization.')
  if ([...name].length > 80) throw invalid('name', 'The name is longer than 80 characters.')
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    throw invalid('name', 'The name contains a line break or another control character.')
  return name
}

function checkedVersion(field: 'managementVersion' | 'metadataVersion', version: number): number {
  if (!Number.isInteger(version) || version < 1 || version > 999)
    throw invalid(field, 'The version must be a whole number from 1 to 999.')
  return version
}

function checkedFamily(typed: string): string {
  const family = typed.trim()
  if (family === '' || family.length > 100)
    throw invalid('family', 'The device-model family must have 1 to 100 characters, such as "Brand SDK V4".')
  if (/\p{Cc}/u.test(family)) throw invalid('family', 'The device-model family contains a control character.')
  if (/%[0-9a-f]{2}/i.test(family))
    throw invalid(
      'family',
      'Write the device-model family with plain spaces; it is percent-encoded when it is sent.',
    )
  return family
}

function checkedVendor(vendorId: number): number {
  if (!Number.isInteger(vendorId) || vendorId < 0 || vendorId > 2_147_483_647)
    throw invalid('vendorId', 'The vendor ID must be a whole number, such as 2830.')
  return vendorId
}

function checkedLimit(typed: string | null): string | null {
  const limit = typed?.trim() ?? ''
  if (limit === '') return null
  if (!/^\d{1,9}(\.\d{1,9}){0,3}$/.test(limit))
    throw invalid(
      'definitionLimit',
      'The highest supported definition version must be a version of up to four numbers, such as 14.5.0.',
    )
  return limit
}

function checkedTemplates(typed: EndpointTemplates): EndpointTemplates {
  const checked = (name: TemplateName): string | null => {
    const text = typed[name]?.trim() ?? ''
    if (text === '') return null
    const problem = templateProblem(name, text, typed)
    if (problem !== null) throw invalid(`templates.${name}`, problem)
    const parsed = parseTemplate(text)
    return parsed && templateText(parsed)
  }
  return {
    deviceSettings: checked('deviceSettings'),
    updateDeviceSettings: checked('updateDeviceSettings'),
    devicesWithSettings: checked('devicesWithSettings'),
    firmwareRead: checked('firmwareRead'),
    firmwareUpdate: checked('firmwareUpdate'),
  }
}

/** Repeats and blanks are removed; case is kept, because the service may be case-sensitive. */
function checkedValues(typed: AssumedValues): AssumedValues {
  const checked = (list: AssumedList): readonly string[] => {
    const field = `assumed.${list}` as const
    const words = [...new Set(typed[list].map((word) => word.trim()))].filter((word) => word !== '')
    if (words.length > assumedAtMost.words)
      throw invalid(field, `The list has more than ${assumedAtMost.words} values.`)
    if (words.some((word) => word.length > assumedAtMost.characters))
      throw invalid(field, `A value is longer than ${assumedAtMost.characters} characters.`)
    if (words.some((word) => /[\p{Cc}\p{Zl}\p{Zp},]/u.test(word)))
      throw invalid(field, 'A value contains a comma, a line break or another control character.')
    return words
  }
  const buildTypes = checked('buildTypes')
  if (buildTypes.length === 0)
    throw invalid('assumed.buildTypes', 'Name at least one build type, such as Release.')
  return { buildTypes, platforms: checked('platforms'), agentTypes: checked('agentTypes') }
}

/** https, or http on this computer; a path remains, a trailing slash is removed. */
function checkedAddress(field: 'managementUrl' | 'metadataUrl', typed: string): string {
  const text = typed.trim()
  if (text === '') throw invalid(field, 'Enter an address that begins with https://.')
  if (text.length > 2_000) throw invalid(field, 'The address is longer than 2,000 characters.')
  // URL would remove or convert these without an error.
  if (/[\s\p{Cc}\\]/u.test(text))
    throw invalid(field, 'The address contains a space, a line break or a backslash.')
  if (!/^https?:\/\//i.test(text)) throw invalid(field, 'The address must begin with https://.')
  if (!URL.canParse(text)) throw invalid(field, 'This is not an address: check the host name and the port.')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text))
    throw invalid(field, 'The address must not contain a user name or a password.')
  if (text.includes('?'))
    throw invalid(field, 'The address must end before the question mark: a query cannot be part of it.')
  if (text.includes('#'))
    throw invalid(field, 'The address must end before the # sign: a fragment cannot be part of it.')
  // URL normalized every notation of an IP address.
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(
      field,
      'The address must begin with https://: over http the subscription key could be read on the way. http is allowed for this computer only.',
    )
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}
