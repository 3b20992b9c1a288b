import { mount } from '@vue/test-utils'
import { beforeEach, describe, expect, it } from 'vitest'
import { defineComponent, h } from 'vue'
import { answer } from '../../fake-transport.ts'
import { useFirmware } from '../../../renderer/firmware/firmware-store.ts'
import {
  useProductDetails,
  type ProductDetailsOfPage,
} from '../../../renderer/firmware/product-details-store.ts'
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

  it('requests no link without a build type, and hides the earlier link', async () => {
    const firmware = useFirmware()
    await firmware.open(evolve, null)
    await firmware.chooseBuildType(' ')
    await firmware.refresh()
    expect([links().length, firmware.download, firmware.downloadFailure]).toEqual([1, null, null])
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

describe('the details of a product', () => {
  it('are hidden as soon as another product is shown', async () => {
    const { product } = await core.handlers.firmware.releases(evolve)
    let page!: ProductDetailsOfPage
    const shown = mount(
      defineComponent({
        props: { productId: { type: Number, required: true } },
        setup(props) {
          page = useProductDetails(() => ({ ...product, productId: props.productId }))
          return () => h('div')
        },
      }),
      { props: { productId: evolve.productId } },
    )
    await settle()
    expect(page.details.value.value).not.toBeNull()
    const release = core.hold('firmware.details')
    await shown.setProps({ productId: speak.productId })
    expect([page.details.value.value, page.details.busy.value]).toEqual([null, true])
    release()
    await settle()
    expect(page.details.value.value).not.toBeNull()
  })
})
