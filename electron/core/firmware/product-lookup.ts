import { Failed } from '../../contract/failure.ts'
import { isProductId } from '../../contract/firmware.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import { withMeant } from '../../contract/near-words.ts'
import type { Catalogue, Metadata, CachedDocument } from '../metadata/metadata.ts'
import { ifAny, isNamed, fetchBundles } from './bundles.ts'
import { productKey, listProducts, productName, unlisted, type ListedProduct } from './product-list.ts'
import { idsTyped, plain, search, withTypedId, type TypedIds } from './product-search.ts'

/**
 * Maximum of variants for looking up a product missing from the catalogue. Raise it if such products have
 * more.
 */
const lookedUpAtMost = 3
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Finds the product of an id or a text. */
export interface ProductLookup {
  listed(catalogue: CachedDocument<Catalogue>): readonly ListedProduct[]
  /** From the catalogue, or from its separate lookup; null: found in neither. */
  published(id: ProductId, catalogue: CachedDocument<Catalogue> | null): ListedProduct | null
  /** By its ids, with a separate lookup if the catalogue lacks it. */
  byId(id: ProductId): Promise<ListedProduct>
  /** By its ids, with a name if the catalogue is available and has them. */
  product(id: ProductId, catalogue: CachedDocument<Catalogue> | null): ListedProduct
  /** `2830/9395`, `9395`, `0x24B3` … or a name. Rejects with Failed `invalid` naming the candidates, or `not-found`. */
  find(text: string, counts: ReadonlyMap<number, number>): Promise<ListedProduct>
  /**
   * Texts that a search of the catalogue's names and ids does not find: an entity id, the name of a bundle,
   * or an id missing from the catalogue, as of a product that only a firmware bundle names.
   */
  beside(
    text: string,
    catalogue: CachedDocument<Catalogue>,
    counts: ReadonlyMap<number, number>,
  ): Promise<readonly ListedProduct[]>
}

type Products = Promise<readonly ListedProduct[]> | readonly ListedProduct[]

