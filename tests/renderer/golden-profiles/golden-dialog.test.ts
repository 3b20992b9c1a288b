import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { GoldenProfile } from '../../../electron/contract/api/golden-profiles.ts'
import { useGoldenDraft } from '../../../renderer/golden-profiles/golden-draft-store.ts'
import GoldenDialog from '../../../renderer/golden-profiles/GoldenDialog.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { messages } from '../../../renderer/components/toasts.ts'
import { createPages } from '../../../renderer/router.ts'
import { devicesOf, openCore, settle, type TestCore } from '../core.ts'

const saves = (core: TestCore): readonly unknown[] => core.argumentsOf('goldenProfiles.save')
const said = (): string => (document.body.textContent ?? '').replaceAll(/\s+/g, ' ')
const row = (name: string): Element | undefined =>
  [...document.querySelectorAll('.golden-row')].find((one) => one.querySelector(`[title="${name}"]`))
const button = (words: string): HTMLButtonElement | undefined =>
  [...document.querySelectorAll<HTMLButtonElement>('button')].find((one) => one.textContent?.trim() === words)
async function press(words: string): Promise<void> {
  button(words)?.click()
  await settle()
}
async function choose(name: string): Promise<void> {
  row(name)?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
  await settle()
}
async function type(name: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('#golden-profile input')!
  input.value = name
  input.dispatchEvent(new Event('input'))
  await settle()
}
function visible(): void {
  mount(GoldenDialog, { global: { plugins: [i18n, createPages(() => true)] }, attachTo: document.body })
}
interface SettingsRecord {
  readonly settings: object
}
/** The first speaker, and its settings; two of them are not available. */
async function aSpeaker(core: TestCore) {
  const [device] = await devicesOf(core, 'pid:9455')
  core.service.alter(`/${device!.id}/settings`, ({ settings: reported }: SettingsRecord) => ({
    settings: {
      ...reported,
      voiceIndicator: { isLocked: false, selected: null },
      wakeOnTouch: { isLocked: false, isOn: null },
    },
  }))
  const { settings } = await core.finish(core.handlers.devices.settings({ id: device!.id, refresh: false }))
  return { device: device!, settings }
}
/** The form for a golden profile, opened with its settings. */
async function ofDevice(): Promise<{ core: TestCore; device: DeviceRow }> {
  const core = await openCore()
  const { device, settings } = await aSpeaker(core)
  expect(await useGoldenDraft().ofDevice(device.id, settings)).toBe(true)
  visible()
  await settle()
  return { core, device }
}

