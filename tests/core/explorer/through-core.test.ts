import { beforeEach, describe, expect, it } from 'vitest'
import { operations } from '../../../electron/contract/operations.ts'
import { demonstrationTemplates, openConnectedCore, type ConnectedCore } from '../../connected-core.ts'
import { pageCall } from '../../page-call.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'

let connected: ConnectedCore
beforeEach(async () => {
  connected = await openConnectedCore({ devices: 6, rooms: 1 })
  return connected.close
})
const explorer = () => connected.core.handlers.explorer

describe('the known operations', () => {
  it('are the documented ones with their observed paths, without an organization', async () => {
    const known = await explorer().knownOperations()
    expect(known.map(({ name, path }) => [name, path])).toEqual(
      operations.map(({ name, path }) => [name, path]),
    )
  })

  it('have the paths of the organization and cost no call', async () => {
    await connected.add({ templates: { ...demonstrationTemplates, firmwareRead: 'GET /own/{deviceId}' } })
    const known = await explorer().knownOperations()
    expect([
      known.find(({ name }) => name === 'GetDeviceFirmware')?.path,
      connected.service.counts().arrivals,
    ]).toEqual(['/own/{deviceId}', {}])
  })
})

describe('a call of a client', () => {
  const only = { ...pageCall('GetGnpSchemaVersions'), copies: 'only' } as const
  const copyOf = async (call: Parameters<ReturnType<typeof explorer>['run']>[0]): Promise<unknown> =>
    (await explorer().run(call)).copy?.because ?? null

  it('uses and stores copies only where it wants them', async () => {
    await connected.add()
    const before = [
      await copyOf(pageCall('GetGnpSchemaVersions')),
      (await failureOf(explorer().run(only)))?.kind,
    ]
    expect([before, await copyOf({ ...only, copies: 'revalidate' }), await copyOf(only)]).toEqual([
      [null, 'not-found'],
      null,
      'not-asked',
    ])
  })

  it('that writes is sent once for its reference', async () => {
    await connected.add()
    const { sync, devices } = connected.core.handlers
    await sync.run()
    const [device] = (await devices.slice({ where: 'status:online', sort: [], start: 0, count: 1 })).rows
    const reference = 'client-0123456789abcdef0123456789abcdef'
    const write = (deviceId: string) =>
      explorer().run({
        ...pageCall('UpdateDeviceSettings', { deviceId, settings: '{}' }, true),
        reference,
      })
    const { report } = await write(device!.id)
    expect([
      report?.journalId,
      await failureOf(write('another')),
      await connected.core.shared.workbook.query('SELECT id, reference FROM journal_begin', []),
    ]).toEqual([
      1,
      {
        kind: 'invalid',
        field: 'reference',
        message: 'This action was already started. It is not sent again.',
      },
      [{ id: 1, reference }],
    ])
  })
})
