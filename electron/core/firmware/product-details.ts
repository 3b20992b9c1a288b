import { Failed, foundOrNull } from '../../contract/failure.ts'
import type {
  DetailDocument,
  FirmwareBundles,
  Product,
  ProductDetails,
  ProductDetailsQuery,
  ProductId,
} from '../../contract/api/firmware.ts'
import { foldedName, type Json, type JsonObject } from '../../contract/json.ts'
import {
  besideRecords,
  type Catalogue,
  type AddressedDocument,
  type Metadata,
  type TolerantRecord,
} from '../metadata/metadata.ts'
import { productKey } from './product-list.ts'

type Records = AddressedDocument<readonly TolerantRecord[]>

interface ProductSource {
  readonly product: (id: ProductId) => Promise<Product>
  readonly records: (id: ProductId) => Promise<readonly JsonObject[]>
  readonly names: () => Promise<(id: ProductId) => string | null>
  readonly bundles: (id: ProductId) => Promise<FirmwareBundles>
}

/**
 * The published documents about a product besides its releases. Each may fail on its own and is then named in
 * `failed`; unpublished content is null or empty. Rejects with Failed `invalid` for a number that is not a
 * product id.
 */
export async function productDetails(
  metadata: Pick<Metadata, 'catalogue' | 'records'>,
  firmware: ProductSource,
  { vendorId, productId, variantType, platformOs, agentType }: ProductDetailsQuery,
): Promise<ProductDetails> {
  const id = { vendorId, productId }
  const failed: { document: DetailDocument; failure: Failed['failure'] }[] = []
  /** null: not published or not requested; a document that cannot be read gives null too and is named. */
  async function part<T>(document: DetailDocument, reading: Promise<T> | null): Promise<T | null> {
    try {
      return await reading
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      failed.push({ document, failure: error.failure })
      return null
    }
  }
  const records = (
    document: DetailDocument,
    operation: Parameters<Metadata['records']>[0],
    parameters: Parameters<Metadata['records']>[1] | null,
  ): Promise<Records | null> =>
    part(document, parameters === null ? null : foundOrNull(metadata.records(operation, parameters)))
  const published = await part('catalogue', foundOrNull(metadata.catalogue()))
  const catalogue = published?.value ?? null
  const raw = catalogue === null ? [] : await firmware.records(id)
  const nameOf = await firmware.names()
  const product = await firmware.product(id)
  const variant = variantType ?? product.variants.find((one) => one.variantType !== '')?.variantType ?? null
  const ofVariant = variant === null ? null : { ...id, variantType: variant }
  const entityId = valuesOf(raw, 'entityId').find((value) => typeof value === 'string') ?? null
  const [variants, groups, information, hosts, withAgent, ignored, updaters, bundles] = await Promise.all([
    records('variants', 'GetProductVariants', entityId === null ? null : { entityId }),
    Promise.all(
      groupsOf(catalogue, productKey(id)).map(async (group) => ({
        ...group,
        document: await records('groups', 'GetProductGroupBundleByName', {
          productGroupBundleName: group.name,
        }),
      })),
    ),
    records('information', 'GetProductInformation', ofVariant),
    records('hosts', 'GetVariantIdentifiersForHostProducts', {}),
    records(
      'with-agent',
      'GetVariantIdentifiersForProductsWithAgent',
      agentType === null ? null : { agentType },
    ),
    records('ignored', 'GetIgnoredGnpProducts', {}),
    records(
      'updaters',
      'GetFirmwareUpdaterConfigurations',
      ofVariant === null || platformOs === null ? null : { ...ofVariant, platformOs },
    ),
    part('bundles', foundOrNull(firmware.bundles(id))),
  ])
  /** A record without a variant concerns all variants. */
  const ownIn = (list: Records): readonly TolerantRecord[] =>
    list.value.filter(
      (one) =>
        one.productId === productId &&
        (one.vendorId ?? vendorId) === vendorId &&
        (variant === null ||
          (one.variantType ?? variant).trim().toLowerCase() === variant.trim().toLowerCase()),
    )
  /** A list that contains something, but no product, was not understood: it does not say "no". */
  const isUnderstood = (list: Records): boolean =>
    list.value.length === 0 || list.value.some((one) => one.productId !== null)
  const isNamed = (list: Records | null): boolean | null =>
    list === null || !isUnderstood(list) ? null : ownIn(list).length > 0
  return {
    product,
    variantType: variant,
    downgradeAllowed: downgradeIn(raw),
    updateProtocols: [...new Set(raw.flatMap((one) => protocolsIn(one)))],
    isHost: isNamed(hosts),
    hasAgent: isNamed(withAgent),
    isIgnored: isNamed(ignored),
    groups: groups.map(({ name, products, document }) => ({
      name,
      products: products.map((one) => ({ ...one, name: nameOf(one) })),
      records: rawOf(document),
    })),
    bundles: bundles?.bundles ?? [],
    catalogue: raw,
    variants: variants === null ? null : rawOf(variants),
    lists: [hosts, withAgent, ignored].flatMap((list) =>
      list === null ? [] : (isUnderstood(list) ? ownIn(list) : list.value).map((one) => one.raw),
    ),
    information: information === null ? null : rawOf(information),
    updaters: updaters === null ? null : rawOf(updaters),
    beside: [
      ...groups.flatMap(({ rest }) => rest),
      ...(bundles?.beside ?? []),
      ...[published, variants, information, hosts, withAgent, ignored, updaters]
        .concat(groups.map(({ document }) => document))
        .flatMap((document) => document?.beside() ?? []),
    ],
    failed,
  }
}

const recordsOf = (catalogue: Catalogue | null, id: ProductId): readonly JsonObject[] =>
  (catalogue?.products ?? [])
    .filter((one) => one.variants.some((each) => productKey(each) === productKey(id)))
    .map((one) => one.raw)

/** Whether the catalogue says that a downgrade is allowed; null: not stated. */
export const downgradeAllowed = (catalogue: Catalogue | null, id: ProductId): boolean | null =>
  downgradeIn(recordsOf(catalogue, id))

const downgradeIn = (records: readonly JsonObject[]): boolean | null =>
  valuesOf(records, 'firmwareDowngradeAllowed').find((value) => typeof value === 'boolean') ?? null

/** `rest`: what the catalogue states about it besides its products. */
const groupsOf = (catalogue: Catalogue | null, key: string) =>
  (catalogue?.bundles ?? [])
    .filter((one) => one.products.some((product) => productKey(product) === key))
    .map(({ name, products, raw }) => ({
      name,
      rest: besideRecords(raw, catalogue?.products),
      products: [...new Map(products.map((one) => [productKey(one), one])).values()],
    }))

/** The values of a member in the records, in any spelling of its name. */
const valuesOf = (records: readonly JsonObject[], name: string): readonly (Json | undefined)[] =>
  records.map((one) => Object.entries(one).find(([key]) => foldedName(key) === foldedName(name))?.[1])

const rawOf = (reading: Records | null): readonly Json[] => reading?.value.map((one) => one.raw) ?? []

/**
 * Protocols by which firmware is written, of the product and its variants: an open set of numbers
 * (services.md#A2).
 */
function protocolsIn(json: Json): readonly string[] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json as Record<string, Json>).flatMap(([key, value]) =>
    foldedName(key) === foldedName('fwuProtocolId') &&
    (typeof value === 'number' || typeof value === 'string')
      ? [String(value)]
      : protocolsIn(value),
  )
}