describe('a golden profile from the settings of a device', () => {
  it('describes a setting that is not ticked by the value it would get', async () => {
    await ofDevice()
    const rows = [...document.querySelectorAll('.golden-row:not(.chosen)')]
    const described = rows.map((one) =>
      one.querySelector('input')!.getAttribute('aria-describedby')!.split(' '),
    )
    expect(described.map(([first]) => document.getElementById(first!)?.textContent)).toEqual(
      rows.map((one) => one.querySelector('.left')!.textContent),
    )
  })
  it('shows what the device has, before it is selected', async () => {
    const core = await openCore()
    const { device, settings } = await aSpeaker(core)
    await useGoldenDraft().ofDevice(device.id, settings)
    visible()
    await settle()
    const texts = ['audioAnnouncements', 'bluetoothName', 'ringerVolume'].map(
      (name) => row(name)?.querySelector('.left')?.textContent,
    )
    const valueOfName = (name: string) => settings.find((one) => one.name === name)!.value
    expect(texts).toEqual([
      valueOfName('audioAnnouncements'),
      valueOfName('bluetoothName'),
      String(valueOfName('ringerVolume')),
    ])
  })
  it('lists settings with a value, none selected, and stores the selected ones under its name', async () => {
    const { core, device } = await ofDevice()
    expect([...document.querySelectorAll('.golden-row .name')].map((one) => one.textContent)).toEqual([
      'Audio announcements',
      'Bluetooth name',
      'Current language code',
      'Idle power save',
      'Microphone gain adjustment',
      'Ringer volume',
      'Sound mode',
      'Voice prompts',
    ])
    expect(said()).not.toContain('selected')
    for (const name of ['ringerVolume', 'soundMode']) await choose(name)
    expect(said()).toContain('2 settings selected')
    expect(button('Make golden profile')?.disabled).toBe(true)
    await type('Desks')
    await press('Make golden profile')
    expect(saves(core)).toEqual([
      {
        id: null,
        name: 'Desks',
        productId: device.productId,
        variantType: null,
        settings: [
          { name: 'ringerVolume', value: 1 },
          { name: 'soundMode', value: 'normal' },
        ],
      },
    ])
    expect([useGoldenDraft().draft, messages.value[0]?.text, messages.value[0]?.action?.label]).toEqual([
      null,
      'Golden profile Desks made',
      'Show',
    ])
  })
  it('may apply to its variant only, with other values and locks', async () => {
    const { core, device } = await ofDevice()
    const store = useGoldenDraft()
    store.chooseAll(false)
    store.alterRow('ringerVolume', { chosen: true, typed: '2', lock: true })
    store.alter({ name: 'Desks', onlyVariant: true })
    await settle()
    await press('Make golden profile')
    expect(saves(core)).toMatchObject([
      { variantType: device.variantType, settings: [{ name: 'ringerVolume', value: 2, locked: true }] },
    ])
  })
  it('cannot be saved with a value the device does not accept', async () => {
    await ofDevice()
    const store = useGoldenDraft()
    store.alterRow('ringerVolume', { chosen: true, typed: '11' })
    store.alter({ name: 'Desks' })
    await settle()
    expect(row('ringerVolume')?.querySelector('[role=alert]')?.textContent).toBe('Enter a number from 0 to 3')
    expect(button('Make golden profile')?.disabled).toBe(true)
  })
  it('shows rejections of the core at the name and at the setting, and stays open', async () => {
    const { core, device } = await ofDevice()
    const { productId } = device
    await core.handlers.goldenProfiles.save({
      id: null,
      name: 'Meeting rooms',
      productId: productId!,
      variantType: null,
      settings: [{ name: 'ringerVolume', value: 1 }],
    })
    await choose('soundMode')
    await type('Meeting rooms')
    await press('Make golden profile')
    expect(document.querySelector('#golden-profile [role=alert]')?.textContent).toBe(
      'Another golden profile has this name already.',
    )
    core.fail('goldenProfiles.save', {
      kind: 'invalid',
      field: 'settings.soundMode',
      message: 'It may be a code.',
    })
    await press('Make golden profile')
    expect(row('soundMode')?.querySelector('[role=alert]')?.textContent).toBe('It may be a code.')
    core.fail('goldenProfiles.save', {
      kind: 'cache-unusable',
      file: 'workbook.sqlite',
      reason: 'disk-full',
      message: '',
    })
    await press('Make golden profile')
    expect(said()).toContain('workbook.sqlite')
    expect(useGoldenDraft().draft).not.toBeNull()
  })
})

describe('changing a golden profile', () => {
  async function changed(): Promise<{ core: TestCore; profile: GoldenProfile }> {
    const core = await openCore()
    const { device } = await aSpeaker(core)
    const profile = await core.handlers.goldenProfiles.save({
      id: null,
      name: 'Meeting rooms',
      productId: device.productId!,
      variantType: null,
      settings: [
        { name: 'voicePrompts', value: 'voice', locked: false },
        { name: 'ringerVolume', value: 2, locked: true },
      ],
    })
    await useGoldenDraft().change(profile)
    visible()
    await settle()
    return { core, profile }
  }
  it('keeps its values, locks too, under its id', async () => {
    const { core, profile } = await changed()
    await press('Save')
    const { id, name, productId, variantType, settings } = profile
    expect(saves(core)).toEqual([
      {
        id,
        name,
        productId,
        variantType,
        settings: settings.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)),
      },
    ])
  })
  it('offers other settings that its devices have', async () => {
    const { core } = await changed()
    for (const name of ['soundMode', 'wakeOnTouch']) await choose(name)
    await press('Save')
    const { settings } = saves(core)[0] as { readonly settings: readonly unknown[] }
    expect(settings).toContainEqual({ name: 'soundMode', value: 'normal' })
    // A setting that is not available has no value on any device.
    expect(settings).toContainEqual({ name: 'wakeOnTouch', value: false })
  })
})

it('typed values for many devices of one product become a golden profile of that product', async () => {
  const core = await openCore()
  const store = useGoldenDraft()
  const changes = [{ name: 'sidetoneLevelEnum', value: '_0dB' }]
  expect(
    await store.ofChanges({ kind: 'matching', where: 'product:"Evolve2 65 Mono"', except: [] }, changes, []),
  ).toBe(true)
  store.alter({ name: 'Desks' })
  await store.save()
  expect(saves(core)).toEqual([
    { id: null, name: 'Desks', productId: 0x24b3, variantType: null, settings: changes },
  ])
})
