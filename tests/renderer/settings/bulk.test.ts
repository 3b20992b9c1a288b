import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { SettingSummary } from '../../../electron/contract/api/settings.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import BulkDialog from '../../../renderer/settings/BulkDialog.vue'
import { countsText } from '../../../renderer/settings/setting-text.ts'
import { useBulkSettings } from '../../../renderer/settings/bulk-store.ts'
import { devicesOf, openCore, settle, type TestCore } from '../core.ts'

const within = (where: string) => ({ kind: 'matching', where, except: [] }) as const
/** A headset and cameras: five products, for three of which one device was read. */
const everything = within('product:"Evolve2 50","PanaCast 50",U30')
const readOf = ['Jabra Evolve2 50 Stereo', 'Jabra PanaCast 50', 'Jabra PanaCast 50 (Teams)']

async function readOne(core: TestCore, product: string): Promise<void> {
  const [device] = await devicesOf(core, `product:="${product}"`)
  await core.finish(core.handlers.devices.settings({ id: device!.id, refresh: true }))
}
async function opened(
  prepare: (core: TestCore) => unknown = () => undefined,
): Promise<{ core: TestCore; bulk: ReturnType<typeof useBulkSettings> }> {
  const core = await openCore()
  await prepare(core)
  for (const product of readOf) await readOne(core, product)
  const bulk = useBulkSettings()
  bulk.open(everything)
  mount(BulkDialog, { global: { plugins: [i18n] }, attachTo: document.body })
  // The documents of the products are read at the pace of the service.
  await core.finish(settle())
  return { core, bulk }
}
const said = (): string => (document.body.textContent ?? '').replaceAll(/\s+/g, ' ')
const row = (name: string): Element | undefined =>
  [...document.querySelectorAll('.bulk-row')].find((one) => one.querySelector(`[title="${name}"]`))
async function press(words: string): Promise<void> {
  ;[...document.querySelectorAll<HTMLElement>('button')]
    .find((one) => one.textContent?.trim() === words)
    ?.click()
  await settle()
}
async function replace(name: string): Promise<void> {
  row(name)?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
  await settle()
}
const setting = (bulk: ReturnType<typeof useBulkSettings>, name: string): SettingSummary =>
  bulk.over!.settings.find((one) => one.name === name)!

