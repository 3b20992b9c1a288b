import { describe, expect, it } from 'vitest'
import type { DeviceWindow } from '../../../electron/contract/api/devices.ts'
import { useDeviceStore } from '../../../renderer/devices/device-store.ts'
import { useDevicesStore } from '../../../renderer/devices/devices-store.ts'
import { devicesOf, openCore, settle } from '../core.ts'

const byName = [{ column: 'name', descending: false }] as const
const windows = (core: { asked: readonly { channel: string }[] }): number =>
  core.asked.filter((one) => one.channel === 'devices.window').length

describe('the windows of the fleet', () => {
  it('asks for 100 rows and learns how many there are', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    const window = (await devices.windowAt(0, byName)) as DeviceWindow
    expect([window.rows.length, devices.total, devices.all]).toEqual([100, 300, 300])
    expect(core.asked[0]).toEqual({
      channel: 'devices.window',
      argument: { where: '', sort: byName, start: 0, count: 100 },
    })
  })
  it('has the first window of a new filter at hand before the table starts over, and hands it out once', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    await devices.startOver()
    devices.where = 'speak2'
    await settle()
    expect(devices.startedOver).toBe(2)
    const asked = windows(core)
    const window = devices.windowAt(0, byName)
    expect(window).not.toBeInstanceOf(Promise)
    expect(new Set((window as DeviceWindow).rows.map((row) => row.productName))).toEqual(
      new Set(['Jabra Speak2 55', 'Jabra Speak2 75', 'Jabra Speak2 75 (Teams)']),
    )
    expect(windows(core)).toBe(asked)
    await devices.windowAt(0, byName)
    expect(windows(core)).toBe(asked + 1)
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
    expect([devices.total, devices.startedOver]).toEqual([300, 1])
  })
  it('a window of a filter that was left, come after that of the new one, changes no total', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    devices.where = 'speak2'
    await settle()
    await devices.windowAt(0, byName)
    const ofSpeak2 = devices.total
    const releaseLate = core.hold('devices.window')
    const late = devices.windowAt(100, byName)
    const releaseNew = core.hold('devices.window')
    devices.where = ''
    await settle()
    releaseNew()
    await settle()
    const ofAll = devices.total
    releaseLate()
    await late
    expect([ofSpeak2 === 300, ofAll, devices.total]).toEqual([false, 300, 300])
  })
  it('says why there is no window, and forgets it with the next good answer', async () => {
    const core = await openCore()
    const devices = useDevicesStore()
    core.fail('devices.window', { kind: 'too-busy', waiting: 9 })
    expect(await devices.windowAt(0, byName)).toBeNull()
    expect(devices.failure?.kind).toBe('too-busy')
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
  async function opened(where = 'fw:behind') {
    const core = await openCore()
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
    const { core, device } = await opened('fw:by-service')
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
