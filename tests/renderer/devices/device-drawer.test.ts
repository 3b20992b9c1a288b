import { describe, expect, it, vi } from 'vitest'
import { useDeviceStore } from '../../../renderer/devices/device-store.ts'
import { messages, takeBackLast } from '../../../renderer/parts/toasts.ts'
import { aFleet } from '../double/fleet.ts'
import { nextPage, openPage, settle } from '../open-page.ts'

const id = aFleet(300, Date.now()).devices[0]!.id
const aDevice = () => openPage(`/devices/${id}`)

describe('the drawer of a device', () => {
  it('says the firmware and the definition version first, then the facts', async () => {
    const { page } = await aDevice()
    const drawer = page.get('aside [role="tabpanel"]')
    expect([...drawer.element.children].slice(0, 2).map((one) => one.className)).toEqual([
      'card firmware',
      'card definition',
    ])
  })

  it('gives the stage to the version in use, not to the latest', async () => {
    const { page } = await aDevice()
    const card = page.get('.definition')
    expect(card.get('h3').text()).toMatch(/^Definition version in use: [\d.]+ \(Public\)$/)
    expect(card.get('p').text()).not.toContain('Public')
  })

  it('keeps name, tabs and close button in one head that stays while the rest scrolls', async () => {
    const { page } = await aDevice()
    const head = page.get('aside .head')
    expect({
      name: head.find('h2.name').exists(),
      tabs: head.find('[role="tablist"]').exists(),
      close: page.find('aside > .corner > button').exists(),
    }).toEqual({ name: true, tabs: true, close: true })
  })

  it('another tab is read from its top', async () => {
    const { page } = await aDevice()
    const drawer = page.get('aside').element
    drawer.scrollTop = 300
    await page
      .findAll('aside [role="tab"]')
      .find((one) => one.text().startsWith('Raw'))
      ?.trigger('click')
    expect(drawer.scrollTop).toBe(0)
  })
  it('puts a tag on, says it, and takes it back', async () => {
    const { page } = await aDevice()
    const tags = (): string[] => page.findAll('aside .tag .words').map((one) => one.text())
    const before = tags()
    await page.get('aside input.add').setValue('field trip')
    await page.get('aside input.add').trigger('keydown', { key: 'Enter' })
    await settle()
    const after = tags()
    expect([after.length, after.includes('field trip'), messages.value[0]?.text]).toEqual([
      before.length + 1,
      true,
      expect.stringContaining('tagged “field trip”'),
    ])
    takeBackLast()
    await settle()
    expect(tags()).toEqual(before)
  })
  it.each(['a,b', '"quoted"', ' ', 'x'.repeat(61)])('puts no tag named %j on', async (typed) => {
    const { page, core } = await aDevice()
    await page.get('aside input.add').setValue(typed)
    await page.get('aside input.add').trigger('keydown', { key: 'Enter' })
    expect(core.asked.filter((one) => one.channel === 'tags.change')).toEqual([])
  })
  it('empties the tag field with the first Esc and closes with the second', async () => {
    const { page, router } = await aDevice()
    const field = page.get('aside input.add')
    await field.setValue('spa')
    await field.trigger('keydown', { key: 'Escape' })
    expect([(field.element as HTMLInputElement).value, page.find('aside').exists()]).toEqual(['', true])
    await field.trigger('keydown', { key: 'Escape' })
    await settle()
    expect(router.currentRoute.value.fullPath).toBe('/devices')
  })
  it('tells the firmware from the list until the catalogue has answered', async () => {
    const { page } = await openPage(`/devices/${id}`, {}, (core) => void core.hold('firmware.standing'))
    expect(page.get('.firmware h3').text()).toMatch(/^Firmware (is|was) /)
  })
  it('says that no support page is published, or why that is not known', async () => {
    const { words } = await openPage(`/devices/${id}`, {
      failures: {
        'releaseNotes.get': {
          kind: 'offline',
          call: { operation: 'GetContent', host: 'content.jabra.com' },
          message: '',
        },
      },
    })
    expect(words()).toContain('Support not read yet')
  })
})

describe('steps from device to device', () => {
  it('keep the tab and tell the place', async () => {
    const { page, router } = await aDevice()
    await page
      .findAll('aside [role="tab"]')
      .find((one) => one.text().startsWith('History'))
      ?.trigger('click')
    const place = (): number =>
      Number(
        /(\d+) of 300/.exec(page.get('.steps .place').text())?.[1] ??
          /(\d+) of/.exec(page.get('.steps .place').text())?.[1],
      )
    const before = place()
    await page.get('aside').trigger('keydown', { key: 'k' })
    await settle()
    expect([
      place(),
      router.currentRoute.value.params['id'] === id,
      page.get('aside [role="tab"][aria-selected="true"]').text(),
    ]).toEqual([before - 1, false, expect.stringMatching(/^History/)])
    await page.get('aside').trigger('keydown', { key: 'ArrowDown', altKey: true })
    await settle()
    expect([place(), router.currentRoute.value.params['id']]).toEqual([before, id])
  })
  it('never show one device under the name of another', async () => {
    const { page, core } = await aDevice()
    const name = page.get('aside h2.name').text()
    const release = core.hold('devices.get')
    await page.get('aside').trigger('keydown', { key: 'k' })
    await settle()
    expect([page.get('aside h2.name').text(), page.find('.firmware h3').exists()]).toEqual([name, true])
    release()
    await settle()
    expect(useDeviceStore().device.value?.id).toBe(useDeviceStore().id)
  })
  it('pay for the settings of the device that is looked at, not of those that are passed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { page, core, router } = await aDevice()
    await page
      .findAll('aside [role="tab"]')
      .find((one) => one.text().startsWith('Settings'))
      ?.trigger('click')
    await settle()
    for (let step = 0; step < 3; step += 1) {
      await page.get('aside').trigger('keydown', { key: 'k' })
      await settle()
    }
    await vi.advanceTimersByTimeAsync(1_000)
    vi.useRealTimers()
    expect(
      core.asked
        .filter((one) => one.channel === 'devices.settings')
        .map((one) => (one.argument as { id: string }).id),
    ).toEqual([id, router.currentRoute.value.params['id']])
  })
})

describe('the page of a device', () => {
  it('has its name for a title, the facts at the left and the history beside them', async () => {
    const { page } = await openPage(`/device/${id}`)
    expect(document.title).toBe(`${useDeviceStore().device.value?.name} · Headroom`)
    expect([page.find('.facts .firmware').exists(), page.findAll('.beside .events li').length > 0]).toEqual([
      true,
      true,
    ])
  })
  it('leads back to the list with the device open', async () => {
    const { button, router } = await openPage(`/device/${id}`)
    await button('Devices').trigger('click')
    await nextPage(router)
    expect(router.currentRoute.value.fullPath).toBe(`/devices/${id}`)
  })
  it('works offline from what was read', async () => {
    const { words } = await openPage(`/device/${id}`, { offline: true })
    expect(words()).toContain('Serial')
  })
  it('says when no such device is known', async () => {
    const { words } = await openPage('/device/nowhere')
    expect(words()).toContain('Device not known')
  })
  it('tells a gone device with its date', async () => {
    const gone = aFleet(1_000, Date.now()).devices.find((device) => device.gone)
    const { words } = await openPage(`/device/${gone?.id}`, { devices: 1_000 })
    expect(words()).toMatch(/Gone since \d+ \w+ \d{4}/)
  })
})
