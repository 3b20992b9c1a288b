import type { PropertyDefinition } from '../../electron/contract/api/definitions.ts'
import { formatCount } from '../components/format.ts'
import { countedText, text } from '../locales/i18n.ts'

/** If there are more allowed values, they are counted here, and listed in the tooltip and the raw record. */
const LISTED = 6

/** The allowed values of a property as text; null: the document sets no limit. */
export function limitsOf(
  property: Pick<PropertyDefinition, 'allowed' | 'minimum' | 'maximum' | 'minLength' | 'maxLength'>,
): string | null {
  const words = (key: string, named: Record<string, unknown>): string =>
    text(`definitions.properties.${key}`, named)
  if (property.allowed.length > LISTED) {
    const rest = property.allowed.length - LISTED
    return `${property.allowed.slice(0, LISTED).join(', ')} ${words('more', { n: formatCount(rest) })}`
  }
  if (property.allowed.length > 0) return property.allowed.join(', ')
  const characters = (key: string, most: number, named: Record<string, unknown>): string =>
    countedText(`definitions.properties.${key}`, most, named)
  const { minimum, maximum, minLength, maxLength } = property
  if (minimum !== null && maximum !== null) return words('range', { minimum, maximum })
  if (minimum !== null) return words('from', { minimum })
  if (maximum !== null) return words('upTo', { maximum })
  if (minLength !== null && maxLength !== null)
    return characters('length', maxLength, { minimum: minLength, maximum: maxLength })
  if (maxLength !== null) return characters('maxLength', maxLength, { maximum: maxLength })
  if (minLength !== null) return characters('minLength', minLength, { minimum: minLength })
  return null
}

/** Longer lists are cut in a cell. */
const SHOWN_IN_CELL = 40
/** The limits in a cell, where a list that would be cut is counted; the tooltip has it in full. */
export function limitsInCell(property: Parameters<typeof limitsOf>[0]): string | null {
  const n = property.allowed.length
  return property.allowed.join(', ').length > SHOWN_IN_CELL
    ? countedText('definitions.properties.values', n, { n: formatCount(n) })
    : limitsOf(property)
}
/** The values of a type without limits. */
export const anyOf = (type: string): string =>
  text(`definitions.properties.${type.toLowerCase() === 'boolean' ? 'onOrOff' : 'any'}`)

/** A missing value never means "does not restart". */
export const restartWord = (restarts: boolean | null): string =>
  text(`definitions.properties.${restarts === null ? 'notSaid' : restarts ? 'yes' : 'no'}`)
