import { describe, expect, it, vi } from 'vitest'
import { useDevicesStore } from '../../../renderer/devices/devices-store.ts'
import { useSelection } from '../../../renderer/devices/selection-store.ts'
import { useListLayouts } from '../../../renderer/lists/list-layout-store.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { firmwareAddresses } from '../../reboot-room.ts'
import { settle } from '../core.ts'
import { openPage } from '../page.ts'
import { changeProfile } from '../prepared-core.ts'

// Menus and panels are shown inside the layout's main element.

describe('the Devices page', () => {
  it('applies the filter of a link and cleans the address', async () => {
    const { router } = await openPage('/devices?where=fw:behind')
    await settle()
    expect([useDevicesStore().applied, router.currentRoute.value.fullPath]).toEqual(['fw:behind', '/devices'])
  })
  it('forgets an error in the filter with its text, on another page', async () => {
    const { page, router } = await openPage('/devices')
    const devices = useDevicesStore()
    const box = page.get<HTMLInputElement>('input[role="combobox"]')
    await box.setValue('status:')
    await box.trigger('blur')
    await settle()
    const wrong = devices.problems.length
    await router.push('/rooms')
    await settle()
    await router.push('/devices?where=fw:behind')
    await settle()
    expect([wrong, devices.problems, devices.applied]).toEqual([1, [], 'fw:behind'])
  })
  it('says by what the list is sorted, if no visible column does', async () => {
    const { words } = await openPage('/devices')
    useListLayouts().visibleColumns = { devices: ['status'] }
    await settle()
    const hidden = words().includes('sorted by User or room')
    useListLayouts().visibleColumns = { devices: ['userOrRoom'] }
    await settle()
    expect([hidden, words().includes('sorted by User or room')]).toEqual([true, false])
  })
  it('shows the selection and its actions', async () => {
    const { page, words } = await openPage('/devices')
    useSelection().chooseAll()
    await settle()
    expect(page.get('.selection-bar .words').text()).toBe('300 selected: all devices')
    expect(words()).toContain('Show only these')
  })
  it.each([
    [
      'without addresses for updates',
      { count: 300, addresses: {} },
      ['Update firmware…'],
      'The service publishes no address for firmware updates. You can add the addresses to the organization’s profile. Add the addresses',
    ],
    [
      'with more serials than can be copied',
      { count: 1_001, addresses: firmwareAddresses },
      ['Copy serials'],
      'At most 1,000 serials can be copied. Use Export instead.',
    ],
    ['with all it can do', { count: 1_000, addresses: firmwareAddresses }, [], null],
  ])(
    'leaves out what a selection cannot do, and says why: %s',
    async (_, { count, addresses }, missing, why) => {
      const { page } = await openPage('/devices', {}, async (core) => {
        vi.spyOn(core.handlers.devices, 'selected').mockResolvedValue({ count })
        await changeProfile(core, ({ templates }) => ({ templates: { ...templates, ...addresses } }))
      })
      useSelection().chooseAll()
      await settle()
      const bar = page.get('.selection-bar')
      const offered = bar.findAll('button').map((one) => one.text())
      expect([
        ['Update firmware…', 'Copy serials'].filter((one) => !offered.includes(one)),
        bar.find('.why').exists() ? bar.get('.why').text().replaceAll(/\s+/g, ' ') : null,
      ]).toEqual([missing, why])
    },
  )
  it('asks for a number to select only the first, and accepts one below the number selected', async () => {
    const { page } = await openPage('/devices')
    useSelection().chooseAll()
    await settle()
    const bar = page.get('.selection-bar')
    const press = (text: string) => bar.findAll('button').find((one) => one.text() === text)!
    await press('Select only the first…').trigger('click')
    const focused = document.activeElement === bar.get('input').element
    const accepted = []
    for (const typed of ['', '0', '300', '2.5', 'x', '40']) {
      await bar.get('input').setValue(typed)
      accepted.push(press('Select').attributes('disabled') === undefined)
    }
    await bar.get('form').trigger('submit')
    await settle()
    expect([focused, accepted, bar.get('.words').text(), document.activeElement === bar.element]).toEqual([
      true,
      [false, false, false, false, false, true],
      '40 selected',
      true,
    ])
  })
  it('offers the selected devices first for export, with the visible columns', async () => {
    const { page, button } = await openPage('/devices')
    useDevicesStore().where = 'status:offline'
    await settle()
    useSelection().chooseAll()
    await settle()
    await page
      .get('.selection-bar')
      .findAll('button')
      .find((one) => one.text().startsWith('Export'))!
      .trigger('click')
    const matching = {
      of: 'devices',
      selection: { kind: 'matching', where: 'status:offline', except: [] },
      sort: [{ column: 'userOrRoom', descending: false }],
    }
    expect(useExports().offer?.choices.map((one) => one.subject)).toEqual([matching, matching])
    expect(button('Export').attributes('disabled')).toBeUndefined()
  })
  it('has the least used actions in a menu too, by their names', async () => {
    const { page } = await openPage('/devices')
    useSelection().chooseAll()
    await settle()
    const more = page.findAll('.selection-bar button').find((one) => one.text() === 'More')!
    await more.trigger('keydown', { key: 'Enter' })
    await settle()
    const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
    items[0]?.click()
    await settle()
    expect([items.map((one) => one.textContent), useExports().offer?.choices.length]).toEqual([
      ['Export', 'Site kit…', 'Copy serials', 'Show only these'],
      2,
    ])
  })
  it('exports how many releases a device is behind, as its pill shows', async () => {
    const { button } = await openPage('/devices')
    const chosen = ['name', 'firmware', 'tags'].map((column) => ({ column, width: null, pinned: false }))
    useListLayouts().keep('devices', { columns: chosen })
    await button('Export').trigger('click')
    expect(useExports().offer?.columns).toEqual(['name', 'firmware', 'behindBy', 'tags'])
  })
  it('exports only the earlier selection with a filter that cannot be parsed', async () => {
    const { button } = await openPage('/devices')
    const devices = useDevicesStore()
    devices.typed = [{ start: 0, end: 3, kind: 'unknown-key', word: 'zzz', expected: [] }]
    await settle()
    expect(button('Export').attributes('disabled')).toBeDefined()
    const offered = useExports()
    expect([devices.total, offered.offer]).toEqual([300, null])
  })
  it('stores columns and density in the preferences', async () => {
    const { page, core } = await openPage('/devices')
    await page
      .findAll('button')
      .find((one) => one.text() === 'Columns')!
      .trigger('click')
    await settle()
    const panel = document.querySelector('.columns-panel')!
    panel.querySelector<HTMLInputElement>('[data-column="tags"] input')!.click()
    panel.querySelector<HTMLInputElement>('.density input[value="compact"]')!.click()
    await settle()
    const stored = core.argumentsOf('app.setPreferences')
    expect(stored).toContainEqual({ density: 'compact' })
    expect(useLayoutStore().preferences.layouts.devices?.columns.at(-1)).toEqual({
      column: 'tags',
      width: null,
      pinned: false,
    })
    expect(JSON.stringify(stored)).toContain('"column":"tags"')
  })
})
