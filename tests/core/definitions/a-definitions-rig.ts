import type {
  DefinitionItem,
  DefinitionQuery,
  DocumentSelection,
  FleetFirmware,
} from '../../../electron/contract/api/definitions.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import type { ReleaseList } from '../../../electron/contract/api/firmware.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { openDefinitions, type DefinitionsDeps } from '../../../electron/core/definitions/definitions.ts'
import { definitionsPackage } from '../../../electron/adapters/definitions-package.ts'
import type { SqlValue, Transaction } from '../../../electron/core/platform.ts'
import { metadataRig } from '../metadata/fake-metadata-service.ts'

export const gnp = '/protocol-definitions/gnp'
export const variant = '/vendors/2830/products/9395/variants/01-64/firmware-versions/2.9.2'
export const query = { vendorId: 2830, productId: 9395, variantType: '01-64', firmwareVersion: '2.9.2' }
export const propertiesPath = `${gnp}${variant}/schema-versions/1.11.0/properties`
export const featurePath = `${variant}/feature-model`
export const latestInfoPath = (schema: string): string =>
  `${gnp}/definition-versions/schema-versions/${schema}/latest/info`
export const modelPath = (definition: string, family = 'Brand%20SDK%20V4'): string =>
  `${variant}/device-models/${family}/definition-versions/${definition}`

const soundMode = { valueType: { type: 'string', enum: ['normal', 'bass'] }, read: [{}], write: [{}] }
export const definition = {
  definitionVersion: '14.5.0',
  schemaVersion: '1.11.0',
  stage: 'Public',
  properties: { soundMode },
}
export const device = {
  vendorId: 2830,
  productId: 9395,
  variantType: '01-64',
  settings: [{ settingId: 'SOUND_MODE', sdkProperties: ['soundMode'] }],
}
export const featureModel = {
  settings: { listSettings: [{ settingId: 'SOUND_MODE', supportedValues: ['bass'] }] },
  settingIds: { soundMode: 'SOUND_MODE' },
}
const schemas: Json = [
  { version: '1.2.0' },
  { version: '1.12.0' },
  { version: '1.10.0' },
  { version: 'next' },
]

export interface DefinitionsRigOptions {
  readonly latest?: string
  readonly profile?: string | null
  readonly family?: string
  readonly cachedValues?: DefinitionsDeps['cachedValues']
  readonly fleet?: readonly FleetFirmware[]
  /** Missing: none are published. */
  readonly releases?: () => Promise<ReleaseList>
}

/** Definitions over a service whose greatest schema version is 1.12.0; the installed package has 14.5.0 of schema 1.11.0. */
export function definitionsRig(options: DefinitionsRigOptions = {}) {
  const metadata = metadataRig()
  const workbook = factTable()
  metadata.service.set(`${gnp}/schema-versions`, schemas)
  metadata.service.set(latestInfoPath('1.12.0'), {
    schemaVersion: '1.12.0',
    definitionVersion: options.latest ?? '14.6.0',
  })
  const start = () =>
    openDefinitions({
      metadata: metadata.start(options.family),
      installed: definitionsPackage,
      versionLimit: options.profile ?? null,
      workbook,
      clock: metadata.clock,
      cachedValues: options.cachedValues ?? (async () => []),
      fleetFirmware: async () => options.fleet ?? [],
      fleet: async () => (options.fleet ?? []).map(({ count: _, ...one }) => ({ ...query, ...one })),
      releases:
        options.releases ??
        (() => Promise.reject(new Failed({ kind: 'not-found', call: null, what: 'releases' }))),
    })
  return { ...metadata, definitions: start(), restart: start }
}

/** The three documents of the product, as published for the version that the package limits. */
export function publish(service: ReturnType<typeof metadataRig>['service'], family?: string): void {
  service.set(propertiesPath, definition)
  service.set(modelPath('14.5.0', family), { device })
  service.set(featurePath, featureModel)
}

/** The facts of a workbook, in memory. */
export function factTable(): DefinitionsDeps['workbook'] {
  const facts = new Map<SqlValue | undefined, SqlValue>()
  const transaction: Partial<Transaction> = {
    run: (_, [name, value] = []) => (facts.set(name, value ?? null), { changes: 1, lastId: 0 }),
  }
  return {
    query: async (_, [name] = []) => (facts.has(name) ? [{ value: facts.get(name) ?? null }] : []),
    write: async (work) => work(transaction as Transaction),
  }
}

export const selected = (
  { vendorId, productId, variantType, firmwareVersion }: DefinitionQuery,
  changes: Partial<DocumentSelection> = {},
): DocumentSelection => ({
  product: { vendorId, productId },
  variantType,
  firmwareVersion,
  schemaVersion: null,
  definitionVersion: null,
  trimmed: false,
  source: 'service',
  ...changes,
})

/** An item with only this member. */
export const item = (changes: Partial<DefinitionItem>): DefinitionItem => ({
  name: '',
  label: '',
  aliases: [],
  group: null,
  type: null,
  allowed: [],
  minimum: null,
  maximum: null,
  minLength: null,
  maxLength: null,
  unit: null,
  default: null,
  access: [],
  restarts: null,
  members: {},
  ...changes,
})
