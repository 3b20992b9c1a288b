import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { UsageError } from '../../electron/cli/grammar.ts'
import { aDevice, aRoom } from '../a-device.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'

let service: OddService
beforeEach(async () => {
  service = await anOddService()
  service.devices = {
    MeetingRoom: [aDevice(1, { firmwareVersion: '2.1.0' }), aDevice(2, { firmwareVersion: '2.2.0' })],
    Personal: [aDevice(3, { productId: 9395, productName: 'Jabra Evolve2 65' })],
  }
  service.rooms = [
    aRoom(1, { devices: [] }),
    aRoom(2, { devices: [{ id: 'D00000009', isConnected: false }] }),
  ]
  service.documents.set('/product-group-bundles/bundles', { bundles: [], unbundledProducts: [] })
  service.documents.set('/vendors/2830/products/12306/firmware-releases', [
    { version: '2.1.0' },
    { version: '2.2.0' },
  ])
  await service.run(inventoryCommands, 'sync')
})
afterEach(() => service.close())

const groups = async (...argv: string[]): Promise<unknown> =>
  JSON.parse((await service.run(inventoryCommands, ...argv, '--json')).output)

describe('--group-by', () => {
  it.each([
    [
      ['devices', '--group-by', 'productname'],
      [
        { value: 'Jabra PanaCast 50', count: 2, needing: 1 },
        { value: 'Jabra Evolve2 65', count: 1, needing: 0 },
      ],
    ],
    [
      ['devices', '--group-by', 'product', '--where', 'product:evolve'],
      [{ value: 'Jabra Evolve2 65', count: 1, needing: 0 }],
    ],
    [['devices', '--group-by', 'roomName'], [{ value: null, count: 3, needing: 1 }]],
    [
      ['devices', '--group-by', 'firmwareVersion', '--where', 'product:panacast fw:2.1'],
      [{ value: '2.1.0', count: 1, needing: 1 }],
    ],
    [
      ['rooms', '--group-by', 'health'],
      [
        { value: 'down', count: 1, needing: 1 },
        { value: 'unknown', count: 1, needing: 0 },
      ],
    ],
  ])('%j counts the items of each group, and how many need attention', async (argv, expected) => {
    expect(await groups(...argv)).toEqual({ total: expected.length, groups: expected })
  })

  it('says so when nothing matches', async () => {
    const words = ['rooms', '--group-by', 'health', '--where', 'nowhere']
    expect((await service.run(inventoryCommands, ...words)).output).toBe('Nothing matches.\n')
  })

  it('is a table without --json', async () => {
    expect((await service.run(inventoryCommands, 'devices', '--group-by', 'productName')).output).toBe(
      [
        'Value              Devices  Behind or revoked',
        'Jabra PanaCast 50  2        1',
        'Jabra Evolve2 65   1        0',
        '',
      ].join('\n'),
    )
  })

  it.each([
    [
      ['--group-by', 'serialNumber'],
      /^--group-by: there is no field "serialNumber"\. There are: productName \(product\), firmwareVersion \(fw, firmware\), status,/,
    ],
    [['--group-by', 'status', '--sort', 'name'], /^--sort cannot be used with --group-by\.$/],
    [['--group-by', 'status', '--csv'], /^--csv cannot be used with --group-by\.$/],
    [['--group-by', 'status', '--preset', 'glpi'], /^--preset cannot be used with --group-by\.$/],
  ])('%j is rejected', async (argv, message) => {
    const refused = service.run(inventoryCommands, 'devices', ...argv)
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toThrow(UsageError)
  })
})
