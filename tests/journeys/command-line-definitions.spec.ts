import { expect, test } from '@playwright/test'
import { addOrganization, document, headroom } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'

let home: Home
let service: Service

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '30', '--rooms', '4')
  expect((await addOrganization(home, service, '--metadata-version', '17')).code).toBe(0)
})
test.afterEach(async () => {
  await service.end()
  home.remove()
})

interface Shown {
  readonly query: unknown
  readonly inUse: { readonly inUse: string; readonly schemaInUse: string }
  readonly properties: readonly { readonly name: string }[]
  readonly featureModel: { readonly settings: readonly unknown[] } | null
}

test('definitions show takes the first variant and the latest firmware where none are said', async () => {
  const usual = await document<Shown>(home, ['definitions', 'show', '2830/9395'], service.key)
  expect(usual.query).toEqual({
    vendorId: 2830,
    productId: 9395,
    variantType: '01-64',
    firmwareVersion: '2.9.2',
  })
  expect([
    usual.inUse.inUse,
    usual.inUse.schemaInUse,
    usual.properties.length > 10,
    (usual.featureModel?.settings.length ?? 0) > 0,
  ]).toEqual(['14.5.0', '1.11.0', true, true])
  const said = await document<Shown>(
    home,
    ['definitions', 'show', '2830/9395', '--variant', '01-64', '--firmware', '2.7.2'],
    service.key,
  )
  expect(said.query).toEqual({
    vendorId: 2830,
    productId: 9395,
    variantType: '01-64',
    firmwareVersion: '2.7.2',
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

test('versions tells that a newer metadata version answers, and until when the one in use is supported', async () => {
  const watch = await document<Record<string, unknown>>(home, ['versions'], service.key)
  expect(watch).toEqual({
    inUse: 17,
    newer: 18,
    supportedUntilAt: Date.UTC(2027, 2, 15),
    checkedAt: expect.any(Number),
    openapiKeptAt: expect.any(Number),
    differences: [],
  })
})