export function openProductLookup(deps: {
  readonly metadata: Metadata
  readonly vendorId: number
  readonly fleetVariants: (productId: number) => Promise<readonly string[]>
}): ProductLookup {
  const { metadata, vendorId, fleetVariants } = deps
  const listedOf = new WeakMap<Catalogue, readonly ListedProduct[]>()
  /** Results of the separate lookup of products missing from the catalogue. */
  const learnt = new Map<string, ListedProduct>()

  function listed(catalogue: CachedDocument<Catalogue>): readonly ListedProduct[] {
    const known = listedOf.get(catalogue.value) ?? listProducts(catalogue.value)
    listedOf.set(catalogue.value, known)
    return known
  }

  const published: ProductLookup['published'] = (id, catalogue) =>
    (catalogue === null ? undefined : listed(catalogue).find((one) => productKey(one) === productKey(id))) ??
    learnt.get(productKey(id)) ??
    null

  const product: ProductLookup['product'] = (id, catalogue) => published(id, catalogue) ?? unlisted(id)

  async function byId(id: ProductId): Promise<ListedProduct> {
    const catalogue = await ifAny(metadata.catalogue())
    return published(id, catalogue) ?? (await lookedUp(id)) ?? unlisted(id)
  }

  async function find(text: string, counts: ReadonlyMap<number, number>): Promise<ListedProduct> {
    const typed = idsTyped(text)
    if (typed !== null && typed.vendorId !== null)
      return byId({ vendorId: typed.vendorId, productId: typed.productIds[0] ?? 0 })
    const catalogue = await metadata.catalogue()
    const known = listed(catalogue)
    const withId = withTypedId(known, text)
    const name = plain(text)
    const entityId = text.trim().toLowerCase()
    const candidates = await firstFound([
      () => known.filter((one) => one.entityIds.includes(entityId)),
      () => withId.filter((one) => one.productId === withId[0]?.productId),
      () => known.filter((candidate) => candidate.names.some((one) => plain(one) === name)),
      () => known.filter((candidate) => candidate.variants.some((one) => isVariant(one.variantType, text))),
      () => beside(text, catalogue, counts),
      () => search(known, text),
    ])
    const [only, ...more] = candidates
    if (only === undefined)
      throw Failed.notFound(
        withMeant(
          `a product called ${text.trim()}`,
          text,
          known.flatMap(({ names }) => names),
        ),
      )
    if (more.length === 0) return only
    throw Failed.invalid('product', `${text.trim()} may be ${candidateNames(candidates)}`)
  }

  function beside(
    text: string,
    catalogue: CachedDocument<Catalogue>,
    counts: ReadonlyMap<number, number>,
  ): Promise<readonly ListedProduct[]> {
    const known = listed(catalogue)
    const typed = idsTyped(text)
    const entityId = text.trim().toLowerCase()
    return firstFound([
      () => known.filter((one) => one.entityIds.includes(entityId)),
      () => inBundleCalled(text, catalogue.value, known),
      () => (typed === null ? [] : notInCatalogue(typed, counts)),
      () => (guid.test(entityId) ? byEntityId(entityId) : []),
    ])
  }

  /** The products of a bundle of this name: of the catalogue's, else of a firmware bundle. */
  async function inBundleCalled(
    text: string,
    catalogue: Catalogue,
    known: readonly ListedProduct[],
  ): Promise<readonly ListedProduct[]> {
    const members = catalogue.bundles.filter((one) => plain(one.name) === plain(text))
    const bundles = members.length > 0 ? null : await ifAny(fetchBundles(metadata))
    const ids = [
      ...members.flatMap((one) => one.products),
      ...(bundles?.value ?? [])
        .filter((one) => isNamed(one, text))
        .flatMap((one) => one.members)
        .map((one) => ({ vendorId: one.vendorId ?? vendorId, productId: one.productId })),
    ]
    const keys = new Set(ids.map(productKey))
    const named = known.filter((one) => keys.has(productKey(one)))
    const listedKeys = new Set(named.map(productKey))
    const others = new Map(
      ids.filter((id) => !listedKeys.has(productKey(id))).map((id) => [productKey(id), id]),
    )
    return [...named, ...[...others.values()].map(unlisted)]
  }

  /**
   * Ids missing from the catalogue, in order of preference: published separately, of devices of the fleet, or
   * named by a firmware bundle.
   */
  async function notInCatalogue(
    typed: TypedIds,
    counts: ReadonlyMap<number, number>,
  ): Promise<readonly ListedProduct[]> {
    const bundles = await ifAny(fetchBundles(metadata))
    for (const productId of typed.productIds) {
      const id = { vendorId, productId }
      if ((typed.vendorId ?? vendorId) === vendorId) {
        const found = await lookedUp(id)
        if (found !== null) return [found]
        if ((counts.get(productId) ?? 0) > 0) return [unlisted(id)]
      }
      const members = (bundles?.value ?? [])
        .flatMap((one) => one.members)
        .map((one) => ({ vendorId: one.vendorId ?? vendorId, productId: one.productId }))
        .filter((one) => one.productId === productId && one.vendorId === (typed.vendorId ?? one.vendorId))
      if (members.length > 0)
        return [...new Map(members.map((one) => [productKey(one), one])).values()].map(unlisted)
    }
    return []
  }

  /**
   * A product missing from the catalogue, by the variants that its devices report. null: not published
   * either.
   */
  async function lookedUp(id: ProductId): Promise<ListedProduct | null> {
    const variants =
      id.vendorId === vendorId && isProductId(id.productId) ? await fleetVariants(id.productId) : []
    for (const variantType of variants.slice(0, lookedUpAtMost)) {
      const document = await ifAny(metadata.catalogueProduct({ ...id, variantType }))
      const found =
        document === null
          ? undefined
          : listProducts(document.value).find((one) => productKey(one) === productKey(id))
      if (found === undefined) continue
      learnt.set(productKey(found), found)
      return found
    }
    return null
  }

  /** Looks up the id of a variant, else of a product, that the catalogue lacks. */
  async function byEntityId(entityId: string): Promise<readonly ListedProduct[]> {
    const found =
      (await ifAny(metadata.catalogueProduct({ variantEntityId: entityId }))) ??
      (await ifAny(metadata.catalogueProduct({ entityId })))
    const products = found === null ? [] : listProducts(found.value)
    for (const one of products) learnt.set(productKey(one), one)
    const named = products.filter((one) => one.entityIds.includes(entityId))
    return named.length > 0 ? named : products
  }

  return { listed, published, byId, product, find, beside }
}

/** The first interpretation with a result is used. */
async function firstFound(readings: readonly (() => Products)[]): Promise<readonly ListedProduct[]> {
  for (const reading of readings) {
    const found = await reading()
    if (found.length > 0) return found
  }
  return []
}

/** Variants are compared ignoring case (services.md#A24); partner products have none. */
const isVariant = (variantType: string, text: string): boolean =>
  variantType !== '' && variantType.toLowerCase() === text.trim().toLowerCase()

function candidateNames(products: readonly ListedProduct[]): string {
  const named = products.slice(0, 8).map((product) => `${productName(product)} (${productKey(product)})`)
  return products.length > named.length
    ? `${named.join(', ')} or ${products.length - named.length} more`
    : `${named.slice(0, -1).join(', ')} or ${named.at(-1) ?? ''}`
}
