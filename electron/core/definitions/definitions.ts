import type { DefinitionDocument, DefinitionInUse, DefinitionQuery, Stage } from '../../contract/definition.ts'
import { Failed } from '../../contract/failure.ts'
import type { Observed } from '../../contract/firmware.ts'
import { compareVersions, isVersion } from '../firmware/firmware.ts'
import { publishedOrNull, type Ask, type LatestInfo, type Metadata, type Reading } from '../metadata/metadata.ts'
import { heldAtCeiling, type Ceiling } from './ceiling.ts'

export interface Definitions {
  /** Which definition version is in use, and why. `refresh` asks the service even when the copies are fresh. */
  inUse(query: { readonly refresh: boolean }): Promise<DefinitionInUse>
  /** The definitions of a variant and firmware, by the version in use; what is not published says so. */
  read(query: DefinitionQuery): Promise<DefinitionDocument>
  /** After a sync: the version in use and these definitions, in the background. Answers how many were looked up; never rejects with Failed. */
  warm(options: { readonly queries: readonly DefinitionQuery[]; readonly signal?: AbortSignal | null }): Promise<number>
}

export interface DefinitionsParts {
  readonly metadata: Metadata
  /** `host.definitionsPackage`, and the organization's own ceiling. */
  readonly ceiling: Ceiling
}

export function openDefinitions({ metadata, ceiling }: DefinitionsParts): Definitions {
  async function inUse(ask: Ask): Promise<DefinitionInUse> {
    const schemas = await metadata.schemaVersions(ask)
    const schemaVersion = schemas.value
      .filter(isVersion)
      .reduce<string | null>((best, one) => (best === null || compareVersions(one, best) > 0 ? one : best), null)
    if (schemaVersion === null) throw noNumber('schema')
    const info = await metadata.latestInfo(schemaVersion, ask)
    if (!isVersion(info.value.definitionVersion)) throw noNumber('definition')
    const held = heldAtCeiling(schemaVersion, info.value.definitionVersion, ceiling)
    const stage = await stageOf(held.inUse, held.schemaInUse, info.value, ask)
    return { schemaVersion, latest: info.value.definitionVersion, ...held, stage, ...together([schemas, info]) }
  }

  /** The stage stands in definition documents only; a document of another version, or none, tells nothing about this one. */
  async function stageOf(version: string, schemaVersion: string, info: LatestInfo, ask: Ask): Promise<Stage | null> {
    if (info.stage !== null && info.definitionVersion === version) return info.stage
    try {
      const { value } = await metadata.gnpPropertiesTrimmed(schemaVersion, { ...ask, refresh: false })
      return value.definitionVersion !== null && compareVersions(value.definitionVersion, version) === 0 ? value.stage : null
    } catch (error) {
      if (error instanceof Failed && error.failure.kind !== 'cancelled') return null
      throw error
    }
  }

  async function read(query: DefinitionQuery, ask: Ask): Promise<DefinitionDocument> {
    const used = await inUse(ask)
    const [gnp, device, feature] = await Promise.all([
      publishedOrNull(metadata.gnpProperties(query, used.schemaInUse, ask)),
      publishedOrNull(metadata.deviceModel(query, used.inUse, ask)),
      publishedOrNull(metadata.featureModel(query, ask)),
    ])
    const there = [gnp, device, feature].filter((reading) => reading !== null)
    return {
      query,
      inUse: used,
      properties: gnp?.value.properties ?? [],
      propertiesNotPublished: gnp === null,
      stage: gnp?.value.stage ?? null,
      deviceModel: device === null ? null : { settings: device.value.settings, raw: device.value.raw },
      featureModel: feature === null ? null : { settings: feature.value.settings, raw: feature.value.raw },
      ...together(there.length > 0 ? there : [used]),
    }
  }

  async function warm(options: { queries: readonly DefinitionQuery[]; signal?: AbortSignal | null }): Promise<number> {
    const ask: Ask = { lane: 'bulk', signal: options.signal ?? null }
    let done = 0
    try {
      await inUse(ask)
      for (const query of options.queries) {
        if (await readable(query, ask)) done++
      }
    } catch (error) {
      if (!(error instanceof Failed)) throw error
    }
    return done
  }

  /** One unreadable document, or an id no path can hold, costs one product; without the service the rest is left. */
  async function readable(query: DefinitionQuery, ask: Ask): Promise<boolean> {
    try {
      await read(query, ask)
      return true
    } catch (error) {
      if (error instanceof Failed && ['unreadable-answer', 'refused', 'invalid'].includes(error.failure.kind)) return false
      throw error
    }
  }

  return { inUse: ({ refresh }) => inUse({ refresh }), read: (query) => read(query, {}), warm }
}

const noNumber = (of: 'schema' | 'definition'): Failed => new Failed({ kind: 'not-found', call: null, what: `a ${of} version that is a number` })

/** Several documents are as old as the oldest of them, and from the cache only if all are. */
const together = (readings: readonly (Observed | Reading<unknown>)[]): Observed => ({
  observedAt: Math.min(...readings.map((reading) => reading.observedAt)),
  fromCache: readings.every((reading) => reading.fromCache),
})
