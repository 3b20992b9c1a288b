import { flushPromises, mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { Device } from '../../../electron/contract/api/devices.ts'
import type { GoldenProfile } from '../../../electron/contract/api/golden-profiles.ts'
import { useGoldenDraft } from '../../../renderer/golden-profiles/golden-draft-store.ts'
import GoldenDialog from '../../../renderer/golden-profiles/GoldenDialog.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { api } from '../../../renderer/api.ts'
import { messages } from '../../../renderer/parts/toasts.ts'
import { createPages } from '../../../renderer/router.ts'
import type { DoubleLink } from '../double-link.ts'
import { aCore } from '../open-page.ts'

const saves = (core: DoubleLink): unknown[] =>
  core.asked.filter(({ channel }) => channel === 'goldenProfiles.save').map(({ argument }) => argument)
const said = (): string => (document.body.textContent ?? '').replaceAll(/\s+/g, ' ')
const row = (name: string): Element | undefined =>
  [...document.querySelectorAll('.golden-row')].find(
    (one) => one.querySelector('.name')?.textContent === name,
  )
const button = (words: string): HTMLButtonElement | undefined =>
  [...document.querySelectorAll<HTMLButtonElement>('button')].find((one) => one.textContent?.trim() === words)
async function press(words: string): Promise<void> {
  button(words)?.click()
  await flushPromises()
}
async function choose(name: string): Promise<void> {
  row(name)?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
  await flushPromises()
}
async function type(name: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('#golden-profile input')!
  input.value = name
  input.dispatchEvent(new Event('input'))
  await flushPromises()
}
function shown(): void {
  mount(GoldenDialog, { global: { plugins: [i18n, createPages(() => true)] }, attachTo: document.body })
}
/** A headset of the double, whose golden profile is begun. */
async function ofDevice(): Promise<{ core: DoubleLink; device: Device }> {
  const core = aCore({ devices: 400 })
  const window = await api.devices.window({
    where: 'product:"Evolve2 65 Mono"',
    sort: [],
    start: 0,
    count: 1,
  })
  const device = await api.devices.get({ id: window.ok ? window.value.rows[0]!.id : '' })
  const settings = await api.devices.settings({ id: device.ok ? device.value.id : '', refresh: false })
  if (!device.ok || !settings.ok) throw new Error('the double has no such device')
  expect(await useGoldenDraft().ofDevice(device.value.id, settings.value.settings)).toBe(true)
  shown()
  await flushPromises()
  return { core, device: device.value }
}

describe('a golden profile of the settings of a device', () => {
  it('offers what has a value, none of it chosen, and keeps what is chosen under its name', async () => {
    const { core, device } = await ofDevice()
    expect([...document.querySelectorAll('.golden-row .name')].map((one) => one.textContent)).toEqual([
      'autoAnswer',
      'autoUpdate',
      'busylightEnabled',
      'ringtone',
      'sidetoneLevel',
      'voicePrompts',
    ])
    expect(said()).not.toContain('chosen')
    for (const name of ['busylightEnabled', 'sidetoneLevel']) await choose(name)
    expect(said()).toContain('2 settings chosen')
    expect(button('Make golden profile')?.disabled).toBe(true)
    await type('Desks')
    await press('Make golden profile')
    expect(saves(core)).toEqual([
      {
        ...{ id: null, name: 'Desks', productId: device.productId, variantType: null },
        settings: [
          { name: 'busylightEnabled', value: true },
          { name: 'sidetoneLevel', value: 6 },
        ],
      },
    ])
    expect([useGoldenDraft().draft, messages.value[0]?.text, messages.value[0]?.action?.label]).toEqual([
      null,
      'Golden profile Desks made',
      'Show',
    ])
  })
  it('may be for its variant only, with values of its own and locks', async () => {
    const { core, device } = await ofDevice()
    const store = useGoldenDraft()
    store.chooseAll(false)
    store.alterRow('sidetoneLevel', { chosen: true, typed: '4', lock: true })
    store.alter({ name: 'Desks', onlyVariant: true })
    await flushPromises()
    await press('Make golden profile')
    expect(saves(core)).toMatchObject([
      { variantType: device.variantType, settings: [{ name: 'sidetoneLevel', value: 4, locked: true }] },
    ])
  })
  it('cannot be kept with a value the device does not take', async () => {
    await ofDevice()
    const store = useGoldenDraft()
    store.alterRow('sidetoneLevel', { chosen: true, typed: '11' })
    store.alter({ name: 'Desks' })
    await flushPromises()
    expect(row('sidetoneLevel')?.querySelector('[role=alert]')?.textContent).toBe(
      'The number must be from 0 to 10',
    )
    expect(button('Make golden profile')?.disabled).toBe(true)
  })
  it('says at the name and at the setting what the core refuses, and stays', async () => {
    const { core } = await ofDevice()
    await choose('ringtone')
    await type('Meeting rooms')
    await press('Make golden profile')
    expect(document.querySelector('#golden-profile [role=alert]')?.textContent).toBe(
      'Another golden profile has this name already.',
    )
    core.fail('goldenProfiles.save', {
      kind: 'invalid',
      field: 'settings.ringtone',
      message: 'It may be a code.',
    })
    await press('Make golden profile')
    expect(row('ringtone')?.querySelector('[role=alert]')?.textContent).toBe('It may be a code.')
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

describe('a golden profile that is changed', () => {
  async function changed(): Promise<{ core: DoubleLink; profile: GoldenProfile }> {
    const core = aCore({ devices: 400 })
    const outcome = await api.goldenProfiles.get({ id: 'golden-1' })
    if (!outcome.ok) throw new Error('the double has no such golden profile')
    const { profile } = outcome.value
    await useGoldenDraft().change(profile)
    shown()
    await flushPromises()
    return { core, profile }
  }
  it('keeps what it asks for, locks too, under its id', async () => {
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
  it('may ask for other settings that its devices were seen to have', async () => {
    const { core } = await changed()
    await choose('roomCapacity')
    await press('Save')
    expect((saves(core)[0] as { settings: unknown[] }).settings).toContainEqual({
      name: 'roomCapacity',
      value: 8,
    })
  })
})

it('values typed for many devices of one product become a golden profile of that product', async () => {
  const core = aCore({ devices: 400 })
  const store = useGoldenDraft()
  const changes = [{ name: 'sidetoneLevel', value: 3 }]
  expect(
    await store.ofChanges({ kind: 'matching', where: 'product:"Evolve2 65 Mono"', except: [] }, changes, []),
  ).toBe(true)
  store.alter({ name: 'Desks' })
  await store.save()
  expect(saves(core)).toEqual([
    { id: null, name: 'Desks', productId: 0x24b3, variantType: null, settings: changes },
  ])
})
