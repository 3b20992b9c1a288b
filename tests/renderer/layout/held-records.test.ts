import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { describe, expect, it } from 'vitest'
import type { AppStatus } from '../../../electron/contract/api/app.ts'
import type { HeldKind } from '../../../electron/contract/api/sync.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import NoticeStrips from '../../../renderer/layout/NoticeStrips.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { openCore, settle } from '../core.ts'

const strips = (status: AppStatus | null, syncing = false): VueWrapper =>
  mount(NoticeStrips, {
    props: { status, problems: [], syncFailure: null, notes: [], syncing, newer: null },
    global: { plugins: [i18n] },
  })
const buttons = (strip: VueWrapper) => strip.findAll('button').map((one) => one.text())

describe('the strip about records that are not marked as gone', () => {
  it.each<[HeldKind, HeldKind, string]>([
    [{ listed: 0, known: 350 }, { listed: 0, known: 0 }, 'The service listed 0 of 350 devices'],
    [{ listed: 9, known: 9 }, { listed: 2, known: 20 }, 'The service listed 2 of 20 rooms'],
    [
      { listed: 10, known: 1350 },
      { listed: 2, known: 20 },
      'The service listed 10 of 1,350 devices and 2 of 20 rooms',
    ],
  ])('says how many the service listed: %j, %j', async (devices, rooms, said) => {
    const { handlers } = await openCore()
    const status = await handlers.app.status()
    const shown = strips({ ...status, sync: { ...status.sync, held: { devices, rooms } } })
    expect([shown.text(), buttons(shown)]).toEqual([
      `${said}The others are not marked as gone.Sync againThey are gone`,
      ['Sync again', 'They are gone'],
    ])
  })

  it('is there until they are accepted, in exactly the number that it shows', async () => {
    const core = await openCore()
    let listed = 3
    core.service.alter('/devices/api/devices', ({ items }: { readonly items: readonly unknown[] }) => ({
      items: items.slice(0, listed),
      continuationToken: null,
    }))
    setActivePinia(createPinia())
    const appLayout = useLayoutStore()
    const stop = await appLayout.start()
    await core.finish(appLayout.sync())
    const { devices } = appLayout.status?.sync.held ?? {}
    const said = strips(appLayout.status).text()

    listed = 2
    await core.finish(appLayout.acceptGone())
    const afterOther = [appLayout.status?.sync.held?.devices.listed, appLayout.notes]

    await core.finish(appLayout.acceptGone())
    await settle()
    stop()
    const count = (devices?.known ?? 0) - (devices?.listed ?? 0)
    expect(said).toContain(`The service listed ${devices?.listed} of ${devices?.known} devices`)
    expect(count).toBeGreaterThan(10)
    expect([afterOther[0] !== devices?.listed, afterOther[1]]).toEqual([
      true,
      [
        expect.stringMatching(
          /^Nothing was marked as gone: \d+ records were accepted, but \d+ are not listed/,
        ),
      ],
    ])
    expect([appLayout.status?.sync.held, strips(appLayout.status).text()]).toEqual([null, ''])
    expect(appLayout.status?.sync.last?.devices.gone).toBeGreaterThan(count)
  })

  it('asks for a sync or accepts them, and for neither while a sync runs', async () => {
    const { handlers } = await openCore()
    const status = await handlers.app.status()
    const held = { devices: { listed: 0, known: 350 }, rooms: { listed: 0, known: 0 } }
    const [idle, busy] = [false, true].map((syncing) =>
      strips({ ...status, sync: { ...status.sync, held } }, syncing),
    )
    for (const shown of [idle, busy])
      for (const button of shown?.findAll('button') ?? []) await button.trigger('click')
    await flushPromises()
    expect([idle?.emitted(), busy?.emitted()]).toMatchObject([
      { sync: [[]], acceptGone: [[]] },
      expect.not.objectContaining({ sync: expect.anything() as unknown }),
    ])
  })
})
