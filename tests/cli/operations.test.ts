import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  operations,
  pathOf,
  type Operation,
  type ParameterValue,
} from '../../electron/contract/operations.ts'
import { everyOperation, type EveryOperation } from '../every-operation.ts'
import { runOn, type Said } from './run-on.ts'

const all: readonly Operation[] = operations
const devicesPath = '/devices/api/devices'

let every: EveryOperation
beforeAll(async () => {
  every = await everyOperation()
})
// A stored copy would be reported.
beforeEach(() => headroom('cache', 'clear'))
afterAll(() => every.close())

const headroom = (...words: readonly string[]): Promise<Said> => runOn(every.core, words)
const document = async <T>(...words: readonly string[]): Promise<T> =>
  JSON.parse((await headroom(...words, '--json')).output) as T
const kindOf = ({ errors }: Said): string => (JSON.parse(errors) as { kind: string }).kind

/** The body of the response to an operation, without the program. */
async function straight(operation: Operation, path: string, body: object | null): Promise<string> {
  const { metadataUrl, managementUrl, key } = every.service
  const headers = {
    'Ocp-Apim-Subscription-Key': key,
    'Content-Type': 'application/json',
    'api-version': '2',
  }
  const ofMetadata = operation.interface === 'metadata'
  const response = await fetch(`${ofMetadata ? metadataUrl : managementUrl}${path}`, {
    ...(ofMetadata ? {} : { headers }),
    method: operation.method,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
  expect([operation.name, response.status]).toEqual([operation.name, 200])
  return response.text()
}

test('operations --json lists every documented operation in its format for other programs', async () => {
  const rows = await document<readonly Record<string, unknown>[]>('operations')
  expect(rows.map((row) => [row['name'], row['interface'], row['writes'], row['published']])).toEqual(
    all.map((operation) => [
      operation.name,
      operation.interface,
      operation.effect !== null,
      operation.published,
    ]),
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

/** Parameters that the program takes from the organization's profile. */
const ofProfile = { apiVersion: 18, sdk: 'Brand SDK V4' }
const inPathOf = (
  { parameters }: Operation,
  given: Readonly<Record<string, ParameterValue>>,
): Readonly<Record<string, ParameterValue>> =>
  Object.fromEntries(parameters.filter((one) => one.in === 'path').map(({ name }) => [name, given[name]!]))

describe('call prints the body as the service sent it', () => {
  // Version 1 of the device list is the same service under a profile of version 1: tests/core/management.
  const reading = all.filter(({ effect, name }) => effect === null && name !== 'ListDevicesV1')
  test.each(reading.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (name, operation) => {
      const pages = operation.method === 'POST' ? { pageSize: 3 } : null
      const { pageSize: _, sortDescending: __, ...parameters } = every.parametersOf(name)
      const words = Object.entries({ ...parameters, ...pages }).map(([one, value]) => `${one}=${value}`)
      const path =
        {
          ListDevicesWithSettings: `${devicesPath}/settings`,
          GetDeviceFirmware: `${devicesPath}/${parameters['deviceId']}/firmware`,
        }[name] ?? pathOf(operation, inPathOf(operation, { ...ofProfile, ...parameters }))
      const said = await headroom('call', name, ...words, '--json')
      // Tokens and times differ from one call to the next; everything else is unchanged.
      const steady = (text: string): string =>
        text.replaceAll(/"(?:continuationToken|lastSeenAt)":"[^"]*"/g, '')
      expect({ ...said, output: steady(said.output.trimEnd()) }).toEqual({
        code: 0,
        output: steady(await straight(operation, path, pages)),
        errors: '',
      })
    },
  )
})

test.each<readonly [words: readonly string[], why: RegExp]>([
  [['call'], /call needs OPERATION/],
  [['call', 'Dance'], /no operation "Dance"/],
  [['call', 'GetRoom'], /groupId/],
  [['call', 'GetRoom', 'groupId'], /not of the form name=value/],
  [['call', 'GetRoom', 'groupId=a', 'colour=red'], /colour/],
  [['call', 'GetFirmwareReleasesByProductId', 'vendorId=2830', 'productId=0x24B3x'], /productId/],
  [['call', 'GetProductGroupBundleProductByVariantEntityId', 'entityId=abc'], /entityId/],
])('%j is wrong usage, and nothing is sent', async (words, why) => {
  const before = every.service.counts().arrivals
  expect([await headroom(...words), every.service.counts().arrivals]).toEqual([
    { code: 2, output: '', errors: expect.stringMatching(why) },
    before,
  ])
})

describe('a write without --yes is wrong usage, without --unlock it is rejected; neither reaches the service', () => {
  const writing = all.filter(({ effect }) => effect !== null).map(({ name }) => name)
  test.each(['reboot', 'settings set', ...writing])('%s', async (name) => {
    const { groupId } = every.parametersOf('RebootRoom')
    const { deviceId } = every.parametersOf('UpdateDeviceSettings')
    const words = {
      reboot: ['reboot', groupId!],
      'settings set': ['settings', 'set', deviceId!, 'automaticZoomMode=fullScreen'],
      RebootRoom: ['call', name, `groupId=${groupId}`],
      UpdateDeviceSettings: [
        'call',
        name,
        `deviceId=${deviceId}`,
        'settings={"automaticZoomMode":{"selected":"fullScreen"}}',
      ],
      UpdateDeviceFirmware: ['call', name, `deviceId=${deviceId}`, 'firmwareVersion=1.0.0'],
    }[name]!
    const unsure = await headroom(...words, '--json')
    const locked = await headroom(...words, '--yes', '--json')
    const { arrivals } = every.service.counts()
    expect({
      unsure: [unsure.code, unsure.output],
      locked: [locked.code, locked.errors.includes('"writes-locked"')],
      sent: writing.filter((one) => arrivals[one] !== undefined),
      journal: (await document<{ total: number }>('journal')).total,
    }).toEqual({ unsure: [2, ''], locked: [3, true], sent: [], journal: 0 })
  })
})

test('a document that is not published is reported as such', async () => {
  const said = await headroom(
    'call',
    'GetFirmwareReleasesByProductId',
    'vendorId=2830',
    'productId=1',
    '--json',
  )
  expect([said.code, kindOf(said)]).toEqual([3, 'not-found'])
})

test('strict reports members missing from the specification, and fails for none of them', async () => {
  const good = await headroom('call', 'GetTelemetry', '--strict')
  const shown = await headroom('call', 'GetGnpSchemaVersions', '--strict')
  expect([good.code, shown.code]).toEqual([0, 0])
  expect(good.errors).toMatch(/Nothing to report/)
})

test('a second read requests only stale documents of the metadata interface; the cache reports its size and can be emptied', async () => {
  const arrivals = () => every.service.counts().arrivals
  const reads = (): number => arrivals()['GetFirmwareReleasesByProductId']?.['200'] ?? 0
  await document('releases', '2830/9416')
  const [first, firstReads] = [arrivals(), reads()]
  await document('releases', '2830/9416')
  expect(arrivals()).toEqual(first)
  const size = await document<{ documents: number; bytes: number }>('cache', 'size')
  expect({ documents: size.documents > 0, bytes: size.bytes > 0 }).toEqual({ documents: true, bytes: true })
  expect(await document('cache', 'clear')).toMatchObject({ documents: 0, bytes: 0 })
  await document('releases', '2830/9416')
  expect(reads()).toBe(firstReads + 1)
})
