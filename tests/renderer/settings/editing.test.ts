import { describe, expect, it } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import { useSettingEdits } from '../../../renderer/settings/edits-store.ts'
import { answer } from '../../fake-transport.ts'
import { changeProfile, devicesOf, openCore, settle, type TestCore } from '../core.ts'
import { mountPage, type MountedPage } from '../page.ts'

interface Opened extends MountedPage {
  readonly core: TestCore
  readonly device: DeviceRow
}
/** Opens a headset at its settings; `prepare` sets up the core for the test. */
async function opened(prepare: (core: TestCore, id: string) => unknown = () => undefined): Promise<Opened> {
  const core = await openCore()
  const device = (await devicesOf(core, 'product:="Jabra Evolve2 65 Stereo" status:online'))[0]!
  await prepare(core, device.id)
  const page = { ...(await mountPage(`/devices/${device.id}`, true)), core, device }
  await openTab(page)
  return page
}
async function openTab({ page }: MountedPage, name = 'Settings'): Promise<void> {
  await page
    .findAll('[role=tab]')
    .find((one) => one.text().startsWith(name))
    ?.trigger('click')
  await settle()
}
/** Makes the device return these settings from now on. */
const tells = ({ service }: TestCore, id: string, reported: Readonly<Record<string, object>>): void =>
  service.alter(`/${id}/settings`, ({ settings, ...others }: { readonly settings: object }) => ({
    ...others,
    settings: { ...settings, ...reported },
  }))
/** Makes changes at the address of its settings get this response; reads are unaffected. */
const answersChanges = (
  { service }: TestCore,
  id: string,
  reported: Parameters<TestCore['service']['script']>[1],
): void =>
  service.script(`/${id}/settings`, (request) => (request.method === 'PATCH' ? reported(request) : null))
const row = (name: string): Element | undefined =>
  [...document.querySelectorAll('.setting')].find((one) => one.querySelector(`dt [title="${name}"]`))
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
describe('editors', () => {
  it('match the kind of each setting, and values without an editor are shown', async () => {
    await opened((core, id) =>
      tells(core, id, {
        ringtone: { isLocked: false, selected: 'Classic' },
        idlePowerSave: { isLocked: false, value: null },
        equalizer: { bands: [1, 2, 3] },
      }),
    )
    const kinds = [
      'muteReminderInterval',
      'busyStatePresence',
      'voicePrompts',
      'ringtone',
      'idlePowerSave',
      'equalizer',
    ].map((name) => {
      const field = control(name)
      return field
        ? (field.getAttribute('role') ?? field.getAttribute('type') ?? field.tagName.toLowerCase())
        : row(name)?.querySelector('.value')?.textContent?.trim()
    })
    expect(kinds).toEqual(['number', 'switch', 'select', 'text', 'not available', 'unknown type'])
    expect([control('muteReminderInterval')?.min, control('muteReminderInterval')?.max]).toEqual(['0', '120'])
    expect(row('ringtone')?.textContent).toContain(
      'Allowed values unknown. The service may refuse what you type.',
    )
  })
  it('mark changes with old and new, and undo them one by one', async () => {
    await opened()
    await type('muteReminderInterval', '4')
    await type('voicePrompts', 'tones')
    expect([row('muteReminderInterval')?.textContent, row('voicePrompts')?.textContent]).toEqual([
      expect.stringContaining('48 → 4'),
      expect.stringContaining('off → tones'),
    ])
    expect(said()).toContain('2 changed')
    await press('button', 'Revert Mute reminder interval')
    expect([said().includes('1 changed'), control('muteReminderInterval')?.value]).toEqual([true, '48'])
    await type('voicePrompts', 'off')
    expect(said()).not.toContain('1 changed')
  })
  it('show invalid values, which block the review', async () => {
    const { button } = await opened()
    await type('muteReminderInterval', '444')
    expect([
      row('muteReminderInterval')?.querySelector('[role=alert]')?.textContent,
      said().includes('1 value cannot be sent'),
    ]).toEqual(['Enter a number from 0 to 120', true])
    expect(button('Review changes…').attributes('disabled')).toBeDefined()
  })
  it('keep typed values while the drawer is closed, and send nothing by themselves', async () => {
    const page = await opened()
    await type('muteReminderInterval', '4')
    await page.router.replace({ name: 'devices', params: { id: null } })
    await settle()
    await page.router.replace({ name: 'devices', params: { id: page.device.id } })
    await settle()
    await openTab(page)
    expect(
      [
        control('muteReminderInterval')?.value,
        page.core.requested
          .filter(({ channel }) => channel.startsWith('jobs.'))
          .map(({ channel }) => channel),
      ].flat(),
    ).toEqual(['4'])
  })
  it('keep a lock unless it is opened, which is a separate change', async () => {
    const { core } = await opened((prepared, id) =>
      tells(prepared, id, { voicePrompts: { isLocked: true, selected: 'voice' } }),
    )
    const before = row('voicePrompts')?.textContent
    await press('.setting button', 'Unlock')
    const after = row('voicePrompts')?.textContent
    await press('button', 'Review changes…')
    expect([before, after, said()]).toEqual([
      expect.stringContaining('Locked, stays locked'),
      expect.stringMatching(/Will be unlocked.*Same value, unlocked/),
      expect.stringContaining('Voice promptsvoicevoice'),
    ])
    expect(core.argumentsOf('jobs.plan')).toMatchObject([
      { work: { changes: [{ name: 'voicePrompts', value: 'voice', locked: false }] } },
    ])
  })
  it('show when the device returns another value than the one displayed', async () => {
    const { button, core, device } = await opened()
    await type('muteReminderInterval', '4')
    tells(core, device.id, { muteReminderInterval: { isLocked: false, value: 50 } })
    await button('Read again').trigger('click')
    await settle()
    expect(row('muteReminderInterval')?.textContent).toContain('Changed meanwhile: 48 → 50')
  })
  it('are missing when the profile has no address for changes', async () => {
    await opened((core) =>
      changeProfile(core, ({ templates }) => ({ templates: { ...templates, updateDeviceSettings: null } })),
    )
    expect([control('muteReminderInterval'), said().includes('has no address for it')]).toEqual([null, true])
  })
})

