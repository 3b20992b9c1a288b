import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { definitionsPackage } from '../../../electron/adapters/definitions-package.ts'
import { factTable, selected } from '../definitions/a-definitions-rig.ts'
import { openDefinitions } from '../../../electron/core/definitions/definitions.ts'
import { openFirmware, openRecovery } from '../../../electron/core/firmware/firmware.ts'
import type { Metadata } from '../../../electron/core/metadata/metadata.ts'
import { openReleaseNotes } from '../../../electron/core/release-notes/release-notes.ts'
import { cases } from '../../setup/cases.ts'
import { metadataRig } from './fake-metadata-service.ts'

const product = { vendorId: 2830, productId: 9395 }
const query = { ...product, variantType: '01-64', firmwareVersion: '2.9.2' }

/** Names that parsers search for, so that generated data often resembles a document. */
const names = [
  'bundles',
  'products',
  'unbundledProducts',
  'variants',
  'vendorId',
  'productId',
  'entityId',
  'firmwareReleases',
  'version',
  'revoked',
  'stage',
  'status',
  'settings',
  'device',
  'settingId',
  'possibleValues',
  'properties',
  'valueType',
  'enum',
  'listSettings',
  'settingIds',
  'sdkProperties',
  'definitionVersion',
  'url',
  'downloadUrl',
  'expires',
  'file',
  'checksum',
  'data',
  'items',
  'error',
  'thresholdEvents',
  'callSummary',
  'aggregations',
  'name',
  'links',
  'type',
  '__proto__',
  'constructor',
  'toString',
  '2.9.2',
  '9395',
  '2830',
  '',
]
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<Json>(
      null,
      true,
      false,
      '',
      '1.2.0',
      '14.9.0',
      'Beta',
      '/a/b.zip',
      '//a.example',
      'https://a.example',
      'http://[',
      2830,
      9395,
      -1,
      1e300,
      'yes',
    ),
    fc.string(),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie('json'), { maxKeys: 6 }),
  ),
}))

it('every parser returns a result or Failed for any response of the metadata interface', async () => {
  const uses = (
    metadata: Metadata,
    clock: ReturnType<typeof metadataRig>['clock'],
  ): readonly (() => Promise<unknown>)[] => {
    const firmware = openFirmware({
      clock,
      metadata,
      deviceCounts: async () => new Map([[9395, 1]]),
      vendorId: 2830,
      assumedBuildTypes: ['Release'],
    })
    const definitions = openDefinitions({
      metadata,
      installed: definitionsPackage,
      versionLimit: null,
      workbook: factTable(),
      clock,
      cachedValues: async () => [],
      fleetFirmware: async () => [],
      fleet: async () => [],
      releases: (id) => firmware.releases(id),
    })
    const { product: find, productsWithFile, usualBuildType } = firmware
    const recovery = openRecovery({
      clock,
      metadata,
      product: find,
      productsWithFile,
      releases: (id) => firmware.releases(id, { cachedOnly: true }),
      vendorId: 2830,
      usualBuildType,
    })
    return [
      () => firmware.products({ text: '', owned: true, start: 0, count: 50 }),
      () => firmware.releases(product),
      () => firmware.link({ ...product, version: 'latest', buildType: null, refresh: false }),
      () => firmware.link({ ...product, version: '2.9.2', buildType: 'Release', refresh: false }),
      () => firmware.compliance({ productId: 9395, firmwareVersion: '2.9.2' }),
      () => firmware.find('Evolve2 65'),
      () => definitions.inUse({ refresh: false }),
      () => definitions.defaults({ ...product, variantType: null }),
      () => definitions.load(query),
      () => definitions.versions({ refresh: false }),
      () => definitions.documents({ selection: selected(query), kinds: null }),
      () => definitions.firmwareDifference({ ...query, from: '2.9.2', to: '2.9.3' }),
      () => openReleaseNotes({ metadata, releases: (one) => firmware.releases(one) }).get(product),
      () => recovery.look({ text: '0x24B9' }),
      () => metadata.telemetry(),
      () => metadata.gnpPropertiesOfSchema('1.11.0'),
      () => metadata.firmwareBundles(),
      () => firmware.bundles(null),
      () => metadata.openApi(),
    ]
  }
  const numRuns = cases(300)
  const outcomes = { answered: 0, failed: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(json, { minLength: 3, maxLength: 3 }), async (documents) => {
      const rig = metadataRig()
      let requested = 0
      const any = (): { json: Json } => ({ json: documents[requested++ % documents.length] ?? null })
      rig.service.documents.get = () => any
      for (const use of uses(rig.start(), rig.clock)) {
        try {
          expect(JSON.stringify(await use())).toBeTypeOf('string')
          outcomes.answered++
        } catch (error) {
          expect(error).toBeInstanceOf(Failed)
          outcomes.failed++
        }
      }
    }),
    { numRuns },
  )
  // The generated documents are similar enough to real ones that some can be parsed.
  expect({ answered: outcomes.answered > numRuns, failed: outcomes.failed > numRuns }).toEqual({
    answered: true,
    failed: true,
  })
})
