import { describe, expect, it } from 'vitest'
import type { GoldenProfile } from '../../../electron/contract/api/golden-profiles.ts'
import type { JobDraft } from '../../../electron/contract/api/jobs.ts'
import type { SettingChange } from '../../../electron/contract/api/settings.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { useGoldenDraft } from '../../../renderer/golden-profiles/golden-draft-store.ts'
import { useGoldenProfile } from '../../../renderer/golden-profiles/golden-profile-store.ts'
import { useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { messages, takeBackLast } from '../../../renderer/components/toasts.ts'
import { answer } from '../../fake-transport.ts'
import { devicesOf, openCore, settle, type TestCore } from '../core.ts'
import { gridLines, withSize } from '../lists/a-grid.ts'
import { mountPage, nextPage, openPage, textIn, type OpenedPage } from '../page.ts'

const headset = 16_465
const speaker = 9_455
const wanted: readonly SettingChange[] = [
  { name: 'soundMode', value: 'normal', locked: false },
  { name: 'sidetoneLevelEnum', value: 'minus3dB' },
  { name: 'audioAnnouncements', value: 'off' },
]

/** Reads the settings of the first devices of a product. */
async function readSettings(core: TestCore, productId: number, count: number): Promise<void> {
  const devices = (await devicesOf(core, `pid:${productId}`)).slice(0, count)
  await core.finish(
    Promise.all(devices.map(({ id }) => core.handlers.devices.settings({ id, refresh: false }))),
  )
}
/** Fourteen of sixteen headsets and all sixteen speakers were read; no speaker allows the wanted tones. */
async function twoProfiles(core: TestCore): Promise<readonly [GoldenProfile, GoldenProfile]> {
  await readSettings(core, headset, 14)
  await readSettings(core, speaker, 16)
  const { save } = core.handlers.goldenProfiles
  const made = { id: null, variantType: null }
  return [
    await save({ ...made, name: 'Desks', productId: headset, settings: wanted }),
    await save({
      ...made,
      name: 'Rooms',
      productId: speaker,
      settings: [
        { name: 'voicePrompts', value: 'humming' },
        { name: 'ringerVolume', value: 1, locked: true },
      ],
    }),
  ]
}
const opened = (address: string) => openPage(address, {}, twoProfiles)
/** Opens one of the two golden profiles. */
async function openProfile(place: 0 | 1): Promise<OpenedPage & { readonly profile: GoldenProfile }> {
  const core = await openCore()
  const profile = (await twoProfiles(core))[place]
  return { ...(await mountPage(`/golden-profiles/${profile.id}`, true)), core, profile }
}
const planned = (core: TestCore): JobDraft['work'] => (core.argumentsOf('jobs.plan')[0] as JobDraft).work

describe('the Golden profiles page', () => {
  it('explains golden profiles when there is none, and begins with the products of most devices', async () => {
    const { page, words, core } = await openPage('/golden-profiles')
    const [largest] = (await core.handlers.firmware.status({})).products.toSorted(
      (a, b) => b.devices - a.devices,
    )
    expect(words()).toContain(
      'No golden profiles yet A golden profile has the settings that every device of a product should have.',
    )
    expect([page.get('.page ul a').attributes('href'), page.findAll('.page ul a').length]).toEqual([
      `#/devices?where=pid:${largest!.productId}`,
      6,
    ])
  })
  it('links to the devices while no products are known', async () => {
    const { button } = await openPage('/golden-profiles', {}, (core) =>
      core.fail('firmware.status', { kind: 'bug', reference: 'x' }),
    )
    expect(button('Choose a device').attributes('href')).toBe('#/devices')
  })
  it('counts golden profiles and the devices that drifted from them', async () => {
    const { words } = await opened('/golden-profiles')
    expect(words()).toContain('2 golden profiles · 23 devices drifted')
  })
  it('lists them with what is to do, and shows the first one until another is picked', async () => {
    const { page, router } = await opened('/golden-profiles')
    const titles = (): string[] => page.findAll('.pane h2').map((one) => one.text())
    const first = titles()
    await page.findAll('[role="option"]')[1]!.trigger('click')
    await settle()
    expect([
      page.findAll('[role="option"]').map((one) => textIn(one.element)),
      first,
      titles(),
      router.currentRoute.value.params['id'] === useGoldenProfile().id,
    ]).toEqual([
      [
        expect.stringMatching(/^Desks .+ 7 drifted$/),
        expect.stringMatching(/^Rooms .+ 16 drifted$/),
        'Values not allowed All products',
      ],
      ['Desks'],
      ['Rooms'],
      true,
    ])
  })
  it('reloads when the core emits a change', async () => {
    const { core } = await opened('/golden-profiles')
    const previous = core.argumentsOf('goldenProfiles.list').length
    core.emit('goldenProfiles.changed', { count: 0 })
    await settle()
    expect(core.argumentsOf('goldenProfiles.list').length).toBe(previous + 1)
  })
  it('keeps its data when a reload fails, and shows why', async () => {
    const { core, words } = await opened('/golden-profiles')
    core.fail('goldenProfiles.list', {
      kind: 'cache-unusable',
      file: 'workbook.sqlite',
      reason: 'damaged',
      message: '',
    })
    core.emit('goldenProfiles.changed', { count: 0 })
    await settle()
    expect(words()).toContain('workbook.sqlite')
    expect(words()).toContain('2 golden profiles')
  })
})

describe('one golden profile', () => {
  it('opens with its drift: how many devices, in which settings, and with which values', async () => {
    const { words } = await openProfile(0)
    expect(words()).toContain('7 of 16 devices drifted, 2 not read')
    expect(words()).toContain(
      'Sound mode normal not locked Apply… Sound mode 2 differ Found: bass (1), treble (1)',
    )
    expect(words()).toContain('Audio announcements 4 differ Found: tones (4) Not available on 1')
    expect(useGoldenProfile().state).toBe('drifted')
    expect(useGoldenProfile().total).toBe(7)
  })
  it('shows that all devices have a setting as wanted', async () => {
    const core = await openCore()
    await readSettings(core, 12_297, 4)
    const { id } = await core.handlers.goldenProfiles.save({
      id: null,
      name: 'Cameras',
      productId: 12_297,
      variantType: null,
      settings: [{ name: 'contrastEnhancementEnabled', value: true }],
    })
    const { words } = await mountPage(`/golden-profiles/${id}`, true)
    expect(words()).toContain('Contrast enhancement enabled on As specified')
  })
  it('shows which values devices accept when they reject the wanted one', async () => {
    const { words } = await openProfile(1)
    expect(words()).toContain('16 do not accept it. The value must be one of: tones, voice, off.')
    expect(words()).toContain('Ringer volume 1 locked Apply… Ringer volume 16 differ')
  })
  it('shows one difference of each device and how many more it has, that of a chosen setting first', async () => {
    withSize(1_400, 1_000)
    const { page, core, profile } = await openProfile(0)
    const { rows } = await core.handlers.goldenProfiles.devices({
      id: profile.id,
      state: 'drifted',
      setting: null,
      start: 0,
      count: 20,
    })
    const more = rows.map(({ drift }) => (drift.length === 1 ? '' : `and ${drift.length - 1} more`))
    const cells = (): readonly string[][] =>
      gridLines().map((line) => [...line.querySelector('.differs')!.children].map((part) => part.textContent))
    const shown = cells().map(([, beside]) => beside)
    await page
      .findAll('.settings button')
      .find((one) => one.text() === 'Audio announcements')!
      .trigger('click')
    await settle()
    expect([shown, new Set(cells().map(([first]) => first?.split(':')[0]))]).toEqual([
      more,
      new Set(['Audio announcements']),
    ])
  })

  it('is applied to the devices that drifted, by the plan of a job', async () => {
    const { core, button, profile } = await openProfile(0)
    await button('Apply to 7 drifted devices…').trigger('click')
    await settle()
    const drifted = await core.handlers.goldenProfiles.deviceIds({
      id: profile.id,
      state: 'drifted',
      setting: null,
    })
    expect([planned(core), drifted.total]).toEqual([
      {
        kind: 'change-settings',
        selection: { kind: 'picked', ids: drifted.ids },
        changes: wanted,
      },
      7,
    ])
    expect(useJobPlan().request).not.toBeNull()
  })
  it('is applied in one setting to the devices that differ in it', async () => {
    const { core, page } = await openProfile(0)
    await page
      .findAll('.settings .apply')
      .find((one) => one.text().includes('Sound mode'))
      ?.trigger('click')
    await settle()
    expect(planned(core)).toEqual({
      kind: 'change-settings',
      selection: { kind: 'picked', ids: expect.toSatisfy((ids: unknown[]) => ids.length === 2) as string[] },
      changes: [{ name: 'soundMode', value: 'normal', locked: false }],
    })
  })
  it('is applied without the values that no device accepts, which are listed', async () => {
    const { core, button } = await openProfile(1)
    await button('Apply to 16 drifted devices…').trigger('click')
    await settle()
    expect([planned(core), messages.value[0]?.text]).toMatchObject([
      { changes: [{ name: 'ringerVolume', value: 1, locked: true }] },
      'Voice prompts is left out: no device accepts it',
    ])
  })
  it('reads the unread devices after showing the number of calls, and shows their drift', async () => {
    const core = await openCore()
    const { id } = await core.handlers.goldenProfiles.save({
      id: null,
      name: 'Desks',
      productId: headset,
      variantType: null,
      settings: wanted,
    })
    const { button, words } = await mountPage(`/golden-profiles/${id}`, true)
    expect(words()).toContain('Settings of 16 devices have not been read yet')
    await button('Read 16 devices…').trigger('click')
    await settle()
    const previous = [words().includes('16 calls, one per device.'), core.argumentsOf('devices.readSettings')]
    await button('Read').trigger('click')
    await core.finish(core.answered('devices.readSettings'))
    await settle()
    const ids = (await devicesOf(core, `pid:${headset}`)).map((device) => device.id)
    expect([...previous, core.argumentsOf('devices.readSettings')]).toEqual([
      true,
      [],
      [
        {
          selection: {
            kind: 'picked',
            ids: expect.toSatisfy(
              (read: string[]) => read.toSorted().join() === ids.toSorted().join(),
            ) as string[],
          },
        },
      ],
    ])
    expect(words()).toMatch(/\d+ of 16 devices drifted/)
  })
  it('shows the devices of a state, or those that differ in one setting', async () => {
    const { core, page, words, profile } = await openProfile(0)
    await page
      .findAll('.chip')
      .find((one) => one.text().startsWith('Not available'))
      ?.trigger('click')
    await settle()
    expect(useGoldenProfile().total).toBe(1)
    await page
      .findAll('.settings .linkish')
      .find((one) => one.text() === 'Audio announcements')
      ?.trigger('click')
    await settle()
    expect(words()).toContain('5 devices that differ in Audio announcements or lack it')
    expect(core.argumentsOf('goldenProfiles.devices').at(-1)).toEqual({
      id: profile.id,
      state: null,
      setting: 'audioAnnouncements',
      start: 0,
      count: 100,
    })
  })
  it('copies the visible list, one device per line', async () => {
    const { button, copied } = await openProfile(0)
    await button('Copy').trigger('click')
    await settle()
    expect(copied[0]?.split('\n')).toHaveLength(7)
    expect(copied[0]).toContain('Drifted\tSound mode (soundMode): bass → normal')
  })
  it('exports the whole visible list', async () => {
    const { button, profile } = await openProfile(0)
    await button('Export').trigger('click')
    expect(useExports().offer).toMatchObject({
      title: 'Export: Drift from Desks',
      choices: [
        {
          label: 'All 7 rows',
          count: 7,
          subject: {
            of: 'drift',
            name: 'Drift from Desks',
            profile: { id: profile.id, state: 'drifted', setting: null },
          },
        },
      ],
    })
  })
  it('exports a drift file through the session of the organization', async () => {
    const { core, profile } = await openProfile(0)
    const { exports } = core.handlers
    await exports.start({
      subject: { of: 'drift', name: 'Drift', profile: { id: profile.id, state: null, setting: null } },
      format: 'jsonl',
      columns: null,
      delimiter: ',',
      timeZone: 'UTC',
      viewName: null,
    })
    while ((await exports.list())[0]?.state === 'running') await settle()
    expect((await exports.list()).map(({ state, rowsWritten }) => ({ state, rowsWritten }))).toEqual([
      { state: 'done', rowsWritten: 16 },
    ])
  })
  it('is removed, and restored by undo', async () => {
    const { core, button, router, profile } = await openProfile(0)
    await button('Remove').trigger('click')
    await settle()
    expect([
      core.argumentsOf('goldenProfiles.remove'),
      router.currentRoute.value.fullPath,
      messages.value[0]?.text,
    ]).toEqual([[{ id: profile.id }], '/golden-profiles', 'Golden profile Desks removed'])
    expect(takeBackLast()).toBe(true)
    await settle()
    expect(core.argumentsOf('goldenProfiles.save')).toMatchObject([
      { id: null, name: 'Desks', productId: headset, variantType: null },
    ])
  })
  it('shows that it is gone', async () => {
    const { words } = await opened('/golden-profiles/golden-99')
    expect(words()).toContain('Golden profile not found')
  })
  it('reloads after a change, and keeps the selected state', async () => {
    const { core, page } = await openProfile(0)
    await page
      .findAll('.chip')
      .find((one) => one.text().startsWith('As specified'))
      ?.trigger('click')
    await settle()
    core.emit('goldenProfiles.changed', { count: 0 })
    await settle()
    expect([useGoldenProfile().state, useGoldenProfile().total]).toEqual(['as-wanted', 6])
  })
})

describe('values that are not allowed', () => {
  it('are listed for all devices, with those that are unknown', async () => {
    const { words } = await openPage('/golden-profiles/not-allowed', {}, async (core) => {
      const [first] = await devicesOf(core, `pid:${speaker}`)
      core.service.alter(`/${first!.id}/settings`, ({ settings }: { readonly settings: object }) => ({
        settings: { ...settings, voicePrompts: { isLocked: false, selected: 'humming' } },
      }))
      await twoProfiles(core)
    })
    expect(words()).toContain('1 of 29 devices that can be compared has a value that is not allowed')
    expect(words()).toContain('The settings of 270 devices have not been read.')
    expect(words()).toContain('No feature model is stored for 1 device.')
  })
  it('are not reported as none when no feature model is cached', async () => {
    const { words } = await openPage('/golden-profiles/not-allowed', {}, async (core) => {
      core.service.script('/feature-model.json', () =>
        answer(404, { statusCode: 404, message: 'Resource not found' }),
      )
      await readSettings(core, speaker, 16)
    })
    expect(words()).toContain('Cannot compare: no feature model is stored')
  })
  it('are not reported as none when nothing was read, and are reached without a golden profile', async () => {
    const { words, page, router } = await openPage('/golden-profiles')
    const lists = page.findAll('.side').length
    const arrived = nextPage(router)
    await page.get('a[href$="/golden-profiles/not-allowed"]').trigger('click')
    await arrived
    await settle()
    expect([lists, words().includes('No settings have been read yet')]).toEqual([0, true])
  })
})

it('a golden profile is made of the settings of a device, from its tab', async () => {
  const { button, router, core } = await openPage('/golden-profiles')
  const rows = await devicesOf(core)
  await router.push({ name: 'device', params: { id: rows[0]!.id } })
  await settle()
  await button('Settings').trigger('click')
  await settle()
  await button('Make a golden profile…').trigger('click')
  await settle()
  const { draft, rows: offered, chosen } = useGoldenDraft()
  expect([draft?.from, draft?.productId, offered.length > 0, chosen]).toEqual([
    rows[0]!.name,
    rows[0]!.productId,
    true,
    [],
  ])
})
