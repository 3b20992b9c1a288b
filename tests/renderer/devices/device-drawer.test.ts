import { describe, expect, it, vi } from 'vitest'
import { deviceTitle, subjectOf } from '../../../electron/contract/device-name.ts'
import { useDeviceStore } from '../../../renderer/devices/device-store.ts'
import { messages, takeBackLast } from '../../../renderer/components/toasts.ts'
import { firmwareAddresses } from '../../reboot-room.ts'
import { changeProfile, devicesOf, openCore, settle, type TestCore } from '../core.ts'
import { mountPage, nextPage, textIn, type MountedPage } from '../page.ts'

/**
 * Opens a device that is behind its latest firmware, in the middle of the list; `prepare` sets up the core
 * for the test.
 */
async function aDevice(
  prepare: (core: TestCore, id: string) => unknown = () => undefined,
  where = 'fw:behind status:online',
) {
  const core = await openCore()
  const { id, name } = (await devicesOf(core, where)).at(-1)!
  await prepare(core, id)
  return { ...(await mountPage(`/devices/${id}`, true)), core, id, name }
}
/** The same device on a page of its own. */
async function aPage(
  prepare: (core: TestCore, id: string) => unknown = () => undefined,
  where = 'fw:behind status:online',
) {
  const core = await openCore()
  const { id, name } = (await devicesOf(core, where)).at(-1)!
  await prepare(core, id)
  return { ...(await mountPage(`/device/${id}`, true)), core, id, name }
}

const withAddresses = (core: TestCore): Promise<void> =>
  changeProfile(core, ({ templates }) => ({ templates: { ...templates, ...firmwareAddresses } }))
/** The line of the installed version, with the button that reads it again. */
const firmwareIn = (page: MountedPage['page']) => {
  const line = () => page.findAll('aside .fact').find((one) => one.get('dt').text() === 'Firmware')!
  return {
    line,
    button: () =>
      line()
        .findAll('button')
        .find((one) => one.text() === 'Read again'),
  }
}
const choose = (page: MountedPage['page'], tab: string): Promise<void> | undefined =>
  page
    .findAll('aside [role="tab"]')
    .find((one) => one.text().startsWith(tab))
    ?.trigger('click')

