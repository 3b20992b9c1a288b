import type { Product } from '../../electron/contract/api/firmware.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import { spacedName } from '../../electron/contract/setting-name.ts'
import { text } from '../locales/i18n.ts'

/**
 * The part of a variant's name that the product's name does not contain, without brackets; empty: there is
 * none.
 */
export function addedByVariant(product: string, variant: string | null): string {
  const added = variant?.startsWith(product) === true ? variant.slice(product.length) : (variant ?? '')
  return added.trim().replace(/^\((.*)\)$/u, '$1')
}

/**
 * The text that distinguishes products of the same name: the additional parts of their variant names, else
 * their codes.
 */
export const variantsText = ({ name, variants }: Product): string =>
  [...new Set(variants.map((one) => addedByVariant(name, one.name) || one.variantType))]
    .filter(Boolean)
    .join(', ')

/** The type that the service states, in plain words. It states none for adapters and stands: theirs comes from the name. null: unknown. */
export function typeOf({ name, deviceType }: Product): string | null {
  if (deviceType) return spacedName(deviceType)
  const form = formFactorOf(name)
  return form === 'dongle' || form === 'base' ? text(`firmware.search.types.${form}`) : null
}
