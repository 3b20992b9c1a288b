import { expect, test } from '@playwright/test'
import { addOrganization, document, headroom } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'

let home: Home
let service: Service

// All tests only read.
test.beforeAll(async () => {
  home = newHome()
  service = await startService('--devices', '30', '--rooms', '4')
  expect((await addOrganization(home, service, { metadataVersion: 17 })).code).toBe(0)
})
test.afterAll(async () => {
  await service.end()
  home.remove()
})

interface Shown {
  readonly variant: string
  readonly firmware: string
  readonly documents: readonly { readonly document: string; readonly items: readonly unknown[] }[]
  readonly failed: readonly unknown[]
}
test('definitions show uses the first variant and the latest firmware by default', async () => {
  const usual = await document<Shown>(home, ['definitions', 'show', '2830/9395'], service.key)
  expect([usual.variant, usual.firmware, usual.failed]).toEqual(['01-64', '2.9.2', []])
  const items = new Map(usual.documents.map((one) => [one.document, one.items.length]))
  expect([(items.get('properties') ?? 0) > 10, (items.get('feature-model') ?? 0) > 0]).toEqual([true, true])
  const said = ['--document', 'feature-model', '--variant', '01-64', '--firmware', '2.7.2']
  expect(await document(home, ['definitions', 'show', '2830/9395', ...said], service.key)).toMatchObject({
    document: 'feature-model',
    address: `${service.metadataUrl}/models/v/17/vendors/2830/products/9395/variants/01-64/firmware-versions/2.7.2/feature-model.json`,
  })
  const people = await headroom(home, ['definitions', 'show', '2830/9395', '--firmware', '9.9.9'], {
    key: service.key,
  })
  expect([
    people.code,
    people.output.includes('Property definitions: not published.'),
    people.output.includes('Feature model: not published.'),
  ]).toEqual([0, true, true])
})

test('versions reports a newer metadata version, and until when the one in use is supported', async () => {
  const watch = await document<Record<string, unknown>>(home, ['versions'], service.key)
  expect(watch).toEqual({
    inUse: 17,
    newer: 18,
    supportedUntilAt: Date.UTC(2027, 2, 15),
    firstSeen: null,
    checkedAt: expect.any(Number),
    openapiKeptAt: expect.any(Number),
    differences: [],
    deprecated: [],
    added: [],
    otherVersions: [],
  })
})
