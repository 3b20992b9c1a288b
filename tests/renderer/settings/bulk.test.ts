import { flushPromises, mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { SettingOver } from '../../../electron/contract/api/settings.ts'
import { useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import BulkDialog from '../../../renderer/settings/BulkDialog.vue'
import { useBulkSettings } from '../../../renderer/settings/bulk-store.ts'
import type { DoubleLink, DoubleOptions } from '../double-link.ts'
import { aCore } from '../open-page.ts'

const everything = { kind: 'matching', where: '', except: [] } as const
async function opened(
  options: Partial<DoubleOptions> = {},
): Promise<{ core: DoubleLink; bulk: ReturnType<typeof useBulkSettings> }> {
  const core = aCore({ devices: 400, ...options })
  const bulk = useBulkSettings()
  bulk.open(everything)
  mount(BulkDialog, { global: { plugins: [i18n] }, attachTo: document.body })
  await flushPromises()
  return { core, bulk }
}
const said = (): string => (document.body.textContent ?? '').replaceAll(/\s+/g, ' ')
const row = (name: string): Element | undefined =>
  [...document.querySelectorAll('.bulk-row')].find((one) => one.querySelector('.name')?.textContent === name)
async function press(words: string): Promise<void> {
  ;[...document.querySelectorAll<HTMLElement>('button')]
    .find((one) => one.textContent?.trim() === words)
    ?.click()
  await flushPromises()
}
async function replace(name: string): Promise<void> {
  row(name)?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
  await flushPromises()
}
const setting = (bulk: ReturnType<typeof useBulkSettings>, name: string): SettingOver =>
  bulk.over!.settings.find((one) => one.name === name)!

describe('settings of many devices', () => {
  it('say of which products nothing was read, and read one device when asked', async () => {
    const { core, bulk } = await opened()
    const before = bulk.over?.products.filter(({ read }) => read === 0) ?? []
    expect(said()).toContain(`Settings of ${before.length} products not read yet`)
    await press('Read one')
    expect(
      core.asked.filter(({ channel }) => channel === 'devices.settings').map(({ argument }) => argument),
    ).toEqual([{ id: before[0]?.unreadId, refresh: true }])
    expect(bulk.over?.products.filter(({ read }) => read === 0)).toHaveLength(before.length - 1)
  })
  it.each([
    ['of one product of which nothing is known', [0], ['D0']],
    ['of three', [0, 0, 0], ['D0', 'D1', 'D2']],
    ['not of four', [0, 0, 0, 0], []],
    ['not where something is known', [0, 1], []],
  ])('are read of one device without being asked: %s', async (_, read, asked) => {
    const core = aCore()
    const told: unknown[] = []
    const products = read.map((one, index) => ({
      product: `P${index}`,
      devices: 2,
      read: one,
      readAt: null,
      unreadId: `D${index}`,
    }))
    const over = { devices: 2 * read.length, products, settings: [] }
    const ask: DoubleLink['call'] = async (channel, argument) => {
      if (channel === 'devices.settingsOver') return { ok: true, value: over }
      if (channel !== 'devices.settings') return core.call(channel, argument)
      told.push((argument as { readonly id: string }).id)
      return { ok: true, value: null }
    }
    Object.assign(globalThis, { headroom: { ...core, call: ask } })
    useBulkSettings().open(everything)
    await flushPromises()
    expect(told).toEqual(asked)
  })
  it('are kept unless they are replaced, and only those go into the plan', async () => {
    const { core, bulk } = await opened()
    expect(said()).toContain('Everything is kept')
    await replace('autoAnswer')
    await replace('sidetoneLevel')
    bulk.type(setting(bulk, 'sidetoneLevel'), '3')
    await flushPromises()
    expect(said()).toContain('2 settings replaced')
    await press('Preview…')
    expect(
      core.asked
        .filter(({ channel }) => channel === 'jobs.plan')
        .map(({ argument }) => (argument as { work: unknown }).work),
    ).toEqual([
      {
        kind: 'change-settings',
        selection: everything,
        changes: [
          { name: 'autoAnswer', value: true },
          { name: 'sidetoneLevel', value: 3 },
        ],
      },
    ])
  })
  it('wait as they were filled in while the preview is looked at, and are forgotten once it is left', async () => {
    const { bulk } = await opened()
    await replace('autoAnswer')
    await press('Preview…')
    const plan = useJobPlan()
    expect([bulk.previewed, [...bulk.fields.keys()]]).toEqual([true, ['autoAnswer']])
    plan.goBack()
    expect([plan.asked, bulk.previewed, [...bulk.fields.keys()], bulk.selection]).toEqual([
      null,
      false,
      ['autoAnswer'],
      everything,
    ])
    await press('Preview…')
    plan.close()
    expect([bulk.selection, bulk.fields.size]).toEqual([null, 0])
  })
  it('are read of one device of each product at once, which ends with the first that fails', async () => {
    const { core, bulk } = await opened()
    const unread = bulk.over?.products.filter(({ read }) => read === 0) ?? []
    const reads = (): unknown[] =>
      core.asked.filter(({ channel }) => channel === 'devices.settings').map(({ argument }) => argument)
    core.fail('devices.settings', {
      kind: 'offline',
      call: { operation: 'GetDeviceSettings', host: 'api.cloud.jabra.com' },
      message: 'ENOTFOUND',
    })
    await press(`Read one of each, ${unread.length} calls`)
    expect([reads().length, bulk.failure?.kind]).toEqual([1, 'offline'])
    core.fail('devices.settings', null)
    await press(`Read one of each, ${unread.length} calls`)
    expect(reads().slice(1)).toEqual(unread.map(({ unreadId }) => ({ id: unreadId, refresh: true })))
    expect([bulk.failure, bulk.over?.products.filter(({ read }) => read === 0)]).toEqual([null, []])
  })
  it('that cannot be sent as typed are said and hold the preview back', async () => {
    const { bulk } = await opened()
    await replace('sidetoneLevel')
    bulk.type(setting(bulk, 'sidetoneLevel'), '30')
    await flushPromises()
    expect([row('sidetoneLevel')?.querySelector('[role=alert]')?.textContent, bulk.wrong]).toEqual([
      'The number must be from 0 to 10',
      1,
    ])
    await press('Preview…')
    expect(bulk.selection).toEqual(everything)
  })
  it('say how many products have them, what was seen, and what is locked or restarts', async () => {
    await opened()
    expect(row('autoUpdate')?.textContent).toContain('locked on some, and stays so')
    expect(row('fieldOfView')?.textContent).toContain('restarts the device')
    expect(row('fieldOfView')?.textContent).toMatch(/seen: _140deg · 2 of \d products/)
    expect(row('equalizer')?.querySelector('input')?.disabled).toBe(true)
  })
  it.each<[string, Partial<SettingOver>, string]>([
    [
      'no common value',
      { onlySome: ['a', 'b'], feature: null, kind: 'choice' },
      'no value is allowed on all of them',
    ],
    ['different kinds', { kindsDiffer: true, kind: 'unknown' }, 'products have it in different kinds'],
    ['values of some only', { onlySome: ['loud'], kind: 'choice' }, 'some only: loud'],
    [
      'nothing published for some',
      { published: false, kind: 'choice' },
      'for some of them allowed values are not known',
    ],
  ])('warn where products differ: %s', async (_what, changes, words) => {
    const { bulk } = await opened()
    const over = bulk.over!
    bulk.over = {
      ...over,
      settings: over.settings.map((one) => (one.name === 'voicePrompts' ? { ...one, ...changes } : one)),
    }
    await flushPromises()
    expect(row('voicePrompts')?.textContent).toContain(words)
  })
  it('that could not be looked up say why and can be asked for again', async () => {
    const { core, bulk } = await opened({
      failures: {
        'devices.settingsOver': {
          kind: 'cache-unusable',
          file: 'store.sqlite',
          reason: 'damaged',
          message: '',
        },
      },
    })
    expect(said()).toContain('The file store.sqlite is damaged.')
    core.fail('devices.settingsOver', null)
    await press('Try again')
    expect(bulk.over?.settings.length).toBeGreaterThan(0)
  })
})
