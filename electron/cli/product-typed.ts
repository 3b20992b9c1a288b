import type { Product } from '../contract/api/firmware.ts'
import { Failed } from '../contract/failure.ts'
import { variantKey } from '../contract/firmware.ts'
import { text, type Terminal } from './command.ts'
import type { CoreClient } from './core-client.ts'
import { UsageError, type ParsedCommand } from './grammar.ts'

/**
 * PRODUCT as people type it: ids in any notation, a name, a variant, an entity id, the name of a bundle. Rejects with Failed `invalid` naming
 * the candidates, or `not-found`.
 */
export async function productTyped(core: CoreClient, typed: string, terminal: Terminal): Promise<Product> {
  const product = await core.handlers.firmware.find({ text: typed })
  const digits = typed.trim()
  if (/^\d+$/.test(digits) && product.productId === Number.parseInt(digits, 16))
    if (product.productId !== Number(digits))
      terminal.say(`No product has the id ${digits}: 0x${digits} (hexadecimal) was used.`)
  return product
}

/**
 * The variant of `--variant`, as it is published; null: not given. Throws Failed `not-found` for one that the
 * product does not have. Of a product that is not listed the variants are not known.
 */
export function variantTyped({ name, variants }: Product, given: ParsedCommand): string | null {
  const typed = text(given, 'variant')
  if (typed === null || variants.length === 0) return typed
  const key = variantKey(typed)
  const found = variants.find(({ variantType }) => variantKey(variantType) === key)
  if (found === undefined) throw Failed.notFound(`the variant ${typed} of ${name}`)
  return found.variantType
}

/** The same beside VERSION: a variant has an approved version of its own, and no other. Throws UsageError too. */
export function approvedVariantTyped(product: Product, version: string, given: ParsedCommand): string | null {
  const variant = variantTyped(product, given)
  if (variant !== null && version !== 'approved')
    throw new UsageError(`${given.shape.name}: --variant goes with the version approved only.`)
  return variant
}
