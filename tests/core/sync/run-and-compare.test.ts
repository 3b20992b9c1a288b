import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncReport } from '../../../electron/contract/api/sync.ts'
import { aDevice } from '../../a-device.ts'
import { anOddService, type OddService } from '../../an-odd-service.ts'

const odd = 5_000_000_000
let service: OddService
beforeEach(async () => {
  service = await anOddService()
  service.documents.set('/product-group-bundles/bundles', { bundles: [], unbundledProducts: [] })
  return service.close
})

const has = (...numbers: number[]): void => {
  service.devices = { MeetingRoom: numbers.map((number) => aDevice(number)), Personal: [] }
}
const runAndCompare = (acceptGone: number | null) => service.core.handlers.sync.runAndCompare({ acceptGone })
const gone = ({ complete, devices }: SyncReport): readonly [boolean, number] => [complete, devices.gone]

describe('a sync with the comparison after it', () => {
  it('returns what the sync and the comparison found', async () => {
    service.devices = {
      MeetingRoom: [],
      Personal: [aDevice(1, { productId: odd, productName: 'Odd thing' })],
    }
    const { report, ...compared } = await runAndCompare(null)
    const { last } = (await service.core.handlers.app.status()).sync
    expect([report, compared]).toEqual([
      last,
      {
        left: 0,
        notCompared: [
          {
            productId: odd,
            productName: 'Odd thing',
            devices: 1,
            failure: {
              kind: 'invalid',
              field: 'productId',
              message: `${odd} is not a product ID: it does not fit 32 bits, so nothing is published for it.`,
            },
            comparedAt: null,
          },
        ],
        notes: [],
        lastFailure: null,
        held: null,
        nothingPublished: false,
      },
    ])
  })

  it('marks as gone what the last one held', async () => {
    has(...Array.from({ length: 11 }, (_, number) => number))
    await runAndCompare(null)
    has()
    const held = await runAndCompare(null)
    const accepted = await runAndCompare(11)
    expect([held, accepted].map((one) => [gone(one.report), one.held])).toEqual([
      [[false, 0], { devices: { listed: 0, known: 11 }, rooms: { listed: 0, known: 0 } }],
      [[true, 11], null],
    ])
  })

  it('is a task of its client', async () => {
    has(1)
    const { promise, resolve } = Promise.withResolvers<void>()
    service.delay = (url) => (url.includes('firmware-releases') ? promise : undefined)
    const running = runAndCompare(null)
    const listed = async () => (await service.core.handlers.tasks.list()).map((task) => task.of)
    await expect.poll(listed).toEqual(['sync'])
    resolve()
    await running
    expect(await listed()).toEqual([])
  })
})
