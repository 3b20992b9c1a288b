import { describe, expect, it } from 'vitest'
import { done } from '../../../electron/contract/failure.ts'
import type { NotAllowedWindow } from '../../../electron/contract/api/golden-profiles.ts'
import { useGoldenDraft } from '../../../renderer/golden-profiles/golden-draft-store.ts'
import { useGoldenProfile } from '../../../renderer/golden-profiles/golden-profile-store.ts'
import { useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { api } from '../../../renderer/api.ts'
import { messages, takeBackLast } from '../../../renderer/parts/toasts.ts'
import type { DoubleLink, DoubleOptions } from '../double-link.ts'
import { openPage, settle } from '../open-page.ts'

const opened = (address: string, options: Partial<DoubleOptions> = {}) =>
  openPage(address, { devices: 600, ...options })
const asked = (core: DoubleLink, channel: string): unknown[] =>
  core.asked.filter((one) => one.channel === channel).map((one) => one.argument)

describe('the page of golden profiles', () => {
  it('says what a golden profile is where there is none, and leads to the devices', async () => {
    const { words, button } = await opened('/golden-profiles', { goldenless: true })
    expect(words()).toContain(
      'No golden profiles yet A golden profile holds the settings that all devices of a product should have.',
    )
    expect(button('Choose a device').attributes('href')).toBe('#/devices')
  })
  it('counts golden profiles and the devices that drifted from them', async () => {
    const { words } = await opened('/golden-profiles')
    expect(words()).toContain('2 golden profiles · 31 devices drifted')
  })
  it('asks again when the core announces that something changed', async () => {
    const { core } = await opened('/golden-profiles')
    const before = asked(core, 'goldenProfiles.list').length
    core.announce('goldenProfiles.changed', { count: 0 })
    await settle()
    expect(asked(core, 'goldenProfiles.list').length).toBe(before + 1)
  })
  it('keeps what is known when it cannot be asked again, and says why', async () => {
    const { core, words } = await opened('/golden-profiles')
    core.fail('goldenProfiles.list', {
      kind: 'cache-unusable',
      file: 'workbook.sqlite',
      reason: 'damaged',
      message: '',
    })
    core.announce('goldenProfiles.changed', { count: 0 })
    await settle()
    expect(words()).toContain('workbook.sqlite')
    expect(words()).toContain('2 golden profiles')
  })
})

describe('one golden profile', () => {
  it('opens with what drifted: how many, in which settings, and what there is instead', async () => {
    const { words } = await opened('/golden-profiles/golden-1')
    expect(words()).toContain('7 drifted, of 40 read')
    expect(words()).toContain('powerLineFrequency 50Hz Apply… powerLineFrequency 7 differ Instead: 60Hz (7)')
    expect(words()).toContain('zoomMode simplemode_intelligentzoom As wanted Not available on 8')
    expect(useGoldenProfile().state).toBe('drifted')
    expect(useGoldenProfile().total).toBe(7)
  })
  it('says of a wanted value that devices do not take what they take', async () => {
    const { words } = await opened('/golden-profiles/golden-2')
    expect(words()).toContain('24 do not take it. The value must be one of: voice, tones, off.')
  })
  it('is applied to the devices that drifted, by the plan of a job', async () => {
    const { core, button } = await opened('/golden-profiles/golden-1')
    await button('Apply to 7 drifted devices…').trigger('click')
    await settle()
    const work = (
      asked(core, 'jobs.plan')[0] as {
        work: { kind: string; selection: { kind: string; ids: string[] }; changes: { name: string }[] }
      }
    ).work
    expect([work.kind, work.selection.kind, work.selection.ids.length]).toEqual([
      'change-settings',
      'picked',
      7,
    ])
    expect(work.changes.map(({ name }) => name)).toEqual([
      'videoStiching',
      'fieldOfView',
      'zoomMode',
      'powerLineFrequency',
      'autoUpdate',
    ])
    expect(useJobPlan().asked).not.toBeNull()
  })
  it('is applied in one setting to the devices that differ in it', async () => {
    const { core, page } = await opened('/golden-profiles/golden-2')
    await page.find('.settings .apply').trigger('click')
    await settle()
    const { changes, selection } = (
      asked(core, 'jobs.plan')[0] as { work: { changes: unknown; selection: { ids: string[] } } }
    ).work
    expect([changes, selection.ids.length]).toEqual([[{ name: 'sidetoneLevel', value: 6 }], 4])
  })
  it('is applied without what no device takes, which is said, so that the rest is put right', async () => {
    const { core, button } = await opened('/golden-profiles/golden-2')
    await button('Apply to 24 drifted devices…').trigger('click')
    await settle()
    const { changes } = (asked(core, 'jobs.plan')[0] as { work: { changes: { name: string }[] } }).work
    expect([changes.map(({ name }) => name), messages.value[0]?.text]).toEqual([
      ['sidetoneLevel', 'busylightEnabled'],
      'voicePrompts is left out: no device takes it',
    ])
  })
  it('reads those not read yet by a plan, which shows what would change before anything is sent', async () => {
    const { core, button, words } = await opened('/golden-profiles/golden-1', { settingsUnread: true })
    expect(words()).toContain('Settings of its 47 devices were not read yet')
    await button('Read 47 devices…').trigger('click')
    await settle()
    expect(asked(core, 'goldenProfiles.deviceIds')).toEqual([
      { id: 'golden-1', state: 'not-read', setting: null },
    ])
    expect(asked(core, 'jobs.plan')).toHaveLength(1)
    expect(asked(core, 'jobs.start')).toEqual([])
  })
  it('shows the devices of a state, or those that differ in one setting', async () => {
    const { core, page, words } = await opened('/golden-profiles/golden-1')
    await page
      .findAll('.chip')
      .find((one) => one.text().startsWith('Not available'))
      ?.trigger('click')
    await settle()
    expect(useGoldenProfile().total).toBe(8)
    await page
      .findAll('.settings .linkish')
      .find((one) => one.text() === 'zoomMode')
      ?.trigger('click')
    await settle()
    expect(words()).toContain('8 devices that differ in zoomMode, or lack it')
    expect(asked(core, 'goldenProfiles.devices').at(-1)).toEqual({
      id: 'golden-1',
      state: null,
      setting: 'zoomMode',
      start: 0,
      count: 100,
    })
  })
  it('copies the list of what is shown, a line each', async () => {
    const { button, copied } = await opened('/golden-profiles/golden-1')
    await button('Copy list').trigger('click')
    await settle()
    expect(copied[0]?.split('\n')).toHaveLength(7)
    expect(copied[0]).toContain('Drifted\tpowerLineFrequency is 60Hz, wanted 50Hz')
  })
  it('is removed, and taken back by undo', async () => {
    const { core, button, router } = await opened('/golden-profiles/golden-1')
    await button('Remove').trigger('click')
    await settle()
    expect([
      asked(core, 'goldenProfiles.remove'),
      router.currentRoute.value.fullPath,
      messages.value[0]?.text,
    ]).toEqual([[{ id: 'golden-1' }], '/golden-profiles', 'Golden profile Meeting rooms removed'])
    expect(takeBackLast()).toBe(true)
    await settle()
    expect(asked(core, 'goldenProfiles.save')).toMatchObject([
      { id: null, name: 'Meeting rooms', productId: 0x3012, variantType: null },
    ])
  })
  it('that is gone says so', async () => {
    const { words } = await opened('/golden-profiles/golden-99')
    expect(words()).toContain('There is no such golden profile')
  })
  it('is read again when something changed, and keeps the state that is looked at', async () => {
    const { core, page } = await opened('/golden-profiles/golden-1')
    await page
      .findAll('.chip')
      .find((one) => one.text().startsWith('As wanted'))
      ?.trigger('click')
    await settle()
    core.announce('goldenProfiles.changed', { count: 0 })
    await settle()
    expect([useGoldenProfile().state, useGoldenProfile().total]).toEqual(['as-wanted', 25])
  })
})

describe('values that are not allowed', () => {
  it('are told of all devices, with what nobody can say', async () => {
    const { words } = await opened('/golden-profiles/not-allowed')
    expect(words()).toContain('12 of 488 devices that can be judged hold values that are not allowed')
    expect(words()).toContain('Nothing is known of 100 devices whose settings were not read.')
    expect(words()).toContain('For 12 devices no feature model is kept')
  })
  it('are not claimed to be none where no feature model is kept', async () => {
    const { words } = await openPage('/golden-profiles/not-allowed', { devices: 600 }, (core) => {
      const ask = core.call
      core.call = async (channel, argument) => {
        const outcome = await ask(channel, argument)
        if (channel !== 'goldenProfiles.notAllowed' || !outcome.ok) return outcome
        return done({ ...(outcome.value as NotAllowedWindow), rows: [], total: 0, withoutModel: 500 })
      }
    })
    expect(words()).toContain('Nothing can be said: no feature model is kept')
  })
  it('are not claimed to be none where nothing was read', async () => {
    const { words } = await opened('/golden-profiles/not-allowed', { settingsUnread: true })
    expect(words()).toContain('No settings were read yet')
  })
})

it('a golden profile is made of the settings of a device, from its tab', async () => {
  const { button, router } = await opened('/golden-profiles')
  const listed = await api.devices.window({ where: '', sort: [], start: 0, count: 1 })
  const rows = listed.ok ? listed.value.rows : []
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
