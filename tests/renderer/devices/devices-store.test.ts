import { describe, expect, it } from 'vitest'
import { useDeviceStore } from '../../../renderer/devices/device-store.ts'
import { useDevicesStore } from '../../../renderer/devices/devices-store.ts'
import { devicesOf, openCore, settle, type TestCore } from '../core.ts'

const byName = [{ column: 'name', descending: false }] as const
const windows = (core: { asked: readonly { channel: string }[] }): number =>
  core.asked.filter((one) => one.channel === 'devices.window').length

describe('the windows of the fleet', () => {
  it('asks for 50 rows and learns how many there are', async () => {
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
    expect(core.asked).toEqual([
      { channel: 'devices.window', argument: { where: '', sort: byName, start: 0, count: 50 } },
    ])
  })
  it('asks for what is in sight and not here, once, and for what comes next the way it goes', async () => {
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
    // Row 364 is past the end: there is nothing to ask for.
    devices.need(245, 264)
    await settle()
    expect(core.asked.map((one) => (one.argument as { start: number }).start)).toEqual([
      0, 50, 150, 100, 200, 250,
    ])
  })
  it('has the first window of a new filter before the list starts over', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    await devices.startOver()
    const release = core.hold('devices.window')
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
  it('starts over in another order', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    await devices.startOver()
    devices.sort = [{ column: 'name', descending: true }]
    await settle()
    const names = devices.newest.map((row) => row.name)
    expect([devices.startedOver, windows(core), names[0]! > names.at(-1)!]).toEqual([1, 2, true])
  })
  it('asks again for the first rows and those in sight when it is shown again', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    await devices.show()
    devices.need(60, 78)
    await settle()
    const before = devices.rowAt(65)
    await devices.show()
    await settle()
    expect([
      devices.rowAt(65)?.id === before?.id,
      devices.rowAt(65) === before,
      core.argumentsOf('devices.window').map((one) => (one as { start: number }).start),
    ]).toEqual([true, false, [0, 50, 0, 50]])
  })
  it('drops the answer of a filter that was left meanwhile', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    const release = core.hold('devices.window')
    devices.where = 'zzz'
    await settle()
    devices.where = ''
    await settle()
    release()
    await settle()
    expect([devices.total, devices.startedOver]).toEqual([300, 0])
  })
  it('a window of a filter that was left, come after that of the new one, changes no total', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    devices.where = 'status:online'
    await settle()
    const ofOnline = devices.total
    const releaseLate = core.hold('devices.window')
    devices.need(50, 68)
    const releaseNew = core.hold('devices.window')
    devices.where = ''
    await settle()
    releaseNew()
    await settle()
    const ofAll = devices.total
    releaseLate()
    await settle()
    expect([ofOnline === 300, ofAll, devices.total]).toEqual([false, 300, 300])
  })
  it('says why there is no window, and forgets it with the next good answer', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    core.fail('devices.window', { kind: 'too-busy', waiting: 9 })
    devices.need(0, 18)
    await settle()
    expect([devices.failure?.kind, devices.rowAt(0)]).toEqual(['too-busy', undefined])
    core.fail('devices.window', null)
    await devices.startOver()
    expect(devices.failure).toBeNull()
  })
  it('reloads what is shown when devices changed, without starting over', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    const stop = devices.follow()
    core.announce('devices.changed', { count: 3 })
    await settle()
    stop()
    core.announce('devices.changed', { count: 3 })
    expect([devices.changed, devices.startedOver]).toEqual([1, 0])
  })
  it('while one question is under way the newest waits alone: what was typed in between is never asked', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    const release = core.hold('devices.window')
    for (const text of ['a', 'an', 'ann', 'anna']) {
      devices.where = text
      await settle()
    }
    release()
    await settle()
    const asked = core.asked
      .filter((one) => one.channel === 'devices.window')
      .map((one) => (one.argument as { where: string }).where)
    expect([asked, devices.total !== null]).toEqual([['a', 'anna'], true])
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
  it('comes with the download link of the newest release of its product', async () => {
    const { core, device, row } = await opened()
    const asked = core.asked.find((one) => one.channel === 'firmware.link')?.argument
    const { latest } = row.firmware
    expect(asked).toEqual({
      vendorId: 2830,
      productId: row.productId,
      version: latest,
      buildType: null,
      refresh: false,
    })
    expect([device.standing.value, device.firmwareLink.value?.url, device.definition.value?.inUse]).toEqual([
      { kind: 'behind', latest, by: row.firmware.by },
      expect.stringContaining(`?v=${latest}&`),
      '14.5.0',
    ])
  })
  it('asks for no link where nothing is known of the product', async () => {
    const { core, device } = await opened('fw:by-service', ({ service, sleep }) => {
      service.alter('/firmware-bundles.json', () => [])
      sleep(26 * 3_600_000)
    })
    expect(device.standing.value).toEqual({ kind: 'unknown', why: 'not-published' })
    expect(core.asked.some((one) => one.channel === 'firmware.link')).toBe(false)
  })
  it('keeps what it shows when a later reading fails', async () => {
    const { core, device, row } = await opened()
    core.fail('devices.get', { kind: 'too-busy', waiting: 1 })
    await device.again()
    expect([device.device.value?.id, device.device.failure?.kind]).toEqual([row.id, 'too-busy'])
  })
  it('drops answers for a device that was left meanwhile', async () => {
    const { core, device, other } = await opened()
    const release = core.hold('devices.get')
    const late = device.open(other.id, 2830)
    device.close()
    release()
    await late
    expect([device.id, device.device.value]).toEqual([null, null])
  })
})
