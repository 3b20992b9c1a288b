import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { aDevice } from '../a-device.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'
import { answer } from '../fake-transport.ts'

const odd = 5_000_000_000
const oddDevice = aDevice(3, { productId: odd, productName: 'Odd thing' })
const others = [aDevice(1, { firmwareVersion: '2.1.0' }), aDevice(2, { firmwareVersion: '2.2.0' })]

let service: OddService
beforeEach(async () => {
  service = await anOddService()
  service.devices = { MeetingRoom: others, Personal: [oddDevice] }
  service.documents.set('/product-group-bundles/bundles', { bundles: [], unbundledProducts: [] })
  service.documents.set('/vendors/2830/products/12306/firmware-releases', [
    { version: '2.1.0' },
    { version: '2.2.0' },
  ])
})
afterEach(() => service.close())

const sync = (...options: string[]) => service.run(inventoryCommands, 'sync', ...options)
const words = async (): Promise<string[]> => {
  const { output } = await service.run(inventoryCommands, 'devices', '--json', '--sort', 'name')
  return (JSON.parse(output) as { devices: { productId: number; firmware: { word: string } }[] }).devices.map(
    (one) => `${one.productId} ${one.firmware.word}`,
  )
}

describe('headroom sync', () => {
  it('reports a product id that cannot exist, and compares all other products', async () => {
    const { code, output, errors } = await sync()
    const requested = service.requests.filter(({ url }) => url.includes(String(odd)))
    expect([code, output.split('\n')[0], errors, await words(), requested]).toEqual([
      0,
      'Complete.',
      `The firmware of Odd thing (product id ${odd}, 1 device) was not compared. ${odd} is not a product ID: it does not fit 32 bits, so nothing is published for it.\n`,
      ['12306 behind', '12306 current', `${odd} unknown`],
      [],
    ])
  })

  it('says that a negative product id is negative', async () => {
    service.devices = { MeetingRoom: others, Personal: [aDevice(3, { productId: -3, productName: null })] }
    expect((await sync()).errors).toContain(
      '-3 is not a product ID: it is negative, so nothing is published for it.',
    )
  })

  it('includes it in its document', async () => {
    const { code, output } = await sync('--json')
    expect([code, (JSON.parse(output) as { firmware: unknown }).firmware]).toEqual([
      0,
      {
        nothingPublished: false,
        notCompared: [
          {
            vendorId: 2830,
            productId: odd,
            name: 'Odd thing',
            devices: 1,
            failure: {
              kind: 'invalid',
              field: 'productId',
              message: `${odd} is not a product ID: it does not fit 32 bits, so nothing is published for it.`,
            },
            comparedAt: null,
          },
        ],
      },
    ])
  })

  it('stops reporting it once the service sends another product id', async () => {
    await sync()
    service.devices = { MeetingRoom: others, Personal: [aDevice(3, { firmwareVersion: '2.2.0' })] }
    expect([await sync(), await words()]).toEqual([
      { code: 0, output: expect.stringMatching(/^Complete\./) as string, errors: '' },
      ['12306 behind', '12306 current', '12306 current'],
    ])
  })

  it('is partly done when the releases of a product have an unexpected form', async () => {
    service.devices = {
      MeetingRoom: others,
      Personal: [aDevice(3, { productId: 7, productName: 'Other thing' })],
    }
    service.instead = ({ url }) =>
      url.includes('/products/7/') ? answer(200, '<html>', { 'content-type': 'text/html' }) : undefined
    const { code, errors } = await sync()
    expect([code, errors, await words()]).toEqual([
      4,
      expect.stringMatching(
        /^The firmware of Other thing \(product id 7, 1 device\) was not compared\. The answer of odd\.example could not be read \(GetFirmwareReleasesByProductId, .*HTML page.*\n$/,
      ),
      ['12306 behind', '12306 current', '7 unknown'],
    ])
  })

  it('is partly done when nothing is found on the metadata interface, as the window reports too', async () => {
    service.documents.clear()
    const sentence =
      'The metadata interface at odd.example, version 18, publishes nothing (404 for every document), so no firmware was compared. Check the metadata address and version of the organization.'
    const { code, errors } = await sync()
    const notes = async (): Promise<readonly string[]> =>
      (await service.core.handlers.app.status()).sync.notes
    const before = await notes()
    expect([code, errors.split('\n')[0], before]).toEqual([4, sentence, [sentence]])
    service.documents.set('/product-group-bundles/bundles', { bundles: [], unbundledProducts: [] })
    await service.core.handlers.metadata.clearCache()
    expect([(await sync()).code, await notes()]).toEqual([0, []])
  })

  it('says from 60 days before its end how long the metadata version is supported, as the window does', async () => {
    service.instead = ({ url }) =>
      url.includes('/v/19/openapi') ? answer(200, { openapi: '3.0.1', paths: {} }) : undefined
    service.devices = { MeetingRoom: others, Personal: [] }
    const first = await sync()
    service.sleep(130 * 86_400_000)
    const { code, errors } = await sync()
    expect([first.errors, code, errors, (await service.core.handlers.app.status()).sync.notes]).toEqual([
      '',
      0,
      expect.stringMatching(
        /^Metadata version 18 is supported until .+ at the latest; version 19 was first seen on .+\. Another version can be set in the profile of the organization\.\n$/,
      ),
      [errors.trimEnd()],
    ])
  })

  it('names a page that cannot be followed', async () => {
    service.instead = ({ url }) =>
      url.endsWith('/devices/api/devices') ? answer(200, { items: others, nextThing: 'x' }) : undefined
    const { code, errors } = await sync()
    expect([code, errors]).toEqual([
      4,
      'The answer of odd.example could not be read (ListDevices, nextThing): It may lead to more pages, but its meaning is not published. Try again. If it happens again, check the address. Earlier data is kept.\n',
    ])
  })
})

describe('headroom devices', () => {
  it('distinguishes personal from meeting-room devices, in JSON, CSV and by filter', async () => {
    service.devices = {
      MeetingRoom: [aDevice(1, { jabraClient: null })],
      Personal: [aDevice(2, { jabraClient: { clientType: 'personal' } })],
    }
    await sync()
    const list = async (...options: string[]) =>
      (await service.run(inventoryCommands, 'devices', '--sort', 'name', ...options)).output
    const found = JSON.parse(await list('--json', '--where', 'client-type:personal')) as {
      devices: { id: string; clientType: string }[]
    }
    expect([
      found.devices.map(({ id, clientType }) => [id, clientType]),
      (await list('--csv', '--columns', 'id,clientType')).trim().split(/\r?\n/).slice(-2),
    ]).toEqual([[['D00000002', 'Personal']], ['D00000001,MeetingRoom', 'D00000002,Personal']])
  })
})

describe('headroom sync, when records are not listed,', () => {
  describe('holds what would be gone, if it is much', () => {
    const listed = (count: number) => Array.from({ length: count }, (_, number) => aDevice(number))
    beforeEach(async () => {
      service.devices = { MeetingRoom: [], Personal: listed(40) }
      await sync()
      service.devices = { MeetingRoom: [], Personal: listed(28) }
    })
    const held =
      'The service listed 28 of 40 devices. Sync again. If the others are gone: headroom sync --accept-gone 12\n'

    it('and says how many, and what to do', async () => {
      const { code, output, errors } = await sync()
      expect([code, output.split('\n').slice(0, 2), errors]).toEqual([
        4,
        [
          'Not complete: so many are not listed that none were marked as gone.',
          'Devices 28, unreadable 0, gone 0.',
        ],
        held,
      ])
    })

    it('and its document has the numbers', async () => {
      const { code, output } = await sync('--json')
      expect([code, JSON.parse(output)]).toMatchObject([
        4,
        { complete: false, held: { devices: 12, rooms: 0 }, devices: { gone: 0 } },
      ])
    })

    it('until exactly those are accepted', async () => {
      await sync()
      const other = await sync('--accept-gone', '11')
      const { code, output, errors } = await sync('--accept-gone', '12')
      expect([other.code, other.errors, code, output.split('\n').slice(0, 2), errors]).toEqual([
        4,
        `${held}Nothing was marked as gone: 11 records were accepted, but 12 are not listed now.\n`,
        0,
        ['Complete.', 'Devices 28, unreadable 0, gone 12.'],
        '',
      ])
    })

    it('and accepting what is listed again ends with 4', async () => {
      await sync()
      service.devices = { MeetingRoom: [], Personal: listed(40) }
      const { code, output, errors } = await sync('--accept-gone', '12')
      expect([code, output.split('\n')[0], errors]).toEqual([
        4,
        'Complete.',
        'Nothing was marked as gone: 12 records were accepted, but 0 are not listed now.\n',
      ])
    })

    it.each(['0', '-1', '1.5', 'all', '', '1e3'])('and --accept-gone %j is refused', async (count) => {
      const requested = service.requests.length
      await expect(sync(`--accept-gone=${count}`)).rejects.toThrow(
        `--accept-gone is a whole number above 0, not "${count}".`,
      )
      expect(service.requests.length).toBe(requested)
    })
  })

  it('ends with 4 the first time that a record cannot be read, then with 0 and a sentence', async () => {
    service.devices = { MeetingRoom: others, Personal: [] }
    await sync()
    service.devices = { MeetingRoom: others.slice(1), Personal: [null] }
    const [first, second] = [await sync(), await sync()]
    expect([first.code, first.errors, second.code, second.errors]).toEqual([
      4,
      'The answer of management interface could not be read (ListDevices, items): 1 record cannot be read, and 1 known device is not listed. Nothing was marked as gone. Try again. If it happens again, check the address. Earlier data is kept.\n',
      0,
      '1 device record still cannot be read. 1 known device is not listed since then, and not marked as gone.\n',
    ])
  })
})
