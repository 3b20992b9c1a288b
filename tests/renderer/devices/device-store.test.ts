import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { useDeviceStore } from '../../../renderer/devices/device-store.ts'
import FirmwareCard from '../../../renderer/devices/FirmwareCard.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { createPages } from '../../../renderer/router.ts'
import { firmwareAddresses } from '../../reboot-room.ts'
import { changeProfile, devicesOf, openCore, settle } from '../core.ts'

const vendorId = 2830
/** A device that is behind, open in the store. */
async function openedDevice() {
  const core = await openCore()
  const [device, next] = await devicesOf(core, 'fw:behind status:online')
  const open = useDeviceStore()
  void open.open(device!.id, vendorId)
  await settle()
  const { firmware } = core.handlers
  const releases = await firmware.releases({ vendorId, productId: device!.productId! })
  const product = { vendorId, productId: device!.productId!, variant: null }
  return { core, open, device: device!, next: next!, product, releases: releases.releases }
}
const cardOf = (open: ReturnType<typeof useDeviceStore>) =>
  mount(FirmwareCard, {
    props: {
      device: open.device.value!,
      compliance: open.compliance,
      firmwareLink: open.firmwareLink,
      vendorId,
      reported: open.reported,
    },
    global: { plugins: [i18n, createPages(() => true)] },
  })

describe('the firmware link of the open device', () => {
  it('is that of the version shown, and none until it was fetched for another', async () => {
    const { core, open, product, releases } = await openedDevice()
    const latest = open.firmwareLink.value!.version
    const other = releases.find((one) => one.version !== latest && !one.revoked)!.version
    await core.handlers.firmware.approve({ ...product, version: other, reason: 'Tested', expires: null })
    await core.handlers.firmware.compareWith({ with: 'approved' })
    const release = core.hold('firmware.link')
    void open.again()
    await settle()
    const { compliance } = open
    const waiting = [
      compliance.value && 'approved' in compliance.value && compliance.value.approved,
      open.firmwareLink.value,
    ]
    release()
    await settle()
    expect([waiting, open.firmwareLink.value?.version]).toEqual([[other, null], other])
  })
  it('is asked for again at the service when a technician tries again', async () => {
    const { core, open } = await openedDevice()
    const asked = (): readonly unknown[] =>
      core.argumentsOf('firmware.link').map((query) => (query as { readonly refresh: boolean }).refresh)
    const before = asked()
    void open.retryLink()
    const meanwhile = open.firmwareLink.value
    await settle()
    expect([before, meanwhile, asked(), open.firmwareLink.value !== null]).toEqual([
      [false],
      null,
      [false, true],
      true,
    ])
  })

  it('is not replaced by a late one of a version that is no longer shown', async () => {
    const { core, open, product, releases } = await openedDevice()
    const latest = open.firmwareLink.value!.version
    const other = releases.find((one) => one.version !== latest && !one.revoked)!.version
    const release = core.hold('firmware.link')
    void open.retryLink()
    await core.handlers.firmware.approve({ ...product, version: other, reason: 'Tested', expires: null })
    await core.handlers.firmware.compareWith({ with: 'approved' })
    await settle()
    void open.again()
    await settle()
    release()
    await settle()
    expect(open.firmwareLink.value?.version).toBe(other)
  })
})

it('the definition in use is asked for again when a device is opened after the last one was closed', async () => {
  const { core, open, device, next } = await openedDevice()
  const asked = (): number => core.argumentsOf('definitions.inUse').length
  void open.open(next.id, vendorId)
  await settle()
  const before = [asked(), open.definition.value !== null]
  open.close()
  const closed = open.definition.value
  void open.open(device.id, vendorId)
  await settle()
  expect([before, closed, asked(), open.definition.value !== null]).toEqual([[1, true], null, 2, true])
})
it('a failed comparison leaves the sentence of the last one, with its age', async () => {
  const { core, open } = await openedDevice()
  const previous = cardOf(open).get('h3').text()
  await core.advance(5 * 60_000)
  core.fail('firmware.compliance', { kind: 'bug', reference: 'x' })
  void open.again()
  await settle()
  const card = cardOf(open)
  expect(card.get('h3').text()).toBe(previous)
  expect(card.get('.compared').text()).toBe('Compared with the catalogue5 min')
  expect(card.find('.failure').exists()).toBe(true)
})

describe('the version requested from a device', () => {
  it('does not keep the next device from being asked, and is not shown for it', async () => {
    const { core, open, device, next } = await openedDevice()
    await changeProfile(core, ({ templates }) => ({ templates: { ...templates, ...firmwareAddresses } }))
    const release = core.hold('devices.firmware')
    void open.askFirmware()
    void open.open(next.id, vendorId)
    await settle()
    const before = open.asking
    void open.askFirmware()
    await settle()
    expect([before, open.asking, core.argumentsOf('devices.firmware')]).toEqual([
      false,
      true,
      [{ id: device.id }, { id: next.id }],
    ])
    release()
    await settle()
    expect([open.asking, open.reported.failure]).toEqual([false, null])
  })
})
