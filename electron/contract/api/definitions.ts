import { product, refresh, version } from '../argument-parts.ts'
import type { DefinitionDefaults, DefinitionInUse, ProductDefinitions } from '../definition.ts'
import { method } from '../method.ts'

export const definitions = {
  inUse: method(refresh).returns<DefinitionInUse>(),
  /** `variantType`: the variant that was chosen already; null: none. */
  defaults: method(product.extend({ variantType: version.nullable() })).returns<DefinitionDefaults>(),
  read: method(
    product.extend({ variantType: version, firmwareVersion: version }),
  ).returns<ProductDefinitions>(),
}
