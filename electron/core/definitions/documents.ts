import {
  documentKinds,
  type DefinitionDefaults,
  type DefinitionInUse,
  type DefinitionItem,
  type DefinitionQuery,
  type DocumentKind,
  type DocumentSelection,
  type ReadDocument,
  type ReadDocuments,
} from '../../contract/api/definitions.ts'
import { Failed, foundOrNull, isKind, type Failure } from '../../contract/failure.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import type { Json } from '../../contract/json.ts'
import type { DisplayNames } from '../../contract/setting-name.ts'
import {
  deviceModelItems,
  displayNamesOf,
  featureModelItems,
  gnpDefinitionOf,
  isEmptyDocument,
  joseItems,
  nameMapItems,
  propertyItems,
  propertyMapItems,
  type Ask,
  type AddressedDocument,
  type Metadata,
} from '../metadata/metadata.ts'
import type { TrustedDocuments } from './trusted-documents.ts'
import { isAboveLimit } from './version-in-use.ts'

/** The installed definitions package: the properties of one schema version. */
export interface InstalledPackage {
  readonly version: string
  readonly schemaVersion: string
  readonly file: string
  readonly properties: () => Json
}

export interface DocumentsDeps {
  readonly metadata: Metadata
  readonly installed: InstalledPackage
  readonly trusted: TrustedDocuments
  readonly now: () => number
  readonly inUse: () => Promise<DefinitionInUse>
  readonly defaults: (
    query: ProductId & { readonly variantType: string | null },
  ) => Promise<DefinitionDefaults>
}

/** A document as read, before it is evaluated. */
interface Found {
  readonly reading: Pick<AddressedDocument<unknown>, 'address' | 'observedAt' | 'fromCache'>
  readonly label: Pick<ReadDocument, 'definitionVersion' | 'schemaVersion' | 'stage'>
  readonly joseVersion?: 1 | 2
  readonly askedFor?: string
  readonly items: readonly DefinitionItem[]
  readonly raw: Json
}

/** The resolved values of a selection. */
interface Chosen extends DocumentSelection {
  /** null: no product, or no known variant or firmware of it. */
  readonly variant: DefinitionQuery | null
  /** For a product whose variant has no type: an entity id names it. */
  readonly entityId: string | null
  readonly names: DisplayNames
}

const unlabelled = { definitionVersion: null, schemaVersion: null, stage: null }

/**
 * The documents of these kinds, each separately: an unreachable or unreadable one affects only itself.
 * Rejects with Failed if the catalogue is needed and cannot be read, and `invalid` for a kind that needs a
 * product if there is none.
 */
export async function loadDocuments(
  deps: DocumentsDeps,
  selection: DocumentSelection,
  requested: readonly DocumentKind[] | null,
): Promise<ReadDocuments> {
  const isThere = (kind: DocumentKind): boolean => selection.product !== null || !ofProduct.includes(kind)
  const kinds = requested ?? documentKinds.filter(isThere)
  const needing = kinds.find((kind) => !isThere(kind))
  if (needing !== undefined && selection.source === 'service')
    throw Failed.invalid('product', `A ${needing} document needs a product.`)
  const [chosen, names] = await Promise.all([
    choose(deps, selection),
    selection.source === 'package' ? new Map<string, string>() : displayNames(deps.metadata),
  ])
  const used = once(deps.inUse)
  const documents: ReadDocument[] = []
  const failed: { document: DocumentKind; failure: Failure }[] = []
  const absent: DocumentKind[] = []
  await Promise.all(
    kinds.map(async (document) => {
      try {
        const found =
          selection.source === 'package'
            ? installedDocument(deps, document)
            : await loaders[document](deps.metadata, { ...chosen, names }, used)
        if (found === null) absent.push(document)
        else documents.push(await judged(deps, document, found, used))
      } catch (error) {
        if (!(error instanceof Failed) || isKind(error.failure, 'cancelled')) throw error
        failed.push({ document, failure: error.failure })
      }
    }),
  )
  const inOrder = (a: DocumentKind, b: DocumentKind): number =>
    documentKinds.indexOf(a) - documentKinds.indexOf(b)
  return {
    variantType: chosen.variantType,
    firmwareVersion: chosen.firmwareVersion,
    documents: documents.toSorted((a, b) => inOrder(a.document, b.document)),
    failed: failed.toSorted((a, b) => inOrder(a.document, b.document)),
    absent: absent.toSorted(inOrder),
  }
}

