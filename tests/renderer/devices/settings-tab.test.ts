import { describe, expect, it } from 'vitest'
import type { FeatureSetting } from '../../../electron/contract/api/definitions.ts'
import type { Setting } from '../../../electron/contract/api/settings.ts'
import { allowedOf, settingMatches, valueOf } from '../../../renderer/settings/setting-words.ts'
import { useReboot } from '../../../renderer/rooms/reboot-store.ts'
import type { DoubleOptions } from '../double-link.ts'
import { aCore, openPage, settle, type OpenedPage } from '../open-page.ts'

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

/** A device of a room and one of a person, by their ids in the double. */
async function deviceIds(): Promise<{ inRoom: string; personal: string }> {
  const core = aCore()
  const outcome = await core.call('devices.window', {
    where: '',
    sort: [{ column: 'name', descending: false }],
    start: 0,
    count: 300,
  })
  const rows = outcome.ok ? (outcome.value as { rows: { id: string; room: unknown }[] }).rows : []
  return { inRoom: rows.find((row) => row.room)?.id ?? '', personal: rows.find((row) => !row.room)?.id ?? '' }
}
const ids = await deviceIds()

async function settingsOf(options: Partial<DoubleOptions> = {}, id = ids.inRoom): Promise<OpenedPage> {
  const opened = await openPage(`/devices/${id}`, options)
  await opened.page
    .findAll('[role=tab]')
    .find((one) => one.text() === 'Settings')
    ?.trigger('click')
  await settle()
  return opened
}
// Menus of the page open inside the frame's page element.

describe('the settings of a device', () => {
  it('are asked for when their tab is opened, not before', async () => {
    const { core } = await openPage(`/devices/${ids.inRoom}`)
    const asked = (): unknown[] =>
      core.asked.filter((one) => one.channel === 'devices.settings').map((one) => one.argument)
    expect(asked()).toEqual([])
    const tab = [...document.querySelectorAll<HTMLElement>('[role=tab]')].find(
      (one) => one.textContent?.trim() === 'Settings',
    )
    tab?.click()
    await settle()
    expect(asked()).toEqual([{ id: ids.inRoom, refresh: false }])
  })
  it('are listed with their age, what is allowed, what restarts and what is not there', async () => {
    const { words } = await settingsOf()
    for (const told of [
      '10 settings Read 2 hours ago',
      'videoStiching On restarts the device',
      'roomCapacity 8 Allowed: 1 to 60 restart not known',
      'peopleCount not available',
      'language en_US Allowed values are not known',
      'safetyZone of a kind not known {"polygon":[0.1,0.2,0.8,0.9],"unit":"share"}',
      'The address is not published by the service; it was observed elsewhere.',
    ])
      expect(words()).toContain(told)
  })
  it('are read again on request', async () => {
    const { words, button, core } = await settingsOf()
    await button('Read again').trigger('click')
    await settle()
    expect(
      core.asked.filter((one) => one.channel === 'devices.settings').map((one) => one.argument),
    ).toContainEqual({ id: ids.inRoom, refresh: true })
    expect(words()).toContain('Read just now')
  })
  it('stay on screen with their age when a later reading fails', async () => {
    const { words, button } = await settingsOf({ offline: true })
    await button('Read again').trigger('click')
    await settle()
    expect(words()).toContain('api.cloud.jabra.com cannot be reached.')
    expect(words()).toContain('The last reading failed; these values were read 1 day ago.')
    expect(words()).toContain('videoStiching On')
  })
  it('say where an address can be added when none is published', async () => {
    const { words } = await settingsOf({ unpublished: true })
    expect(words()).toContain('Settings are not published for this device')
    expect(words()).toContain('add it under Organizations, Edit, Advanced')
  })
})

describe('a setting in words', () => {
  it.each<[Partial<Setting>, string | null]>([
    [{ value: true }, 'On'],
    [{ value: false }, 'Off'],
    [{ value: null }, null],
    [{ value: 12_500 }, '12,500'],
    [{ value: '_140deg' }, '_140deg'],
    [{ value: '' }, ''],
  ])('its value: %o', (change, words) => expect(valueOf(setting(change))).toBe(words))
  it.each<[Partial<Setting>, string | null]>([
    [{ feature: null }, null],
    [{ feature: feature({}) }, null],
    [{ feature: feature({ minimum: 0, maximum: 10 }) }, '0 to 10'],
    [{ feature: feature({ minimum: 1 }) }, '1 or more'],
    [{ feature: feature({ maximum: 480 }) }, '480 or less'],
    [{ kind: 'choice', feature: feature({ supported: ['voice', 'off'] }) }, 'voice, off'],
    [{ kind: 'on-off', feature: feature({ supported: ['On', 'Off'] }) }, null],
  ])('what it allows: %o', (change, words) => expect(allowedOf(setting(change))).toBe(words))
  it('is found by its name, its value and what it allows', () => {
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
  it('asks for the plan of its room', async () => {
    const { button } = await openPage(`/devices/${ids.inRoom}`)
    await button('Reboot room').trigger('click')
    await settle()
    expect(useReboot().plan?.devices.map((device) => device.id)).toContain(ids.inRoom)
  })
  it('is not offered for a device without a room', async () => {
    const { page } = await openPage(`/devices/${ids.personal}`)
    expect(page.findAll('button').map((one) => one.text())).not.toContain('Reboot room')
  })
})
