import { describe, expect, test } from 'vitest'
import type { ParameterValue } from '../../electron/contract/operations.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { operationNamed, operations, pathOf } from '../../electron/contract/operations.ts'

const whyNot = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error instanceof Failed && error.failure.kind === 'invalid'
      ? `${error.failure.field} ${error.failure.message}`
      : error
  }
}

describe('the table of operations', () => {
  test('has the 33 of the metadata interface, its description, product content, and those of the management interface', () => {
    const count = (of: string): number => operations.filter((operation) => operation.interface === of).length
    expect([
      count('metadata'),
      count('management'),
      new Set(operations.map(({ name }) => name)).size,
    ]).toEqual([35, 10, operations.length])
  })

  test('marks operations that change a device, and those without a published path', () => {
    const named = (isNamed: (operation: (typeof operations)[number]) => boolean): string[] =>
      operations.filter(isNamed).map(({ name }) => name)
    expect(named(({ effect }) => effect !== null)).toEqual([
      'RebootRoom',
      'UpdateDeviceSettings',
      'UpdateDeviceFirmware',
    ])
    expect(named(({ published }) => !published)).toEqual([
      'GetDeviceSettings',
      'UpdateDeviceSettings',
      'ListDevicesWithSettings',
      'GetDeviceFirmware',
      'UpdateDeviceFirmware',
    ])
  })

  test('requires a guid where the specification does', () => {
    const typed = operations.flatMap(({ name, parameters }) =>
      parameters.filter(({ type }) => type === 'guid').map(() => name),
    )
    expect(typed).toEqual(['GetProductGroupBundleProductByVariantEntityId'])
  })
})

describe('the path of a call', () => {
  const link = {
    apiVersion: 18,
    vendorId: 2830,
    productId: 9395,
    firmwareVersion: '2.9.2',
    buildType: 'Release',
  }
  const model = {
    apiVersion: 18,
    vendorId: 2830,
    productId: 9395,
    variantType: '01-64',
    firmwareVersion: '2.9.2',
    sdk: 'Brand SDK V4',
    definitionVersion: '14.5.0',
  }

  test.each([
    [
      'GetGnpSchemaVersions',
      { apiVersion: 18 },
      '/models/v/18/protocol-definitions/gnp/schema-versions.json',
    ],
    ['GetProductContent', { apiVersion: 18 }, '/content/v/18/products.json'],
    ['GetOpenApi', { apiVersion: '18' }, '/models/v/18/openapi.json'],
    [
      'GetFirmwareDownloadLinkByProduct',
      link,
      '/models/v/18/vendors/2830/products/9395/firmware-versions/2.9.2/build-types/Release/downloadLink.json',
    ],
    [
      'GetDeviceModelByDefinition',
      model,
      '/models/v/18/vendors/2830/products/9395/variants/01-64/firmware-versions/2.9.2/device-models/Brand%20SDK%20V4/definition-versions/14.5.0.json',
    ],
    ['GetRoom', { groupId: 'a/b%2Fc d' }, '/meetingrooms/api/meetingrooms/a%2Fb%252Fc%20d'],
    ['ListDevices', { pageSize: 100 }, '/devices/api/devices'],
    [
      'ListDevicesV1',
      { PageSize: 100, ContinuationToken: '+a/b=%2B&#' },
      '/devices/api/devices?PageSize=100&ContinuationToken=%2Ba%2Fb%3D%252B%26%23',
    ],
    ['ListDevicesV1', { DeviceClientType: '' }, '/devices/api/devices?DeviceClientType='],
  ] as const)('of %s with %j is %s', (name, parameters: Readonly<Record<string, ParameterValue>>, path) => {
    expect(pathOf(operationNamed(name), parameters)).toBe(path)
  })

  test.each([
    [{ ...link, productId: undefined as never }, 'productId is missing'],
    [{ ...link, productId: 2_147_483_648 }, 'productId must be a whole number that fits 32 bits'],
    [{ ...link, productId: 1.5 }, 'productId must be a whole number that fits 32 bits'],
    [{ ...link, productId: '0x24B3' }, 'productId must be a whole number that fits 32 bits'],
    [{ ...link, firmwareVersion: '' }, 'firmwareVersion is missing'],
    [{ ...link, firmwareVersion: '..' }, 'firmwareVersion cannot be a path segment'],
    [{ ...link, buildType: 'half \ud800' }, 'buildType contains an incomplete character'],
    [{ ...link, colour: 'red' }, 'colour is not a parameter of GetFirmwareDownloadLinkByProduct'],
  ])('is rejected with %j', (parameters: Readonly<Record<string, ParameterValue>>, why) => {
    expect(whyNot(() => pathOf(operationNamed('GetFirmwareDownloadLinkByProduct'), parameters))).toBe(why)
  })

  test('needs a template for an operation without a published path', () => {
    const operation = operationNamed('GetDeviceFirmware')
    expect([
      whyNot(() => pathOf(operation)),
      pathOf(operation, { deviceId: 'D 1' }, '/devices/{deviceId}/firmware'),
    ]).toEqual(['path No path is published for GetDeviceFirmware.', '/devices/D%201/firmware'])
  })

  test('requires a guid for an entity id', () => {
    const operation = operationNamed('GetProductGroupBundleProductByVariantEntityId')
    expect(whyNot(() => pathOf(operation, { apiVersion: 18, entityId: 'abc' }))).toBe(
      'entityId must be a guid',
    )
  })
})
