import { beforeEach, describe, expect, it } from 'vitest'
import { answer } from '../../fake-transport.ts'
import { useFirmware } from '../../../renderer/firmware/firmware-store.ts'
import { openCore, settle, type TestCore } from '../core.ts'

let core: TestCore
beforeEach(async () => {
  core = await openCore()
})
const evolve = { vendorId: 2830, productId: 9395 }
const speak = { vendorId: 2830, productId: 9333 }
const links = (): readonly unknown[] => core.argumentsOf('firmware.link')

describe('the firmware of a product', () => {
  it('finds the link of the latest release with the usual build type', async () => {
    const firmware = useFirmware()
    await firmware.open(evolve, null)
    expect(links()).toEqual([{ ...evolve, version: '2.9.2', buildType: null, refresh: false }])
    expect([firmware.version, firmware.buildType, firmware.download?.host]).toEqual([
      '2.9.2',
      'Release',
      '127.0.0.1',
    ])
  })

  it('opens the release of an address, or the latest for an unknown one', async () => {
    const firmware = useFirmware()
    await firmware.open(evolve, '2.7.2')
    expect(firmware.version).toBe('2.7.2')
    await firmware.open(speak, '99.0.0')
    expect(firmware.version).toBe(firmware.list?.releases.find((one) => one.latest)?.version)
  })

  it('requests the link of another release or build type, and hides the earlier one', async () => {
    const firmware = useFirmware()
    await firmware.open(evolve, null)
    await firmware.choose('2.7.2')
    expect(firmware.download?.url).toContain('v=2.7.2')
    const chosen = firmware.chooseBuildType('Debug')
    expect(firmware.download).toBeNull()
    await chosen
    expect([firmware.download, firmware.downloadFailure?.kind]).toEqual([null, 'not-found'])
  })

  it('requests nothing when the selected release is selected again', async () => {
    const firmware = useFirmware()
    await firmware.open(evolve, null)
    await firmware.choose('2.9.2')
    await firmware.chooseBuildType(' Release ')
    expect(links()).toHaveLength(1)
  })

  it('keeps the previous link when a refresh fails', async () => {
    const firmware = useFirmware()
    await firmware.open(evolve, null)
    core.service.script('/downloadLink.json', () => answer(200, 'nonsense'))
    await firmware.refresh()
    expect([firmware.download?.url?.includes('2.9.2'), firmware.downloadFailure?.kind]).toEqual([
      true,
      'unreadable-answer',
    ])
  })

  it('never shows the response for one product under another', async () => {
    const release = core.hold('firmware.releases')
    const firmware = useFirmware()
    const first = firmware.open(evolve, null)
    const second = firmware.open(speak, null)
    release()
    await Promise.all([first, second])
    await settle()
    expect([firmware.list?.product.productId, firmware.download?.url?.includes('Jabra_Speak_710')]).toEqual([
      9333,
      true,
    ])
  })
})
