import { describe, expect, it } from 'vitest'
import { useDeviceStore } from '../../../renderer/devices/device-store.ts'
import { useDevicesStore } from '../../../renderer/devices/devices-store.ts'
import { devicesOf, openCore, settle, type TestCore } from '../core.ts'

const byTitle = [{ column: 'userOrRoom', descending: false }] as const
const windows = (core: { requested: readonly { channel: string }[] }): number =>
  core.requested.filter((one) => one.channel === 'devices.slice').length

describe('slices of the fleet', () => {
  it('request 50 rows and return the total', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    devices.need(0, 18)
    await settle()
    expect([devices.rowAt(49)?.id === undefined, devices.rowAt(50), devices.total, devices.all]).toEqual([
      false,
      undefined,
      300,
      300,
    ])
    expect(core.requested).toEqual([
      { channel: 'devices.slice', argument: { where: '', sort: byTitle, start: 0, count: 50 } },
    ])
  })
  it('request visible missing rows once, and then the next in the scroll direction', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    devices.need(0, 18)
    devices.need(0, 18)
    await settle()
    devices.need(45, 64)
    devices.need(47, 66)
    await settle()
    devices.need(46, 65)
    await settle()
    expect([devices.indexOf(devices.rowAt(75)!.id), devices.indexOf('none')]).toEqual([75, null])
    devices.need(20, 38)
    devices.need(30, 48)
    await settle()
    // Row 364 is past the end, so there is nothing to request.
    devices.need(245, 264)
    await settle()
    expect(core.requested.map((one) => (one.argument as { start: number }).start)).toEqual([
      0, 50, 150, 100, 200, 250,
    ])
  })
  it('have the first rows of a new filter before the list starts over', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    await devices.startOver()
    const release = core.hold('devices.slice')
    devices.where = 'speak2'
    await settle()
    const during = [devices.startedOver, devices.rowAt(0) === undefined]
    release()
    await settle()
    expect([during, devices.startedOver, windows(core)]).toEqual([[0, false], 1, 2])
    expect(new Set(devices.newest.map((row) => row.productName))).toEqual(
      new Set(['Jabra Speak2 55', 'Jabra Speak2 75', 'Jabra Speak2 75 (Teams)']),
    )
  })
  it('start over in another order', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    await devices.startOver()
    devices.sort = [{ column: 'name', descending: true }]
    await settle()
    const names = devices.newest.map((row) => row.name)
    expect([devices.startedOver, windows(core), names[0]! > names.at(-1)!]).toEqual([1, 2, true])
  })
  it('reload the first and the visible rows when the list is shown again', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    await devices.show()
    devices.need(60, 78)
    await settle()
    const previous = devices.rowAt(65)
    await devices.show()
    await settle()
    expect([
      devices.rowAt(65)?.id === previous?.id,
      devices.rowAt(65) === previous,
      core.argumentsOf('devices.slice').map((one) => (one as { start: number }).start),
    ]).toEqual([true, false, [0, 50, 0, 50]])
  })
  it('drop the response to an earlier filter', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    const release = core.hold('devices.slice')
    devices.where = 'zzz'
    await settle()
    devices.where = ''
    await settle()
    release()
    await settle()
    expect([devices.total, devices.startedOver]).toEqual([300, 0])
  })
  it('do not change the total by a late response to an earlier filter', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    devices.where = 'status:online'
    await settle()
    const ofOnline = devices.total
    const releaseLate = core.hold('devices.slice')
    devices.need(50, 68)
    const releaseNew = core.hold('devices.slice')
    devices.where = ''
    await settle()
    releaseNew()
    await settle()
    const ofAll = devices.total
    releaseLate()
    await settle()
    expect([ofOnline === 300, ofAll, devices.total]).toEqual([false, 300, 300])
  })
  it('show a failure until the next good response', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    core.fail('devices.slice', { kind: 'too-busy', waiting: 9 })
    devices.need(0, 18)
    await settle()
    expect([devices.failure?.kind, devices.rowAt(0)]).toEqual(['too-busy', undefined])
    core.fail('devices.slice', null)
    await devices.startOver()
    expect(devices.failure).toBeNull()
  })
  it('reload visible rows when devices changed, without starting over', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    const stop = devices.follow()
    core.emit('devices.changed', { count: 3 })
    await settle()
    stop()
    core.emit('devices.changed', { count: 3 })
    expect([devices.changed, devices.startedOver]).toEqual([1, 0])
  })
  it('send only the newest of the queries typed during a request', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    const release = core.hold('devices.slice')
    for (const text of ['a', 'an', 'ann', 'anna']) {
      devices.where = text
      await settle()
    }
    release()
    await settle()
    const requested = core.requested
      .filter((one) => one.channel === 'devices.slice')
      .map((one) => (one.argument as { where: string }).where)
    expect([requested, devices.total !== null]).toEqual([['a', 'anna'], true])
  })
})

describe('the device in the drawer', () => {
  async function opened(where = 'fw:behind', prepare: (core: TestCore) => void = () => undefined) {
    const core = await openCore()
    prepare(core)
    const [row, other] = await devicesOf(core, where)
    const device = useDeviceStore()
    await core.finish(device.open(row!.id, 2830))
    return { core, device, row: row!, other: other! }
  }
  it('has the download link of the newest release of its product', async () => {
    const { core, device, row } = await opened()
    const requested = core.requested.find((one) => one.channel === 'firmware.link')?.argument
    const { latest } = row.firmware
    expect(requested).toEqual({
      vendorId: 2830,
      productId: row.productId,
      version: latest,
      buildType: null,
      refresh: false,
    })
    expect([device.compliance.value, device.firmwareLink.value?.url, device.definition.value?.inUse]).toEqual(
      [{ kind: 'behind', latest, by: row.firmware.by }, expect.stringContaining(`?v=${latest}&`), '14.5.0'],
    )
  })
  it('requests no link for an unknown product', async () => {
    const { core, device } = await opened('pid:13824', ({ service, sleep }) => {
      service.alter('/firmware-bundles.json', () => [])
      sleep(26 * 3_600_000)
    })
    expect(device.compliance.value).toEqual({ kind: 'unknown', why: 'not-published' })
    expect(core.requested.some((one) => one.channel === 'firmware.link')).toBe(false)
  })
  it('keeps its data when a later reading fails', async () => {
    const { core, device, row } = await opened()
    core.fail('devices.get', { kind: 'too-busy', waiting: 1 })
    await device.again()
    expect([device.device.value?.id, device.device.failure?.kind]).toEqual([row.id, 'too-busy'])
  })
  it('drops responses for a device that was left meanwhile', async () => {
    const { core, device, other } = await opened()
    const release = core.hold('devices.get')
    const late = device.open(other.id, 2830)
    device.close()
    release()
    await late
    expect([device.id, device.device.value]).toEqual([null, null])
  })
})
