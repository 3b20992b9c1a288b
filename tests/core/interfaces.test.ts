import { beforeEach, describe, expect, test } from 'vitest'
import type { Core } from '../../electron/core/app.ts'
import type { Demonstration } from '../../electron/demo/demonstration.ts'
import { openConnectedCore } from '../connected-core.ts'
import { pageCall } from '../page-call.ts'

let service: Demonstration
let core: Core

beforeEach(async () => {
  const opened = await openConnectedCore({ devices: 120, rooms: 8 })
  ;({ service, core } = opened)
  // Version 17 is the one before the newest: supported for six more months.
  await opened.add({ metadataVersion: 17 })
  return opened.close
})

describe('information about the interfaces', () => {
  test('reports a newer version of the metadata interface that responds', async () => {
    expect(await core.handlers.metadata.versions({ refresh: false })).toMatchObject({
      inUse: 17,
      newer: 18,
      supportedUntilAt: Date.UTC(2027, 2, 15),
      firstSeen: null,
      openapiKeptAt: expect.any(Number) as number,
      differences: [],
    })
  })

  test('returns telemetry, device recovery, and the size of the cache; the same without the service, until it is cleared', async () => {
    const read = async () => {
      const telemetry = await core.handlers.metadata.telemetry({ refresh: false })
      const recovery = await core.handlers.metadata.recovery({ text: 'VID_0B0E&PID_24B9' })
      return [
        telemetry.events,
        recovery.products.map(({ name }) => name),
        recovery.firmware?.version,
        recovery.configurations,
        recovery.raw,
      ]
    }
    const online = await read()
    const size = await core.handlers.metadata.cacheSize()
    await service.stop()
    expect(await read()).toEqual(online)
    expect({ documents: size.documents > 3, bytes: size.bytes > 1_000 }).toEqual({
      documents: true,
      bytes: true,
    })
    expect(await core.handlers.metadata.clearCache()).toEqual({ documents: 0, bytes: 0 })
    await expect(read()).rejects.toMatchObject({ failure: { kind: 'offline' } })
  })

  test('suggests the ids of the fleet in the Explorer after a sync', async () => {
    await core.handlers.sync.run()
    const operations = await core.handlers.explorer.operations()
    const offered = (operation: string, parameter: string) =>
      operations
        .find(({ name }) => name === operation)!
        .parameters.find(({ name }) => name === parameter)!
        .offered.map(({ value }) => value)
    const [deviceIds, groupIds] = [offered('GetDeviceSettings', 'deviceId'), offered('GetRoom', 'groupId')]
    expect(await core.handlers.devices.get({ id: deviceIds[0]! })).toMatchObject({ id: deviceIds[0] })
    const { status, body } = await core.handlers.explorer.run(pageCall('GetRoom', { groupId: groupIds[0]! }))
    expect([status, typeof JSON.parse(body)]).toEqual([200, 'object'])
    expect([
      offered('GetTelemetry', 'apiVersion'),
      offered('GetFirmwareReleasesByProductId', 'productId').includes('9395'),
    ]).toEqual([['17'], true])
  })

  test('saves and removes examples, and remembers calls', async () => {
    const { explorer } = core.handlers
    await explorer.run(pageCall('GetTelemetry'))
    const [example] = await explorer.saveExample({
      name: ' Telemetry ',
      operation: 'GetTelemetry',
      parameters: { apiVersion: '18' },
    })
    expect([
      example?.name,
      example?.parameters,
      (await explorer.history()).map(({ operation, status }) => [operation, status]),
    ]).toEqual(['Telemetry', { apiVersion: '18' }, [['GetTelemetry', 200]]])
    expect(await explorer.removeExample({ id: example!.id })).toEqual([])
    await expect(
      explorer.saveExample({ name: 'x', operation: 'Nothing', parameters: {} }),
    ).rejects.toMatchObject({ failure: { field: 'operation' } })
  })
})
