import { expect, test } from '@playwright/test'
import {
  operationNamed,
  operations,
  pathOf,
  type Operation,
  type ParameterValue,
} from '../../electron/contract/operations.ts'
import { addOrganization, document, headroom, type Said } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'

let home: Home
let service: Service

const all: readonly Operation[] = operations
const devicesPath = '/devices/api/devices'

/** The demonstration's own paths for unpublished endpoints (electron/demo/README.md). */
const templates = [
  `devicesWithSettings=POST ${devicesPath}/settings`,
  `firmwareRead=GET ${devicesPath}/{deviceId}/firmware`,
  `firmwareUpdate=POST ${devicesPath}/{deviceId}/firmware/{firmwareVersion}`,
]

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '60', '--rooms', '12')
  expect(
    (await addOrganization(home, service, ...templates.flatMap((template) => ['--template', template]))).code,
  ).toBe(0)
})
test.afterEach(async () => {
  await service.end()
  home.remove()
})

const call = (
  name: string,
  parameters: Readonly<Record<string, ParameterValue>>,
  ...more: readonly string[]
): Promise<Said> =>
  headroom(
    home,
    ['call', name, ...Object.entries(parameters).map(([one, value]) => `${one}=${String(value)}`), ...more],
    { key: service.key },
  )

test('operations --json lists every documented operation in its format for other programs', async () => {
  const rows = await document<readonly Record<string, unknown>[]>(home, ['operations'], service.key)
  expect(rows.map((row) => [row['name'], row['interface'], row['writes'], row['published']])).toEqual(
    all.map((operation) => [operation.name, operation.interface, operation.writes, operation.published]),
  )
  expect([...new Set(rows.map((row) => Object.keys(row).join(' ')))]).toEqual([
    'name interface method path parameters writes published',
  ])
  expect(rows.find((row) => row['name'] === 'GetFirmwareReleasesByProductId')).toEqual({
    name: 'GetFirmwareReleasesByProductId',
    interface: 'metadata',
    method: 'GET',
    path: '/models/v/{apiVersion}/vendors/{vendorId}/products/{productId}/firmware-releases',
    parameters: [
      { name: 'apiVersion', type: 'int32', required: expect.any(Boolean) },
      { name: 'vendorId', type: 'int32', required: true },
      { name: 'productId', type: 'int32', required: true },
    ],
    writes: false,
    published: true,
  })
  expect(
    rows.filter(
      (row) =>
        row['interface'] === 'metadata' && !['GetOpenApi', 'GetProductContent'].includes(String(row['name'])),
    ),
  ).toHaveLength(33)
})

interface Catalogue {
  readonly bundles: readonly { readonly name: string; readonly products: readonly CatalogueProduct[] }[]
  readonly unbundledProducts: readonly CatalogueProduct[]
}
interface CatalogueProduct {
  readonly entityId: string
  readonly variants: readonly {
    readonly entityId: string
    readonly vendorId: number
    readonly productId: number
    readonly variantType: string
  }[]
}

test('call reaches every operation that reads, and prints the body as the service sent it', async () => {
  test.setTimeout(180_000)
  const own = { 'Ocp-Apim-Subscription-Key': service.key, 'Content-Type': 'application/json' }
  const straight = async (operation: Operation, path: string, body: object | null): Promise<string> => {
    const base = operation.interface === 'metadata' ? service.metadataUrl : service.managementUrl
    const init =
      operation.interface === 'metadata'
        ? {}
        : { headers: { ...own, 'api-version': operation.name === 'ListDevicesV1' ? '1' : '2' } }
    const answer = await fetch(base + path, {
      ...init,
      method: operation.method,
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    })
    expect([operation.name, answer.status]).toEqual([operation.name, 200])
    return answer.text()
  }
  const catalogue = JSON.parse(
    await straight(
      operationNamed('GetProductGroupBundles'),
      pathOf(operationNamed('GetProductGroupBundles'), { apiVersion: 18 }),
      null,
    ),
  ) as Catalogue
  const products = [...catalogue.bundles.flatMap((bundle) => bundle.products), ...catalogue.unbundledProducts]
  const having = (productId: number): CatalogueProduct =>
    products.find((product) => product.variants.some((variant) => variant.productId === productId))!
  const adapter = having(9416)
  const bar = having(12417).variants.find((variant) => variant.productId === 12417)!
  const list = JSON.parse(
    await straight(operationNamed('ListDevices'), devicesPath, {
      deviceClientType: 'MeetingRoom',
      pageSize: 1,
    }),
  ) as {
    items: readonly { id: string; groupId: string }[]
  }

  const usual: Readonly<Record<string, ParameterValue>> = {
    apiVersion: 18,
    vendorId: 2830,
    productId: 9416,
    variantType: '04-0B',
    firmwareVersion: '1.16.0',
    sdk: 'Jabra SDK V4',
    schemaVersion: '1.11.0',
    definitionVersion: '14.5.0',
    entityId: adapter.entityId,
    agentType: 'RoomAgent',
    productGroupBundleName: 'PanaCast 50 Room System',
    platformOs: 'Windows',
    dfuProductId: 16464,
    buildType: 'Release',
    firmwareBundleGroupId: 'panacast-40-vbs',
    firmwareBundleVersion: '1.1.0',
    deviceId: list.items[0]!.id,
    groupId: list.items[0]!.groupId,
  }
  const ofBar = { ...usual, productId: 12417, variantType: bar.variantType, firmwareVersion: '4.2.0.21' }
  const others: Readonly<Record<string, Readonly<Record<string, ParameterValue>>>> = {
    GetProductGroupBundleProductByVariantEntityId: { ...usual, entityId: adapter.variants[0]!.entityId },
    ...Object.fromEntries(
      all.filter(({ name }) => /Jose|FirmwareBundle/.test(name)).map(({ name }) => [name, ofBar]),
    ),
  }
  const chosenPaths: Readonly<Record<string, string>> = {
    ListDevicesWithSettings: `${devicesPath}/settings`,
    GetDeviceFirmware: `${devicesPath}/${list.items[0]!.id}/firmware`,
  }
  // Version 1 of the device list is the same service under a profile of version 1: tests/core/management.
  for (const operation of all.filter(({ writes, name }) => !writes && name !== 'ListDevicesV1')) {
    const path = chosenPaths[operation.name] ?? null
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    const names = operation.name === 'GetDeviceFirmware' ? ['deviceId'] : inPath
    const given = Object.fromEntries(names.map((name) => [name, (others[operation.name] ?? usual)[name]!]))
    const pages = operation.method === 'POST'
    const said = await call(operation.name, pages ? { ...given, pageSize: 3 } : given, '--json')
    expect([operation.name, said.code, said.errors]).toEqual([operation.name, 0, ''])
    const received = await straight(
      operation,
      path ?? pathOf(operation, given),
      pages ? { pageSize: 3 } : null,
    )
    // Tokens and times differ between calls; everything else is equal.
    const steady = (text: string): string =>
      text.replaceAll(/"(?:continuationToken|lastSeenAt)":"[^"]*"/g, '')
    expect([operation.name, steady(said.output.trimEnd())]).toEqual([operation.name, steady(received)])
  }
})