const ofProduct: readonly DocumentKind[] = ['device-model', 'feature-model', 'jose', 'jose-v1']

/** Jose definition V1 has its own identity only if no V2 is published. */
export const joseV1IsStated = ({ documents, absent }: ReadDocuments): boolean =>
  !absent.includes('jose') &&
  !documents.some(({ document, joseVersion }) => document === 'jose' && joseVersion === 1)
export const withoutJoseV1 = ({ documents, failed, absent, ...found }: ReadDocuments): ReadDocuments => ({
  ...found,
  documents: documents.filter(({ document }) => document !== 'jose-v1'),
  failed: failed.filter(({ document }) => document !== 'jose-v1'),
  absent: absent.filter((document) => document !== 'jose-v1'),
})

async function choose(
  { metadata, defaults }: DocumentsDeps,
  selection: DocumentSelection,
): Promise<Omit<Chosen, 'names'>> {
  const { product, source } = selection
  if (product === null || source === 'package') return { ...selection, variant: null, entityId: null }
  const complete = selection.variantType !== null && selection.firmwareVersion !== null
  const usual = complete ? null : await defaults({ ...product, variantType: selection.variantType })
  const variantType = selection.variantType ?? usual?.variantType ?? null
  const firmwareVersion = selection.firmwareVersion ?? usual?.firmwareVersion ?? null
  return {
    ...selection,
    variantType,
    firmwareVersion,
    variant:
      variantType === null || variantType === '' || firmwareVersion === null
        ? null
        : { ...product, variantType, firmwareVersion },
    // An empty variant cannot be part of an address (services.md#A6).
    entityId: variantType === null ? await entityOf(metadata, product) : null,
  }
}

async function entityOf(metadata: Metadata, { vendorId, productId }: ProductId): Promise<string | null> {
  const { value } = await metadata.catalogue()
  for (const product of value.products) {
    const variant = product.variants.find((one) => one.vendorId === vendorId && one.productId === productId)
    if (variant !== undefined) return variant.entityId ?? product.entityIds[0] ?? null
  }
  return null
}

/** Without the name map, names are split into words. */
export async function displayNames(metadata: Metadata, ask?: Ask): Promise<DisplayNames> {
  try {
    return displayNamesOf((await metadata.nameMap(ask)).value.raw)
  } catch (error) {
    if (error instanceof Failed && !isKind(error.failure, 'cancelled')) return new Map()
    throw error
  }
}

type Used = () => Promise<DefinitionInUse>
type Loader = (metadata: Metadata, chosen: Chosen, used: Used) => Promise<Found | null>

