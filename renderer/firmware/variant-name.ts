/**
 * The part of a variant's name that the product's name does not contain, without brackets; empty: there is
 * none.
 */
export function addedByVariant(product: string, variant: string | null): string {
  const added = variant?.startsWith(product) === true ? variant.slice(product.length) : (variant ?? '')
  return added.trim().replace(/^\((.*)\)$/u, '$1')
}
