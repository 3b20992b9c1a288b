import type { Product } from '../contract/api/firmware.ts'
import { Failed } from '../contract/failure.ts'
import { text, type Terminal } from './command.ts'
import type { CoreClient } from './core-client.ts'
import type { ParsedCommand } from './grammar.ts'

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

/** The variant of `--variant`; null: not given. Throws Failed `not-found` for one that the product does not have. */
export function variantTyped({ name, variants }: Product, given: ParsedCommand): string | null {
  const typed = text(given, 'variant')
  if (
    typed !== null &&
    !variants.some(({ variantType }) => variantType.toLowerCase() === typed.toLowerCase())
  )
    throw Failed.notFound(`the variant ${typed} of ${name}`)
  return typed
}
