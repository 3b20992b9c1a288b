import { describe, expect, it } from 'vitest'
import { done, type Outcome } from '../../../electron/contract/failure.ts'
import type { JobItem } from '../../../electron/contract/api/jobs.ts'
import type { DeviceSettings } from '../../../electron/contract/api/settings.ts'
import { useFrameStore } from '../../../renderer/frame/frame-store.ts'
import { useSettingEdits } from '../../../renderer/settings/edits-store.ts'
import { aFleet } from '../double/fleet.ts'
import type { DoubleLink, DoubleOptions } from '../double-link.ts'
import { openPage, settle, type OpenedPage } from '../open-page.ts'

const device = aFleet(300, Date.now()).devices.find((one) => one.room === null && !one.gone)!

async function opened(
  options: Partial<DoubleOptions> = {},
  prepare: (core: DoubleLink) => void = () => undefined,
): Promise<OpenedPage> {
  const page = await openPage(`/devices/${device.id}`, options, prepare)
  await useFrameStore().start()
  await openTab(page)
  return page
}
async function openTab({ page }: OpenedPage): Promise<void> {
  await page
    .findAll('[role=tab]')
    .find((one) => one.text() === 'Settings')
    ?.trigger('click')
  await settle()
}
const row = (name: string): Element | undefined =>
  [...document.querySelectorAll('.setting')].find(
    (one) => one.querySelector('dt')?.textContent?.trim() === name,
  )
const control = (name: string): HTMLInputElement | null =>
  row(name)?.querySelector('input, select, [role=switch]') ?? null
async function type(name: string, value: string): Promise<void> {
  const field = control(name)
  if (!field) throw new Error(`There is no editor for ${name}`)
  field.value = value
  field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
  await settle()
}
async function press(selector: string, words: string): Promise<void> {
  const button = [...document.querySelectorAll<HTMLElement>(selector)].find((one) =>
    one.textContent?.includes(words),
  )
  if (!button) throw new Error(`There is no ${words}`)
  button.click()
  await settle()
}
const said = (): string => (document.body.textContent ?? '').replaceAll(/\s+/g, ' ')
/** The one item of every job ends like this from now on. */
function ends(core: DoubleLink, ending: Partial<JobItem>): void {
  const { call: ask } = core
  Object.assign(core, {
    call: async (...[channel, argument]: Parameters<typeof ask>) => {
      const outcome = (await ask(channel, argument)) as Outcome<{ items: JobItem[]; total: number }>
      if (channel !== 'jobs.items' || !outcome.ok) return outcome
      return done({
        ...outcome.value,
        items: outcome.value.items.map((item) => ({
          ...item,
          state: 'ended',
          endedAt: Date.now(),
          ...ending,
        })),
      })
    },
  })
}

describe('editors', () => {
  it('are of the kind of each setting, and what cannot be edited is shown', async () => {
    await opened()
    const kinds = [
      'sidetoneLevel',
      'busylightEnabled',
      'voicePrompts',
      'ringtone',
      'sleepAfterInMinutes',
      'equalizer',
    ].map((name) => {
      const field = control(name)
      return field
        ? (field.getAttribute('role') ?? field.getAttribute('type') ?? field.tagName.toLowerCase())
        : row(name)?.querySelector('.value')?.textContent?.trim()
    })
    expect(kinds).toEqual(['number', 'switch', 'select', 'text', 'not available', 'of a kind not known'])
    expect([control('sidetoneLevel')?.min, control('sidetoneLevel')?.max]).toEqual(['0', '10'])
    expect(row('ringtone')?.textContent).toContain(
      'Allowed values are not known: the service may refuse what is typed',
    )
  })
  it('mark what is changed with old and new, and take it back one by one', async () => {
    await opened()
    await type('sidetoneLevel', '4')
    await type('voicePrompts', 'tones')
    expect([row('sidetoneLevel')?.textContent, row('voicePrompts')?.textContent]).toEqual([
      expect.stringContaining('6 → 4'),
      expect.stringContaining('voice → tones'),
    ])
    expect(said()).toContain('2 changed')
    await press('[aria-label="Revert the change of sidetoneLevel"]', 'Revert')
    expect([said().includes('1 changed'), control('sidetoneLevel')?.value]).toEqual([true, '6'])
    await type('voicePrompts', 'voice')
    expect(said()).not.toContain('1 changed')
  })
  it('say what cannot be sent, and then nothing can be reviewed', async () => {
    const { button } = await opened()
    await type('sidetoneLevel', '44')
    expect([
      row('sidetoneLevel')?.querySelector('[role=alert]')?.textContent,
      said().includes('1 cannot be sent as it is'),
    ]).toEqual(['The number must be from 0 to 10', true])
    expect(button('Review changes…').attributes('disabled')).toBeDefined()
  })
  it('keep what was typed while the drawer is closed, and send nothing by themselves', async () => {
    const page = await opened()
    await type('sidetoneLevel', '4')
    await page.router.replace({ name: 'devices', params: { id: null } })
    await settle()
    await page.router.replace({ name: 'devices', params: { id: device.id } })
    await settle()
    await openTab(page)
    expect(
      [
        control('sidetoneLevel')?.value,
        page.core.asked.filter(({ channel }) => channel.startsWith('jobs.')).map(({ channel }) => channel),
      ].flat(),
    ).toEqual(['4'])
  })
  it('say when the device tells another value than the one that was looked at', async () => {
    const { button, core } = await opened()
    await type('sidetoneLevel', '4')
    const { call: ask } = core
    Object.assign(core, {
      call: async (...[channel, argument]: Parameters<typeof ask>) => {
        const outcome = (await ask(channel, argument)) as Outcome<DeviceSettings>
        if (channel !== 'devices.settings' || !outcome.ok) return outcome
        return done({
          ...outcome.value,
          settings: outcome.value.settings.map((one) =>
            one.name === 'sidetoneLevel' ? { ...one, value: 5 } : one,
          ),
        })
      },
    })
    await button('Read again').trigger('click')
    await settle()
    expect(row('sidetoneLevel')?.textContent).toContain('Was 6 when you looked, is 5 now')
  })
  it('are none where the profile names no address for changes', async () => {
    await openPage(`/devices/${device.id}`)
    const frame = useFrameStore()
    await frame.start()
    const list = frame.organizations
    if (!list) throw new Error('There are no organizations')
    const templates = { ...list.organizations[0]!.templates, updateDeviceSettings: null }
    frame.organizations = { ...list, organizations: list.organizations.map((one) => ({ ...one, templates })) }
    await press('[role=tab]', 'Settings')
    expect([control('sidetoneLevel'), said().includes('names no address for it')]).toEqual([null, true])
  })
})

