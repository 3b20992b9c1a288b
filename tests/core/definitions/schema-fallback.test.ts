import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { definitionsRig, gnp, latestInfoPath } from './a-definitions-rig.ts'

const inUse = async (documents: Readonly<Record<string, Json | null>>) => {
  const { definitions, service } = definitionsRig()
  for (const [path, json] of Object.entries(documents)) {
    if (json === null) service.documents.delete(path)
    else service.set(path, json)
  }
  const {
    schemaVersion,
    schemasListed,
    passedOver,
    statedSchemaVersion,
    latest,
    inUse: version,
    schemaInUse,
    reason,
  } = await definitions.inUse({ refresh: false })
  return {
    schemaVersion,
    schemasListed,
    passedOver,
    statedSchemaVersion,
    latest,
    version,
    schemaInUse,
    reason,
  }
}
const schemas = `${gnp}/schema-versions`
const held = { version: '14.5.0', schemaInUse: '1.11.0', reason: 'held-at-package' }

describe('which schema version has the latest definition version', () => {
  it.each<[string, Readonly<Record<string, Json | null>>, object]>([
    [
      'a prerelease is not the greatest',
      {
        [schemas]: [{ version: '1.13.0-beta' }, { version: '1.12.0' }],
        [latestInfoPath('1.13.0-beta')]: { definitionVersion: '15.0.0' },
      },
      { schemaVersion: '1.12.0', passedOver: [], latest: '14.6.0', ...held },
    ],
    [
      'build metadata makes no prerelease',
      {
        [schemas]: [{ version: '1.13.0+7' }, { version: '1.12.0' }],
        [latestInfoPath('1.13.0%2B7')]: { definitionVersion: '15.0.0' },
      },
      { schemaVersion: '1.13.0+7', passedOver: [], latest: '15.0.0', ...held },
    ],
    [
      'the next one if the greatest has none',
      {
        [latestInfoPath('1.12.0')]: null,
        [latestInfoPath('1.10.0')]: { schemaVersion: '1.10.0', definitionVersion: '13.4.0' },
      },
      {
        schemaVersion: '1.10.0',
        passedOver: ['1.12.0'],
        latest: '13.4.0',
        version: '13.4.0',
        schemaInUse: '1.10.0',
        reason: 'latest-within-limit',
      },
    ],
    [
      'none has one: the definition limit is used',
      { [latestInfoPath('1.12.0')]: null },
      { schemaVersion: '1.12.0', passedOver: [], latest: null, ...held, reason: 'latest-not-published' },
    ],
    [
      'the next one if the greatest does not state it',
      {
        [latestInfoPath('1.12.0')]: { schemaVersion: '1.12.0', definitionVersion: null },
        [latestInfoPath('1.10.0')]: { schemaVersion: '1.10.0', definitionVersion: '13.4.0' },
      },
      { schemaVersion: '1.10.0', passedOver: ['1.12.0'], latest: '13.4.0', version: '13.4.0' },
    ],
    [
      'none states it: the definition limit is used',
      { [latestInfoPath('1.12.0')]: { schemaVersion: '1.12.0', definitionVersion: 1e300 } },
      { schemaVersion: '1.12.0', latest: null, ...held, reason: 'latest-not-published' },
    ],
    [
      'prereleases, if there is nothing else',
      {
        [schemas]: [{ version: '1.13.0-beta' }],
        [latestInfoPath('1.13.0-beta')]: { definitionVersion: '14.4.0' },
      },
      { schemaVersion: '1.13.0-beta', latest: '14.4.0', version: '14.4.0' },
    ],
    [
      'the schema version of the response is reported if it differs',
      { [latestInfoPath('1.12.0')]: { schemaVersion: '1.9.0', definitionVersion: '14.4.0' } },
      { schemaVersion: '1.12.0', statedSchemaVersion: '1.9.0', latest: '14.4.0' },
    ],
  ])('%s', async (_, documents, expected) => {
    expect(await inUse(documents)).toMatchObject({ schemasListed: true, ...expected })
  })

  const own = { schemasListed: false, schemaVersion: '1.11.0', passedOver: [], statedSchemaVersion: null }
  it.each<[string, Readonly<Record<string, Json | null>>, object]>([
    [
      'no list, and nothing of the package’s own schema: the definition limit is used',
      { [schemas]: null },
      { ...own, latest: null, ...held, reason: 'latest-not-published' },
    ],
    [
      'no list: the latest of the package’s own schema',
      { [schemas]: null, [latestInfoPath('1.11.0')]: { definitionVersion: '14.4.0' } },
      { ...own, latest: '14.4.0', version: '14.4.0', schemaInUse: '1.11.0', reason: 'latest-within-limit' },
    ],
  ])('%s', async (_, documents, expected) => {
    expect(await inUse(documents)).toEqual(expected)
  })

  it('is as old as the response that there is no list', async () => {
    const { definitions, service, clock, restart } = definitionsRig()
    service.documents.delete(schemas)
    const saidAt = clock.now()
    await definitions.inUse({ refresh: false })
    await clock.advance(30 * 24 * 3_600_000)
    service.offline = true
    expect(await restart().inUse({ refresh: false })).toMatchObject({
      schemasListed: false,
      inUse: '14.5.0',
      observedAt: saidAt,
      fromCache: true,
    })
  })
})
