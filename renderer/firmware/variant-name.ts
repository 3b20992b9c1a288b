/** What the name of a variant adds to that of its product, without brackets; empty: nothing. */
export function addedByVariant(product: string, variant: string | null): string {
  const added = variant?.startsWith(product) === true ? variant.slice(product.length) : (variant ?? '')
  return added.trim().replace(/^\((.*)\)$/u, '$1')
}