describe('a review', () => {
  async function reviewed(
    options: Partial<DoubleOptions> = {},
    prepare?: (core: DoubleLink) => void,
  ): Promise<OpenedPage> {
    const page = await opened(options, prepare)
    await type('sidetoneLevel', '4')
    control('busylightEnabled')?.click()
    await settle()
    await press('button', 'Review changes…')
    return page
  }
  it('shows now and new, what it costs and that writes are unlocked, before anything is sent', async () => {
    const { core } = await reviewed()
    for (const words of [
      'sidetoneLevel64',
      'busylightEnabledonoff',
      'may restart: not all is published',
      '3 calls',
      'locked; confirming unlocks them for 15 minutes of activity',
    ])
      expect(said()).toContain(words)
    expect(
      core.asked
        .filter(({ channel }) => channel === 'jobs.plan')
        .map(({ argument }) => (argument as { work: unknown }).work),
    ).toEqual([
      {
        kind: 'change-settings',
        selection: { kind: 'picked', ids: [device.id] },
        changes: [
          { name: 'sidetoneLevel', value: 4 },
          { name: 'busylightEnabled', value: false },
        ],
      },
    ])
    expect(core.asked.some(({ channel }) => channel === 'jobs.start')).toBe(false)
  })
  it.each<[Partial<JobItem>, string, number]>([
    [{ outcome: 'done', detail: 'verified' }, 'the device reports the new values', 0],
    [{ outcome: 'done', detail: 'applies-later' }, 'the device still reports the old values', 0],
    [{ outcome: 'failed', detail: 'conflict' }, 'Changed by someone else meanwhile', 2],
    [{ outcome: 'unknown', detail: null }, 'Check before trying again', 2],
    [{ outcome: 'not-supported', detail: null }, 'the device does not take this', 2],
    [{ outcome: 'failed', detail: 'cancelled' }, 'nothing was sent', 2],
  ])('that is confirmed tells the truth of %o and keeps what was not done', async (ending, words, left) => {
    await reviewed({}, (core) => ends(core, ending))
    await press('button', 'Unlock and change 2 settings')
    await settle()
    expect([said().includes(words), useSettingEdits().editsOf(device.id).size]).toEqual([true, left])
  })
  it('says why there is no plan, and asks again', async () => {
    const { core } = await reviewed({ offline: true })
    expect(said()).toContain('cannot be reached')
    core.fail('jobs.plan', null)
    await press('.dialog-box button', 'Try again')
    expect(core.asked.filter(({ channel }) => channel === 'jobs.plan')).toHaveLength(2)
  })
  it('that was left can be opened again with the same changes', async () => {
    await reviewed()
    await press('.dialog-box button', 'Cancel')
    expect([document.querySelector('.dialog-box'), said().includes('2 changed')]).toEqual([null, true])
  })
})