test('missing or invalid arguments of a call are wrong usage, and nothing is sent', async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['call'], /call needs OPERATION/],
    [['call', 'Dance'], /no operation "Dance"/],
    [['call', 'GetRoom'], /groupId/],
    [['call', 'GetRoom', 'groupId'], /not of the form name=value/],
    [['call', 'GetRoom', 'groupId=a', 'colour=red'], /colour/],
    [['call', 'GetFirmwareReleasesByProductId', 'vendorId=2830', 'productId=0x24B3x'], /productId/],
    [['call', 'GetProductGroupBundleProductByVariantEntityId', 'entityId=abc'], /entityId/],
  ]
  for (const [words, why] of cases) {
    const said = await headroom(home, words, { key: service.key })
    expect([words.join(' '), said.code, said.output]).toEqual([words.join(' '), 2, ''])
    expect(said.errors).toMatch(why)
  }
})

test('an error of the service is printed as received and ends with 3; the failure is on standard error', async () => {
  const said = await call('GetRoom', { groupId: 'nowhere' }, '--json')
  expect([
    said.code,
    (JSON.parse(said.output) as { status: number }).status,
    (JSON.parse(said.errors) as { kind: string }).kind,
  ]).toEqual([3, 404, 'not-found'])
})

test('a document that is not published is reported as such', async () => {
  const said = await call('GetFirmwareReleasesByProductId', { vendorId: 2830, productId: 1 }, '--json')
  expect([said.code, (JSON.parse(said.errors) as { kind: string }).kind]).toEqual([3, 'not-found'])
})

test('strict reports members missing from the specification, and fails for none of them', async () => {
  const good = await call('GetTelemetry', {}, '--strict')
  const shown = await call('GetGnpSchemaVersions', {}, '--strict')
  expect([good.code, shown.code]).toEqual([0, 0])
  expect(good.errors).toMatch(/Nothing to report/)
})

test('a second run requests only stale documents of the metadata interface; the cache reports its size and can be emptied', async () => {
  const counts = async (): Promise<Readonly<Record<string, Readonly<Record<string, number>>>>> => {
    const answer = await fetch(`${service.managementUrl.replace(/management$/, 'demonstration')}/counts`, {
      headers: { 'Ocp-Apim-Subscription-Key': service.key },
    })
    return ((await answer.json()) as { arrivals: Record<string, Record<string, number>> }).arrivals
  }
  await document(home, ['releases', '2830/9416'], service.key)
  const first = await counts()
  await document(home, ['releases', '2830/9416'], service.key)
  expect(await counts()).toEqual(first)
  const size = await document<{ documents: number; bytes: number }>(home, ['cache', 'size'], service.key)
  expect({ documents: size.documents > 0, bytes: size.bytes > 0 }).toEqual({ documents: true, bytes: true })
  expect(await document(home, ['cache', 'clear'], service.key)).toMatchObject({ documents: 0, bytes: 0 })
  await document(home, ['releases', '2830/9416'], service.key)
  expect((await counts())['GetFirmwareReleasesByProductId']).toEqual({
    200: (first['GetFirmwareReleasesByProductId']?.['200'] ?? 0) + 1,
  })
})