describe('the drawer of a device', () => {
  it('shows the firmware first, then the facts; definition and ids are under Advanced', async () => {
    const { page } = await aDevice()
    const panel = () => page.get('aside [role="tabpanel"]')
    const reported = () => [
      panel()
        .element.querySelector('section')
        ?.className.match(/firmware|definition/)?.[0],
      panel().find('.definition').exists(),
      panel().text().includes('Device ID'),
    ]
    const overview = reported()
    await choose(page, 'Advanced')
    expect([overview, reported()]).toEqual([
      ['firmware', false, false],
      ['definition', true, true],
    ])
  })

  it('saves a note on blur, and discards it on Esc', async () => {
    const { page, core, id, router } = await aDevice()
    const field = page.get<HTMLTextAreaElement>('aside textarea')
    field.element.value = 'Loan to reception'
    await field.trigger('input')
    await field.trigger('keydown', { key: 'Escape' })
    const back = field.element.value
    await field.setValue('Loan to Åse')
    await settle()
    expect([
      back,
      core.argumentsOf('devices.setNote'),
      (await core.handlers.devices.get({ id })).note,
      router.currentRoute.value.params['id'],
    ]).toEqual(['', [{ id, note: 'Loan to Åse' }], 'Loan to Åse', id])
  })

  it('saves a note for its device, even when the next one is opened meanwhile', async () => {
    const { page, core, id } = await aDevice()
    const field = page.get<HTMLTextAreaElement>('aside textarea')
    field.element.value = 'battery'
    await field.trigger('input')
    await page.get('aside').trigger('keydown', { key: 'k' })
    await settle()
    expect(core.argumentsOf('devices.setNote')).toEqual([{ id, note: 'battery' }])
  })

  it('shows the stage of the version in use, not of the latest', async () => {
    const { page } = await aDevice()
    await choose(page, 'Advanced')
    const card = page.get('.definition')
    expect(card.get('h3').text()).toMatch(/^Definition version in use: [\d.]+ \(Public\)$/)
    expect(card.get('p').text()).not.toContain('Public')
  })

  it('keeps name, tabs and close button in a header that stays while the rest scrolls', async () => {
    const { page } = await aDevice()
    const head = page.get('aside .head')
    expect({
      name: head.find('h2.name').exists(),
      tabs: head.find('[role="tablist"]').exists(),
      close: page.find('aside > .corner > button').exists(),
    }).toEqual({ name: true, tabs: true, close: true })
  })

  it('opens another tab at its top', async () => {
    const { page } = await aDevice()
    const drawer = page.get('aside').element
    drawer.scrollTop = 300
    await choose(page, 'Advanced')
    expect(drawer.scrollTop).toBe(0)
  })
  it('adds a tag, confirms it, and undoes it', async () => {
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
  it.each(['a,b', '"quoted"', ' ', 'x'.repeat(61)])('adds no tag named %j', async (typed) => {
    const { page, core } = await aDevice()
    await page.get('aside input.add').setValue(typed)
    await page.get('aside input.add').trigger('keydown', { key: 'Enter' })
    expect(core.argumentsOf('tags.change')).toEqual([])
  })
  it('clears the tag field with the first Esc and closes with the second', async () => {
    const { page, router } = await aDevice()
    const field = page.get('aside input.add')
    await field.setValue('spa')
    await field.trigger('keydown', { key: 'Escape' })
    expect([(field.element as HTMLInputElement).value, page.find('aside').exists()]).toEqual(['', true])
    await field.trigger('keydown', { key: 'Escape' })
    await settle()
    expect(router.currentRoute.value.fullPath).toBe('/devices')
  })
  it('reads the unknown values of a device and says whether it is at risk', async () => {
    const { page, core, id } = await aDevice()
    await core.finish(core.answered('definitions.firmwareDifference'))
    await settle()
    const said = () => textIn(page.get('.firmware').element)
    const before = said()
    await page
      .findAll('.firmware button')
      .find((one) => one.text() === 'Read them')!
      .trigger('click')
    await settle()
    await core.finish(core.answered('definitions.firmwareDifference'))
    await settle()
    expect([
      before.includes('The device’s values are unknown.'),
      core.argumentsOf('devices.readSettings'),
      said().includes('are unknown'),
    ]).toEqual([true, [{ selection: { kind: 'picked', ids: [id] } }], false])
  })
  it('shows the firmware from the list until the catalogue has responded', async () => {
    const { page } = await aDevice((core) => core.hold('firmware.compliance'))
    expect(page.get('.firmware h3').text()).toMatch(/^Firmware \S+ → \S+, \d+ releases? behind$/)
  })
  it('requests the version from the device, and shows that the device reported it', async () => {
    const { page } = await aDevice(withAddresses)
    const { line, button } = firmwareIn(page)
    const previous = line().find('time').exists()
    await button()!.trigger('click')
    await settle()
    expect([previous, line().get('time').text(), line().get('[title]').attributes('title')]).toEqual([
      false,
      'now',
      expect.stringMatching(/^The device reported this version on /),
    ])
  })
  it.each([
    ['online', 1],
    ['offline', 0],
  ])('offers to read the version of a device that is %s: %i', async (status, offers) => {
    const { page } = await aDevice(withAddresses, `fw:behind status:${status}`)
    expect(firmwareIn(page).button() === undefined ? 0 : 1).toBe(offers)
  })
  it('does not offer to read the version of a device that is gone', async () => {
    const { page } = await aDevice(async (core, id) => {
      await withAddresses(core)
      core.service.alter('/devices/api/devices', (all: { readonly items: readonly { id: string }[] }) => ({
        ...all,
        items: all.items.filter((one) => one.id !== id),
      }))
      await core.finish(core.handlers.sync.run())
    })
    expect([page.get('aside').text().includes('Gone since'), firmwareIn(page).button()]).toEqual([
      true,
      undefined,
    ])
  })
  it('reports when the response of the device has no version', async () => {
    const { page } = await aDevice(async (core, id) => {
      await withAddresses(core)
      core.service.alter(`/${encodeURIComponent(id)}/firmware`, () => ({}))
    })
    await firmwareIn(page).button()!.trigger('click')
    await settle()
    expect(page.get('.firmware').text()).toContain('The device’s answer contains no version.')
  })
  it('shows that no support page is published, or why that is unknown', async () => {
    const { words } = await aDevice(({ service }) => {
      service.offline = true
    })
    expect(words()).toContain('Support not read yet')
  })
})

describe('stepping from device to device', () => {
  it('keeps the tab and shows the position', async () => {
    const { page, router, id } = await aDevice()
    await page
      .findAll('aside [role="tab"]')
      .find((one) => one.text().startsWith('History'))
      ?.trigger('click')
    const place = (): number =>
      Number(
        /(\d+) of 300/.exec(page.get('.steps .place').text())?.[1] ??
          /(\d+) of/.exec(page.get('.steps .place').text())?.[1],
      )
    const previous = place()
    await page.get('aside').trigger('keydown', { key: 'k' })
    await settle()
    expect([
      place(),
      router.currentRoute.value.params['id'] === id,
      page.get('aside [role="tab"][aria-selected="true"]').text(),
    ]).toEqual([previous - 1, false, expect.stringMatching(/^History/)])
    await page.get('aside').trigger('keydown', { key: 'ArrowDown', altKey: true })
    await settle()
    expect([place(), router.currentRoute.value.params['id']]).toEqual([previous, id])
  })
  it('never shows one device under the name of another', async () => {
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
  it('keeps the focus on the copy button while the next link is requested', async () => {
    const { page, core } = await aDevice()
    const focused = (): string | undefined => document.activeElement?.textContent.trim()
    page.get<HTMLElement>('.firmware .row .button').element.focus()
    const previous = focused()
    const release = core.hold('firmware.link')
    await page.get('aside').trigger('keydown', { key: 'ArrowUp', altKey: true })
    await settle()
    const waiting = [page.get('.firmware .row .button').attributes('aria-disabled'), focused()]
    release()
    await settle()
    expect([previous, waiting, focused()]).toEqual([
      'Copy link to 2.9.2',
      ['true', 'Copy link to 1.6.2'],
      'Copy link to 1.6.2',
    ])
  })
  it('loads settings only for the device that is shown, not for skipped ones', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { page, core, router, id } = await aDevice()
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
    expect(core.argumentsOf('devices.settings')).toEqual([
      { id, refresh: false },
      { id: router.currentRoute.value.params['id'], refresh: false },
    ])
  })
})

it('the history in the drawer shows what changes while it is open', async () => {
  const core = await openCore()
  const device = (await devicesOf(core, 'room:"Ceres 2.20"'))[0]!
  const { page, words } = await mountPage(`/devices/${device.id}`, true)
  await page
    .findAll('aside [role=tab]')
    .find((one) => one.text().startsWith('History'))
    ?.trigger('click')
  core.service.alter(
    '/devices/api/devices',
    (given: { readonly items: readonly { readonly id: string }[] }) => ({
      ...given,
      items: given.items.map((one) => (one.id === device.id ? { ...one, groupId: null } : one)),
    }),
  )
  const before = words().includes('Moved to another room')
  await core.finish(core.handlers.sync.run())
  await core.advance(1_000)
  await settle()
  expect([before, words().includes('Moved to another room now Ceres 2.20 → —')]).toEqual([false, true])
})

describe('the page of a device', () => {
  it('has its name as title, its firmware, and what happened to it since it was added', async () => {
    const { handlers } = await openCore()
    const { rows } = await handlers.changes.slice({
      where: 'kind:firmware-changed',
      since: null,
      group: null,
      start: 0,
      count: 1,
    })
    const { subjectId } = rows[0]!
    const { page } = await mountPage(`/device/${subjectId}`, true)
    expect([
      document.title,
      page.find('.details .firmware').exists(),
      page.findAll('.past .events li').map(({ element }) => textIn(element)),
    ]).toEqual([
      `${deviceTitle(subjectOf(rows[0]!))} · Headroom`,
      true,
      ['Back online 3 min', 'Went offline 1 d', 'Firmware changed 2 d 3.6.0 → 4.1.3', 'Added'].map(
        (reported) => expect.stringContaining(reported),
      ),
    ])
  })
  it('shows in its history that it left its room', async () => {
    const core = await openCore()
    const device = (await devicesOf(core, 'room:"Ceres 2.20"'))[0]!
    core.service.alter(
      '/devices/api/devices',
      (page: { readonly items: readonly { readonly id: string }[] }) => ({
        ...page,
        items: page.items.map((one) => (one.id === device.id ? { ...one, groupId: null } : one)),
      }),
    )
    await core.finish(core.handlers.sync.run())
    const { words } = await mountPage(`/device/${device.id}`, true)
    expect(words()).toContain('Moved to another room now Ceres 2.20 → —')
  })
  it('leads back to the list with the device open', async () => {
    const { button, router, id } = await aPage()
    await button('Devices').trigger('click')
    await nextPage(router)
    expect(router.currentRoute.value.fullPath).toBe(`/devices/${id}`)
  })
  it('works offline from cached data', async () => {
    const { words, core, id } = await aPage(({ service }) => {
      service.offline = true
    })
    const { serialNumber } = await core.handlers.devices.get({ id })
    expect(words()).toContain(` · ${serialNumber}`)
  })
  it('shows that no such device is known', async () => {
    await openCore()
    const { words } = await mountPage('/device/nowhere', true)
    expect(words()).toContain('Device not found')
  })
  it('shows a gone device with its date', async () => {
    const { words } = await aPage(undefined, 'gone:yes')
    expect(words()).toMatch(/Gone since \d+ Nov 2026/)
  })
})