/** null: not published, or no address can name it. */
const loaders: Readonly<Record<DocumentKind, Loader>> = {
  properties: async (metadata, { variant, product, schemaVersion, trimmed, names }, used) => {
    if (product !== null && variant === null && !trimmed) return null
    const schema = schemaVersion ?? (await used()).schemaInUse
    const reading = await foundOrNull(
      trimmed
        ? metadata.gnpPropertiesTrimmed(schema)
        : variant === null
          ? metadata.gnpPropertiesOfSchema(schema)
          : metadata.gnpProperties(variant, schema),
    )
    return reading && foundIn(reading, propertyItems(reading.value.properties, names))
  },
  'device-model': async (metadata, { variant, schemaVersion, definitionVersion, names }, used) => {
    if (variant === null) return null
    const isBySchema = schemaVersion !== null && definitionVersion === null
    const asked = isBySchema ? null : (definitionVersion ?? (await used()).inUse)
    const reading = await foundOrNull(
      isBySchema
        ? metadata.deviceModelBySchema(variant, schemaVersion)
        : metadata.deviceModel(variant, asked ?? ''),
    )
    return (
      reading && {
        ...foundIn(reading, deviceModelItems(reading.value.raw, names)),
        ...(asked === null ? {} : { askedFor: asked }),
      }
    )
  },
  'feature-model': async (metadata, { variant, entityId, firmwareVersion, names }) => {
    const requested =
      variant !== null
        ? metadata.featureModel(variant)
        : entityId !== null && firmwareVersion !== null
          ? metadata.featureModelOfEntity(entityId, firmwareVersion)
          : null
    const reading = requested && (await foundOrNull(requested))
    return reading && foundIn(reading, featureModelItems(reading.value.raw, names))
  },
  jose: async (metadata, chosen) =>
    (await joseDefinition(metadata, chosen, 2)) ?? joseDefinition(metadata, chosen, 1),
  'jose-v1': (metadata, chosen) => joseDefinition(metadata, chosen, 1),
  'property-map': async (metadata, { schemaVersion, names }, used) => {
    const schema = schemaVersion ?? (await used()).schemaInUse
    const reading = await foundOrNull(metadata.propertyMap(schema))
    return (
      reading && {
        reading,
        label: { ...unlabelled, schemaVersion: schema },
        items: propertyMapItems(reading.value.names, names),
        raw: reading.value.raw,
      }
    )
  },
  'name-map': async (metadata) => {
    const reading = await foundOrNull(metadata.nameMap())
    const raw = reading?.value.raw ?? null
    return reading && { reading, label: unlabelled, items: nameMapItems(raw), raw }
  },
}

async function joseDefinition(
  metadata: Metadata,
  { variant, names }: Chosen,
  version: 1 | 2,
): Promise<Found | null> {
  if (variant === null) return null
  const reading = await foundOrNull(metadata.joseDefinition(variant, version))
  return reading && { ...foundIn(reading, joseItems(reading.value.raw, names)), joseVersion: version }
}

const foundIn = (
  reading: AddressedDocument<Found['label'] & { readonly raw: Json }>,
  items: readonly DefinitionItem[],
): Found => ({ reading, label: reading.value, items, raw: reading.value.raw })

/** The package is a document of properties for all products. null: it contains no such document. */
function installedDocument({ installed, now }: DocumentsDeps, document: DocumentKind): Found | null {
  const definition = document === 'properties' ? gnpDefinitionOf(installed.properties()) : null
  return (
    definition && {
      reading: { address: installed.file, observedAt: now(), fromCache: true },
      label: { definitionVersion: installed.version, schemaVersion: installed.schemaVersion, stage: null },
      items: propertyItems(definition.properties, new Map()),
      raw: definition.raw,
    }
  )
}

async function judged(
  { trusted, installed }: DocumentsDeps,
  document: DocumentKind,
  { reading, label, joseVersion, askedFor, items, raw }: Found,
  used: Used,
): Promise<ReadDocument> {
  const { address, observedAt, fromCache } = reading
  const { definitionVersion, schemaVersion, stage } = label
  const isBySchema = document === 'properties' || (document === 'device-model' && askedFor === undefined)
  const aboveLimit =
    address !== installed.file &&
    limited.includes(document) &&
    isAboveLimit(definitionVersion ?? askedFor ?? null, isBySchema, await used())
  return {
    document,
    address,
    schemaVersion,
    definitionVersion,
    stage,
    joseVersion: joseVersion ?? null,
    askedFor: askedFor ?? null,
    aboveLimit,
    // A document above the definition limit is not used, so later documents are not compared with it.
    olderThan:
      aboveLimit || definitionVersion === null
        ? null
        : await trusted.judged(address, { definitionVersion, observedAt }),
    isUnderstood: items.length > 0 || isEmptyDocument[document](raw),
    items,
    raw,
    observedAt,
    fromCache,
  }
}

/**
 * Documents whose definition version uses the numbering of the definitions package. Jose definitions are
 * assumed to have their own numbering; change this if they turn out to share it.
 */
const limited: readonly DocumentKind[] = ['properties', 'device-model', 'feature-model']

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null
  return () => (result ??= work())
}
