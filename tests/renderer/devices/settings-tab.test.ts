import { describe, expect, it } from 'vitest'
import type { FeatureSetting } from '../../../electron/contract/api/definitions.ts'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { Setting } from '../../../electron/contract/api/settings.ts'
import { foldedName } from '../../../electron/contract/json.ts'
import { allowedOf, settingMatches, valueOf } from '../../../renderer/settings/setting-text.ts'
import { useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { changeProfile, devicesOf, openCore, settle, type TestCore } from '../core.ts'
import { mountPage, type MountedPage } from '../page.ts'

const feature = (change: Partial<FeatureSetting>): FeatureSetting => ({
  id: 'X',
  name: 'x',
  kind: 'number',
  supported: [],
  minimum: null,
  maximum: null,
  restarts: null,
  ...change,
})
const setting = (change: Partial<Setting>): Setting => ({
  name: 'sidetoneLevel',
  kind: 'number',
  value: 6,
  locked: null,
  feature: null,
  raw: {},
  ...change,
})

const inRoom = 'product:="Jabra PanaCast 50" !room:""'
type SettingsRecord = { readonly settings: Readonly<Record<string, object>> }

/** Opens a device of this kind at its settings; `prepare` sets up the core for the test. */
async function settingsOf(
  prepare: (core: TestCore, id: string) => unknown = () => undefined,
): Promise<MountedPage & { readonly core: TestCore; readonly id: string }> {
  const core = await openCore()
  const [{ id }] = (await devicesOf(core, inRoom)) as [DeviceRow]
  await prepare(core, id)
  const opened = await mountPage(`/devices/${id}`, true)
  await opened.page
    .findAll('[role=tab]')
    .find((one) => one.text() === 'Settings')
    ?.trigger('click')
  await settle()
  return { ...opened, core, id }
}
/** The age of its settings. */
const readEarlier =
  (agoInMs: number) =>
  async (core: TestCore, id: string): Promise<void> => {
    await core.finish(core.handlers.devices.settings({ id, refresh: true }))
    core.sleep(agoInMs)
  }
const hour = 3_600_000

describe('the settings of a device', () => {
  it('are requested when their tab is opened, not before', async () => {
    const core = await openCore()
    const [{ id }] = (await devicesOf(core, inRoom)) as [DeviceRow]
    const { page } = await mountPage(`/devices/${id}`, true)
    const previous = core.argumentsOf('devices.settings')
    await page
      .findAll('[role=tab]')
      .find((one) => one.text() === 'Settings')
      ?.trigger('click')
    await settle()
    expect([previous, core.argumentsOf('devices.settings')]).toEqual([[], [{ id, refresh: false }]])
  })
  it('are listed with age, allowed values, restarts and missing values', async () => {
    const { words } = await settingsOf(async (core, id) => {
      await changeProfile(core, ({ templates }) => ({
        templates: { ...templates, updateDeviceSettings: null },
      }))
      core.service.alter(`/${id}/settings`, ({ settings }: SettingsRecord) => ({
        settings: {
          ...settings,
          peopleCountEnabled: { isLocked: false, isOn: null },
          language: { isLocked: false, selected: 'en_US' },
          safetyZone: { polygon: [0.1, 0.2, 0.8, 0.9], unit: 'share' },
        },
      }))
      await readEarlier(2 * hour)(core, id)
    })
    for (const reported of [
      '25 settings Read 2 hours ago',
      'Video stiching hybrid Allowed: blend, hybrid restarts the device',
      'Room capacity 12 may restart',
      'People count enabled not available',
      'Language en_US Allowed values unknown',
      'Safety zone unknown type {"polygon":[0.1,0.2,0.8,0.9],"unit":"share"}',
      'The service does not publish this address. It was observed in another app.',
    ])
      expect(words()).toContain(reported)
  })
  it('are listed under the groups of the device model', async () => {
    const { core, page, id } = await settingsOf()
    const { settings } = await core.handlers.devices.settings({ id, refresh: false })
    const { groups } = await core.finish(core.handlers.definitions.settingNames({ productIds: [] }))
    const { productId } = await core.handlers.devices.get({ id })
    const ofProduct = new Map(groups.find((one) => one.productId === productId)?.settings)
    const expected = Map.groupBy(settings, ({ name }) => ofProduct.get(foldedName(name)) ?? 'Other settings')
    const visible = page.findAll('dl.settings').map((list) => [
      list.element.previousElementSibling?.textContent?.trim() ?? '',
      list
        .findAll('dt > [title]')
        .map((one) => one.attributes('title') ?? '')
        .toSorted(),
    ])
    expect(visible).toEqual(
      ['Audio and notifications', 'System', 'Video', 'Other settings'].flatMap((group) => {
        const names = expected.get(group)?.map(({ name }) => name)
        return names ? [[group, names.toSorted()]] : []
      }),
    )
    expect(visible.length).toBeGreaterThan(1)
  })

  it('are read again on request', async () => {
    const { words, button, core, id } = await settingsOf(readEarlier(2 * hour))
    await button('Read again').trigger('click')
    await settle()
    expect(core.argumentsOf('devices.settings')).toEqual([
      { id, refresh: false },
      { id, refresh: true },
    ])
    expect(words()).toContain('Read just now')
  })
  it('stay visible with their age when a later reading fails', async () => {
    const { words, button, core } = await settingsOf(async (prepared, id) => {
      await readEarlier(26 * hour)(prepared, id)
      prepared.service.offline = true
    })
    // A retry is limited in rate like all calls.
    await core.advance(1_000)
    await settle()
    await button('Read again').trigger('click')
    await settle()
    expect(words()).toContain('Cannot reach api.cloud.jabra.com.')
    expect(words()).toContain('Could not read the settings again. These values were read 1 day ago.')
    expect(words()).toContain('23 settings')
  })
  it('say where an address can be added when none is published', async () => {
    const { words } = await settingsOf((core) =>
      changeProfile(core, ({ templates }) => ({ templates: { ...templates, deviceSettings: null } })),
    )
    expect(words()).toContain('Settings are not published for this device')
    expect(words()).toContain('add it under Organizations, Edit, Advanced')
  })
})

describe('a setting as text', () => {
  it.each<[Partial<Setting>, string | null]>([
    [{ value: true }, 'On'],
    [{ value: false }, 'Off'],
    [{ value: null }, null],
    [{ value: 12_500 }, '12,500'],
    [{ value: '_140deg' }, '140°'],
    [{ value: '' }, ''],
  ])('has a value: %o', (change, words) => expect(valueOf(setting(change))).toBe(words))
  it.each<[Partial<Setting>, string | null]>([
    [{ feature: null }, null],
    [{ feature: feature({}) }, null],
    [{ feature: feature({ minimum: 0, maximum: 10 }) }, '0 to 10'],
    [{ feature: feature({ minimum: 1 }) }, '1 or more'],
    [{ feature: feature({ maximum: 480 }) }, '480 or less'],
    [{ kind: 'choice', feature: feature({ supported: ['voice', 'off'] }) }, 'voice, off'],
    [{ kind: 'on-off', feature: feature({ supported: ['On', 'Off'] }) }, null],
  ])('has allowed values: %o', (change, words) => expect(allowedOf(setting(change))).toBe(words))
  it('is found by its name, its value and its allowed values', () => {
    const one = setting({
      kind: 'choice',
      value: 'voice',
      feature: feature({ supported: ['voice', 'tones'] }),
    })
    expect(['sidetone', 'voice', 'tones', 'bass'].map((typed) => settingMatches(one, typed))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})

describe('rebooting from a device', () => {
  async function opened(where: string): Promise<MountedPage & { readonly device: DeviceRow }> {
    const [device] = (await devicesOf(await openCore(), where)) as [DeviceRow]
    return { ...(await mountPage(`/devices/${device.id}`, true)), device }
  }
  it('opens the plan for its room', async () => {
    const { button, device } = await opened(inRoom)
    await button('Reboot room…').trigger('click')
    await settle()
    const store = useJobPlan()
    store.need(0, 0)
    await settle()
    expect(store.plan?.target?.id).toBe(device.room?.id)
    expect(store.rowAt(0)?.devices.map(({ id }) => id)).toContain(device.id)
  })
  it('is not offered for a device without a room', async () => {
    const { page } = await opened('room:""')
    expect(page.findAll('button').map((one) => one.text())).not.toContain('Reboot room…')
  })
})
