import type {
  DefinitionDocument,
  DefinitionDocumentName,
  DefinitionInUse,
  DefinitionQuery,
  ProductDefinitions,
  PropertyDefinition,
} from '../../contract/api/definitions.ts'
import { Failed, foundOrNull, isKind, type Failure } from '../../contract/failure.ts'
import type { Json } from '../../contract/json.ts'
import { compareVersions } from '../lists/version-order.ts'
import type {
  Ask,
  DeviceModel,
  FeatureModel,
  GnpDefinition,
  Metadata,
  CachedDocument,
} from '../metadata/metadata.ts'
import { isAboveLimit, together } from './version-in-use.ts'

/** Result of requesting a document: its content, null if not published, or the failure. */
type Part<T> = { readonly reading: CachedDocument<T> | null } | { readonly failure: Failure }

/** The common members of the three documents. */
interface Labelled {
  readonly definitionVersion: string | null
  readonly schemaVersion: string | null
  readonly stage: string | null
  readonly raw: Json
}

/**
 * The definitions of a variant and firmware, for the version in use; unpublished documents are marked. Each
 * document may fail on its own; rejects with Failed if all do, or if no version in use can be determined.
 */
export async function fetchProductDefinitions(
  metadata: Metadata,
  inUse: (ask: Ask) => Promise<DefinitionInUse>,
  query: DefinitionQuery,
  ask: Ask,
): Promise<ProductDefinitions> {
  const used = await inUse(ask)
  const [gnp, device, feature] = await Promise.all([
    part(metadata.gnpProperties(query, used.schemaInUse, ask)),
    part(metadata.deviceModel(query, used.inUse, ask)),
    part(metadata.featureModel(query, ask)),
  ])
  const parts: Readonly<Record<DefinitionDocumentName, Part<Labelled>>> = {
    properties: gnp,
    'device-model': device,
    'feature-model': feature,
  }
  const failed = named(parts).flatMap(([document, one]) =>
    'failure' in one ? [{ document, failure: one.failure }] : [],
  )
  const [first] = failed
  if (first !== undefined && failed.length === named(parts).length) throw new Failed(first.failure)
  const documents = named(parts).flatMap(([document, one]) =>
    'failure' in one || one.reading === null ? [] : [documentOf(document, one.reading, used)],
  )
  const taken = <T>(document: DefinitionDocumentName, one: Part<T>): T | null =>
    'failure' in one ||
    one.reading === null ||
    documents.some((other) => other.document === document && other.aboveLimit)
      ? null
      : one.reading.value
  const [own, model, features] = [
    taken<GnpDefinition>('properties', gnp),
    taken<DeviceModel>('device-model', device),
    taken<FeatureModel>('feature-model', feature),
  ]
  const ofThisVersion = documents.find(
    (one) =>
      one.stage !== null &&
      one.definitionVersion !== null &&
      compareVersions(one.definitionVersion, used.inUse) === 0,
  )
  const stage = used.stage ?? ofThisVersion?.stage ?? null
  return {
    query,
    inUse: { ...used, stage },
    properties: merged(model?.properties ?? [], own?.properties ?? []),
    propertiesNotPublished: [gnp, device].every((one) => 'reading' in one && one.reading === null),
    stage,
    deviceModel: model === null ? null : { settings: model.settings, raw: model.raw },
    featureModel: features === null ? null : { settings: features.settings, raw: features.raw },
    documents,
    failed,
    ...together(documents.length > 0 ? documents : [used]),
  }
}

/** An unreachable or unreadable document affects only itself. */
async function part<T>(reading: Promise<CachedDocument<T>>): Promise<Part<T>> {
  try {
    return { reading: await foundOrNull(reading) }
  } catch (error) {
    if (error instanceof Failed && !isKind(error.failure, 'cancelled')) return { failure: error.failure }
    throw error
  }
}

const named = <T>(
  parts: Readonly<Record<DefinitionDocumentName, T>>,
): readonly (readonly [DefinitionDocumentName, T])[] => [
  ['properties', parts.properties],
  ['device-model', parts['device-model']],
  ['feature-model', parts['feature-model']],
]

function documentOf(
  document: DefinitionDocumentName,
  { value, observedAt, fromCache }: CachedDocument<Labelled>,
  used: DefinitionInUse,
): DefinitionDocument {
  const { definitionVersion, schemaVersion, stage, raw } = value
  return {
    document,
    definitionVersion,
    schemaVersion,
    stage,
    aboveLimit: isAboveLimit(definitionVersion, document === 'properties', used),
    raw,
    observedAt,
    fromCache,
  }
}

/**
 * Properties of the device model, which is read for the definition version in use, and those of the variant's
 * own document. That document defines what the model only names; the model has the better information on
 * which of them restart the device.
 */
function merged(
  model: readonly PropertyDefinition[],
  own: readonly PropertyDefinition[],
): readonly PropertyDefinition[] {
  const byName = new Map(model.map((one) => [one.name, one]))
  for (const one of own) {
    const previous = byName.get(one.name)
    byName.set(
      one.name,
      previous === undefined || !one.understood
        ? one
        : { ...one, restarts: one.restarts ?? previous.restarts },
    )
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