describe('settings of many devices', () => {
  it('list the products that were not read, and read one device on request', async () => {
    const { core, bulk } = await opened()
    const previous = bulk.over?.products.filter(({ read }) => read === 0) ?? []
    expect(said()).toContain('Change settings of 13 devices')
    const known = bulk.over!.products.reduce((sum, { read }) => sum + read, 0)
    expect(said()).toContain(`Settings were read from ${known} of 13 devices.`)
    await press(`Read settings ${previous[0]?.product}`)
    expect(core.argumentsOf('devices.settings')).toEqual([{ id: previous[0]?.unreadId, refresh: true }])
    expect(bulk.over?.products.filter(({ read }) => read === 0)).toHaveLength(previous.length - 1)
  })
  it('say beside them of which devices they were read, and what happens next', async () => {
    const { bulk } = await opened()
    const parts = [...document.querySelectorAll('.beside > section')].map((one) => [
      one.querySelector('h3')?.textContent,
      [...one.querySelectorAll('li')].map((line) => line.textContent.replaceAll(/\s+/g, ' ').trim()),
    ])
    const of = (given: readonly { product: string; read: number; devices: number }[]) =>
      given.map(({ product, read, devices }) => expect.stringContaining(`${product}${read} of ${devices}`))
    const { products } = bulk.over!
    // A list that never scrolls is no Tab stop.
    expect(document.querySelectorAll('.beside ul[tabindex]')).toHaveLength(0)
    expect(parts).toEqual([
      ['What changes', []],
      ['What was read', of([...products].sort((a, b) => a.read - b.read))],
      [
        'What happens next',
        [
          'The preview reads each device and shows what it has now and what it gets.',
          'Nothing is sent until you start it there.',
          'Each device that differs gets one request and is read back.',
        ],
      ],
    ])
    const ids = [...document.querySelectorAll('footer button')].at(-1)!.getAttribute('aria-describedby')!
    expect(document.getElementById(ids)?.textContent.trim()).toBe('No settings chosen')
  })
  it('of which none was read are one sentence and one button, and the products', async () => {
    const core = await openCore()
    const bulk = useBulkSettings()
    bulk.open(within('product:"PanaCast 50","Engage 75",Speak'))
    mount(BulkDialog, { global: { plugins: [i18n] }, attachTo: document.body })
    await settle()
    const products = bulk.over!.products
    const dialog = document.querySelector('[role="dialog"]')!
    expect(
      [...dialog.querySelectorAll('footer button, .list button')].map((one) => one.textContent.trim()),
    ).toEqual([`Read settings (${products.length} calls)`, 'Cancel'])
    const lines = [...dialog.querySelectorAll('li')].map((one) =>
      [...one.querySelectorAll('span:not(.picture)')].map((part) => part.textContent),
    )
    expect(lines).toEqual(
      products.map(({ product, devices }) => [product, `${devices} device${devices === 1 ? '' : 's'}`]),
    )
    expect([
      said().includes('one that is online, if there is one'),
      said().includes('Only what you tick'),
    ]).toEqual([true, false])
    expect(
      said().match(new RegExp(`Settings of ${products.length} product variants have not been read`, 'g')),
    ).toHaveLength(1)
    await press(`Read settings (${products.length} calls)`)
    await core.finish(settle())
    expect(said()).toContain('No settings chosen')
  })
  const four = ['Jabra Engage 55', 'Jabra Scheduler', 'Jabra Speak2 55', 'Jabra PanaCast U30 (Teams)']
  it.each<[string, readonly string[], readonly string[], boolean]>([
    ['of one product about which nothing is known', four.slice(0, 1), [], true],
    ['of three', four.slice(0, 3), [], true],
    ['not of four', four, [], false],
    ['not if something is known', four.slice(0, 2), four.slice(0, 1), false],
  ])('are read from one device without a request: %s', async (_, products, known, unasked) => {
    const core = await openCore()
    for (const product of known) await readOne(core, product)
    const selection = within(`product:=${products.map((one) => `"${one}"`).join(',')}`)
    const over = await core.handlers.devices.settingsSummary({ selection })
    useBulkSettings().open(selection)
    await settle()
    expect([over.products.length, core.argumentsOf('devices.settings')]).toEqual([
      products.length,
      unasked ? over.products.map(({ unreadId }) => ({ id: unreadId, refresh: true })) : [],
    ])
  })
  it('of a closed dialog are read no further, and what was read is not shown in the next', async () => {
    const core = await openCore()
    const bulk = useBulkSettings()
    const of = async (products: readonly string[]) => {
      const selection = within(`product:=${products.map((one) => `"${one}"`).join(',')}`)
      const over = await core.handlers.devices.settingsSummary({ selection })
      return { selection, ids: over.products.map(({ unreadId }) => unreadId) }
    }
    const [first, next] = [await of(four.slice(0, 2)), await of(four.slice(2, 3))]
    const releaseFirst = core.hold('devices.settings')
    bulk.open(first.selection)
    await settle()
    bulk.close()
    const releaseNext = core.hold('devices.settings')
    bulk.open(next.selection)
    await settle()
    core.fail('devices.settings', { kind: 'bug', reference: 'x' })
    releaseFirst()
    await settle()
    const waiting = [bulk.failure, bulk.reading]
    core.fail('devices.settings', null)
    releaseNext()
    await core.finish(settle())
    expect([waiting, bulk.failure, bulk.reading, core.argumentsOf('devices.settings')]).toEqual([
      [null, four[2]],
      null,
      null,
      [first.ids[0], next.ids[0]].map((id) => ({ id, refresh: true })),
    ])
  })
  it('are unchanged unless replaced, and only those go into the plan', async () => {
    const { core, bulk } = await opened()
    expect(said()).toContain('No settings chosen')
    await replace('busyStatePresence')
    await replace('muteReminderInterval')
    bulk.type(setting(bulk, 'muteReminderInterval'), '3')
    await settle()
    expect(said()).toContain('2 settings chosen')
    await press('Preview…')
    expect(core.argumentsOf('jobs.plan').map((argument) => (argument as { work: unknown }).work)).toEqual([
      {
        kind: 'change-settings',
        selection: everything,
        changes: [
          { name: 'busyStatePresence', value: false },
          { name: 'muteReminderInterval', value: 3 },
        ],
      },
    ])
  })
  it('are under the groups of their products, whose documents are fetched; offline a note says that they were not', async () => {
    const offline = 'Offline. Settings are grouped when Headroom can fetch the definitions of these products.'
    const visible = (): readonly unknown[] => [
      [...document.querySelectorAll('h3.mt-3')].map((one) => one.textContent?.trim()),
      said().includes(offline),
    ]
    const core = await openCore()
    for (const product of readOf) await readOne(core, product)
    core.service.offline = true
    await core.finish(core.handlers.sync.run()).catch(() => undefined)
    await useLayoutStore().fetchStatus()
    useBulkSettings().open(everything)
    mount(BulkDialog, { global: { plugins: [i18n] }, attachTo: document.body })
    await core.finish(settle())
    const previous = visible()
    core.service.offline = false
    await core.finish(core.handlers.sync.run())
    await useLayoutStore().fetchStatus()
    await core.finish(settle())
    expect([previous, visible()]).toEqual([
      [[], true],
      [['Audio and notifications', 'System', 'Video', 'Other settings'], false],
    ])
  })
  it('stay filled in during the preview, and are cleared when it is left', async () => {
    const { bulk } = await opened()
    await replace('busyStatePresence')
    await press('Preview…')
    const plan = useJobPlan()
    expect([bulk.previewed, [...bulk.fields.keys()]]).toEqual([true, ['busyStatePresence']])
    plan.goBack()
    expect([plan.request, bulk.previewed, [...bulk.fields.keys()], bulk.selection]).toEqual([
      null,
      false,
      ['busyStatePresence'],
      everything,
    ])
    await press('Preview…')
    plan.close()
    expect([bulk.selection, bulk.fields.size]).toEqual([null, 0])
  })
  it('are read from one device of each product at once, which ends at the first failure', async () => {
    const { core, bulk } = await opened(({ service }) =>
      service.alter('/settings', ({ settings }: { readonly settings: object }) => ({
        settings: { ...settings, label: { isLocked: false, value: 'Floor 2' } },
      })),
    )
    const seen = (): string | undefined =>
      row('label')
        ?.textContent?.replace(/^Label/, '')
        .trim()
    const previous = seen()
    const unread = bulk.over?.products.filter(({ read }) => read === 0) ?? []
    const reads = (): readonly unknown[] => core.argumentsOf('devices.settings')
    core.service.offline = true
    await press(`Read settings (${unread.length} calls)`)
    expect([reads().length, bulk.failure?.kind]).toEqual([1, 'offline'])
    core.service.offline = false
    await press(`Read settings (${unread.length} calls)`)
    expect(reads().slice(1)).toEqual(unread.map(({ unreadId }) => ({ id: unreadId, refresh: true })))
    await settle()
    expect([bulk.failure, bulk.over?.products.filter(({ read }) => read === 0)]).toEqual([null, []])
    // For a setting that all of them have, no products are listed.
    expect([previous, seen()]).toEqual([
      expect.stringMatching(/^Floor 2 · 3 of \d+ read ?On 3 of 5 product variants$/i),
      expect.stringMatching(/^Floor 2 · 5 of 13 read$/),
    ])
  })
  it('of which few were read begin with reading the others, and what it costs', async () => {
    const { core, bulk } = await opened()
    await core.finish(settle())
    const few = () => document.querySelector('.few')
    const { devices } = bulk.over!
    const before = few()?.textContent.replaceAll(/\s+/g, ' ').trim()
    await press(`Read ${devices} devices`)
    await core.finish(settle())
    expect([before, few(), core.argumentsOf('devices.readSettings')]).toEqual([
      `Settings were read from only 3 of ${devices} devices. What the others have is unknown.${devices} calls, one per device.Read ${devices} devices`,
      null,
      [{ selection: everything }],
    ])
  })
  it('are read from all devices after their cost was shown', async () => {
    const { core, bulk } = await opened(async (prepared) => {
      for (const { id } of (await devicesOf(prepared, everything.where)).slice(0, 7))
        await prepared.finish(prepared.handlers.devices.settings({ id, refresh: true }))
    })
    const readNow = (): number => bulk.over!.products.reduce((sum, { read }) => sum + read, 0)
    const { devices } = bulk.over!
    const before = readNow()
    await press(`Read the settings of ${devices} devices…`)
    const cost = document.querySelector('.products [role=status]')?.textContent
    await press('Read')
    await core.finish(settle())
    expect([before < devices, cost, core.argumentsOf('devices.readSettings'), readNow()]).toEqual([
      true,
      expect.stringMatching(/^\d+ calls?[,.]/),
      [{ selection: everything }],
      devices,
    ])
  })
  it('are listed beside the settings with their new values, and can be left as they are', async () => {
    const { bulk } = await opened()
    const listed = (): readonly string[] =>
      [...document.querySelectorAll('.changes li')].map((one) => one.textContent.trim())
    await replace('muteReminderInterval')
    bulk.type(setting(bulk, 'muteReminderInterval'), '20')
    await settle()
    const before = listed()
    document.querySelector<HTMLElement>('[aria-label="Do not change Mute reminder interval"]')?.click()
    await settle()
    expect([before, listed()]).toEqual([['Mute reminder interval changes on 1, unknown on 620'], []])
  })
  it('that are invalid are reported and block the preview', async () => {
    const { bulk } = await opened()
    await replace('muteReminderInterval')
    bulk.type(setting(bulk, 'muteReminderInterval'), '130')
    await settle()
    expect([row('muteReminderInterval')?.querySelector('[role=alert]')?.textContent, bulk.wrong]).toEqual([
      'Enter a number from 0 to 120',
      1,
    ])
    await press('Preview…')
    expect(bulk.selection).toEqual(everything)
  })
  it('show how many products have them, observed values, and locks or restarts', async () => {
    await opened(({ service }) =>
      service.alter('/settings', ({ settings }: { readonly settings: object }) => ({
        settings: {
          ...settings,
          equalizer: { bands: [1, 2, 3] },
          ...('soundMode' in settings && { soundMode: { isLocked: true, selected: 'bass' } }),
        },
      })),
    )
    expect(row('soundMode')?.textContent).toContain('locked on some devices; they stay locked')
    expect(row('videoStiching')?.textContent).toContain('restarts the device')
    expect(row('videoStiching')?.textContent).toContain('hybrid ×1, blend ×1 · 2 of 4 read')
    expect(row('videoStiching')?.textContent).toContain('on 2 of 5 product variants')
    expect(row('equalizer')?.querySelector('input')?.disabled).toBe(true)
  })
  it.each<[string, Partial<SettingSummary>, string]>([
    [
      'no common value',
      { onlySome: ['a', 'b'], feature: null, kind: 'choice' },
      'no value is allowed on all of them',
    ],
    ['different kinds', { kindsDiffer: true, kind: 'unknown' }, 'the products use different types'],
    ['values that only some allow', { onlySome: ['loud'], kind: 'choice' }, 'only some: loud'],
    [
      'no published values for some',
      { published: false, kind: 'choice' },
      'allowed values unknown for some devices',
    ],
  ])('warn where products differ: %s', async (_what, changes, words) => {
    const { bulk } = await opened()
    const over = bulk.over!
    bulk.over = {
      ...over,
      settings: over.settings.map((one) => (one.name === 'voicePrompts' ? { ...one, ...changes } : one)),
    }
    await settle()
    expect(row('voicePrompts')?.textContent).toContain(words)
  })
  it('that could not be looked up show why and can be retried', async () => {
    const { core, bulk } = await opened((prepared) =>
      prepared.fail('devices.settingsSummary', {
        kind: 'cache-unusable',
        file: 'store.sqlite',
        reason: 'damaged',
        message: '',
      }),
    )
    expect(said()).toContain('The file store.sqlite is damaged.')
    core.fail('devices.settingsSummary', null)
    await press('Try again')
    expect(bulk.over?.settings.length).toBeGreaterThan(0)
  })
})

it.each([
  ['all are known and equal', [[true, 5]], 0, 'On everywhere'],
  [
    'they differ',
    [
      [true, 3],
      [false, 2],
    ],
    0,
    'On ×3, Off ×2',
  ],
  ['some were not read', [[true, 3]], 2, 'On · 3 of 5 read'],
  ['some were read without it', [[true, 2]], 1, 'On ×2, unknown ×2 · 4 of 5 read'],
] as const)('the values of a setting are counted: %s', (_, counted, unread, words) => {
  const values = counted.map(([value, devices]) => ({ value, devices }))
  const devices = values.reduce((sum, one) => sum + one.devices, 0)
  const counts = { devices, different: values.length, values }
  const given = { kind: 'on-off', devices: 5, counts } as unknown as SettingSummary
  expect(countsText(given, unread)).toBe(words)
})

it('the texts of a setting are counted together if each device has its own', () => {
  const values = ['Evolve2 65 407', 'Evolve2 65 608'].map((value) => ({ value, devices: 1 }))
  const counts = { devices: 2, different: 2, values }
  const given = { kind: 'text', devices: 5, counts } as unknown as SettingSummary
  expect(countsText(given, 3)).toBe('2 different values · 2 of 5 read')
})