describe('a review', () => {
  async function reviewed(
    prepare?: (core: TestCore, id: string) => unknown,
    before: (core: TestCore) => unknown = () => undefined,
  ): Promise<Opened> {
    const page = await opened(prepare)
    await type('muteReminderInterval', '4')
    control('autoMuteCallAudio')?.click()
    await settle()
    await before(page.core)
    await press('button', 'Review changes…')
    return page
  }
  it('shows old and new values, the cost and that actions are unlocked, before anything is sent', async () => {
    const { core, device } = await reviewed()
    for (const words of [
      ' · Nordlys A/S',
      'Mute reminder interval484',
      'Auto mute call audioonoff',
      'may restart: not all information is published',
      '3 calls',
      'locked; confirming unlocks them for 15 minutes',
    ])
      expect(said()).toContain(words)
    expect([core.argumentsOf('jobs.plan'), core.argumentsOf('jobs.start')]).toEqual([
      [
        {
          work: {
            kind: 'change-settings',
            selection: { kind: 'picked', ids: [device.id] },
            changes: [
              { name: 'autoMuteCallAudio', value: false },
              { name: 'muteReminderInterval', value: 4 },
            ],
          },
          startAt: null,
          window: null,
          keepTrying: false,
          canary: false,
        },
      ],
      [],
    ])
  })
  it.each<[string, (core: TestCore, id: string) => unknown, string, number]>([
    ['was done', () => undefined, 'the device reports the new values', 0],
    [
      'is applied later',
      (core, id) => answersChanges(core, id, () => answer(204, '')),
      'the device still reports the old values',
      0,
    ],
    [
      'was accepted and could not be read back',
      ({ service }, id) => {
        let sent = false
        service.script(`/${id}/settings`, ({ method }) => {
          sent ||= method === 'PATCH'
          return method === 'PATCH' ? answer(204, '') : sent ? answer(404, '') : null
        })
      },
      'The settings could not be read back',
      0,
    ],
    [
      'someone else changed meanwhile',
      (core, id) => tells(core, id, { muteReminderInterval: { isLocked: false, value: 50 } }),
      'Changed by someone else meanwhile',
      2,
    ],
    [
      'got no response',
      (core, id) =>
        answersChanges(core, id, () => ({
          kind: 'fault',
          sent: 'maybe',
          reason: 'timeout',
          message: 'no answer',
        })),
      'Read the settings again before you retry',
      2,
    ],
    [
      'is not supported',
      (core, id) => answersChanges(core, id, () => answer(405, '')),
      'the device does not support this',
      2,
    ],
    [
      'was cancelled',
      ({ service }) => {
        service.offline = true
      },
      'nothing was sent',
      2,
    ],
  ])(
    'after confirmation reports exactly what %s, and keeps what was not done',
    async (_, bring, words, left) => {
      const { core, device } = await reviewed()
      await bring(core, device.id)
      await press('button', 'Unlock and change 2 settings')
      await core.advance(10_000)
      const [job] = (await core.handlers.jobs.list({ start: 0, count: 1 })).jobs
      if (core.service.offline) await core.handlers.jobs.cancel({ id: job!.id })
      // A device that returns its old values is polled for a minute.
      await core.advance(60_000)
      await settle()
      expect([said().includes(words), useSettingEdits().editsOf(device.id).size]).toEqual([true, left])
    },
  )
  it.each<[string, (core: TestCore, id: string) => unknown, string, string, readonly boolean[]]>([
    ['was done', () => undefined, 'the device reports the new values', '4', [false]],
    [
      'got no response',
      (core, id) =>
        answersChanges(core, id, () => ({
          kind: 'fault',
          sent: 'maybe',
          reason: 'timeout',
          message: 'no answer',
        })),
      'Read the settings again before you retry',
      '4',
      [true],
    ],
  ])(
    'loads the settings once when the tab is opened again after a change that %s',
    async (_, bring, words, value, loads) => {
      const page = await reviewed()
      const { core, device } = page
      await bring(core, device.id)
      await press('button', 'Unlock and change 2 settings')
      await openTab(page, 'Overview')
      const before = core.argumentsOf('devices.settings').length
      await core.advance(70_000)
      await settle()
      for (const _again of [1, 2]) {
        await openTab(page)
        await core.finish(settle())
        await openTab(page, 'Overview')
      }
      await openTab(page)
      const loaded = core.argumentsOf('devices.settings').slice(before)
      expect([said().includes(words), control('muteReminderInterval')?.value, loaded]).toEqual([
        true,
        value,
        loads.map((refresh) => ({ id: device.id, refresh })),
      ])
    },
  )
  it('shows why there is no plan, and retries', async () => {
    const { core } = await reviewed(undefined, (prepared) => {
      // Cached settings are too old for a plan.
      prepared.sleep(16 * 60_000)
      prepared.service.offline = true
    })
    expect(said()).toContain('Cannot reach')
    core.service.offline = false
    await press('.dialog-box button', 'Try again')
    await core.finish(core.answered('jobs.plan'))
    await settle()
    expect([core.argumentsOf('jobs.plan').length, said().includes('Mute reminder interval484')]).toEqual([
      2,
      true,
    ])
  })
  it('shows a typed text as it will be sent, and a choice in words', async () => {
    await opened((core, id) =>
      tells(core, id, {
        deviceLabel: { isLocked: false, value: 'ROOM_A' },
        ringtone: { isLocked: false, selected: 'softChime' },
      }),
    )
    await type('deviceLabel', 'ROOM_B')
    await type('ringtone', 'loudBell')
    await press('button', 'Review changes…')
    const rows = [...document.querySelectorAll('.dialog-box tbody tr')]
    expect(rows.map((one) => [...one.children].slice(0, 3).map((cell) => cell.textContent?.trim()))).toEqual([
      ['Device label', 'ROOM_A', 'ROOM_B'],
      ['Ringtone', 'soft chime', 'loud bell'],
    ])
  })
  it('that was left can be opened again with the same changes', async () => {
    await reviewed()
    await press('.dialog-box button', 'Cancel')
    expect([document.querySelector('.dialog-box'), said().includes('2 changed')]).toEqual([null, true])
  })
})
