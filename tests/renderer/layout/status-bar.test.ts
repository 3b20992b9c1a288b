import { mount, RouterLinkStub } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { AppStatus } from '../../../electron/contract/api/app.ts'
import StatusBar from '../../../renderer/layout/StatusBar.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { openCore } from '../core.ts'
import { syncUnreadable } from './unreadable-record.ts'

async function bar(
  connection: AppStatus['connection'],
  waitingFor: AppStatus['sync']['waitingFor'],
): Promise<string> {
  const { handlers } = await openCore()
  const previous = await handlers.app.status()
  const status: AppStatus = {
    ...previous,
    connection,
    sync: { ...previous.sync, running: true, pages: 0, waitingFor },
  }
  return mount(StatusBar, {
    props: { status, syncing: true, theme: 'light', unlockedForInMs: null },
    global: { plugins: [i18n], stubs: { RouterLink: RouterLinkStub } },
  })
    .get('.sync .label')
    .text()
}

describe('the sync in the status bar', () => {
  it.each<[AppStatus['connection'], AppStatus['sync']['waitingFor'], string]>([
    ['offline', 'retry', 'Offline, trying again'],
    ['online', 'retry', 'Sync is starting, retrying soon'],
    ['online', null, 'Sync is starting'],
  ])('%s, waits for %s', async (connection, waitingFor, said) => {
    expect(await bar(connection, waitingFor)).toBe(said)
  })
})

describe('the calls in the status bar', () => {
  const at = Date.UTC(2026, 10, 21, 15, 30)
  const held: Partial<AppStatus['budget']> = { heldUntilAt: at }
  const withBudget = async (budget: Partial<AppStatus['budget']>, trying = false) => {
    const { handlers } = await openCore()
    const previous = await handlers.app.status()
    const status: AppStatus = { ...previous, budget: { ...previous.budget, ...budget } }
    return mount(StatusBar, {
      props: { status, syncing: false, theme: 'light', unlockedForInMs: null, trying },
      global: { plugins: [i18n], stubs: { RouterLink: RouterLinkStub } },
    })
  }
  const button = (wrapper: Awaited<ReturnType<typeof withBudget>>) =>
    wrapper.findAll('button').find((one) => one.text() === 'Try one call')

  it('show until when the service holds them, with a button for one call', async () => {
    const wrapper = await withBudget(held)
    await button(wrapper)?.trigger('click')
    expect([wrapper.get('.budget .label').text(), wrapper.emitted('tryNow')?.length]).toEqual([
      expect.stringMatching(/^Rate limited until /),
      1,
    ])
  })

  it('tell about how many calls others made, while the service asks to wait', async () => {
    const pausedUntil = held.heldUntilAt!
    const wrapper = await withBudget({ pausedUntil, byOthers: 9_880 })
    expect(wrapper.get('.budget .label').text()).toMatch(
      /^Paused, continues in .*: about 9,880 calls by others$/,
    )
  })

  it('allow no second call during the first, and have no button without a hold', async () => {
    expect([
      button(await withBudget(held, true))?.attributes('disabled'),
      button(await withBudget({})),
    ]).toEqual(['', undefined])
  })

  it.each([
    ['full', 'disk-full', /: workbook\.sqlite does not fit on the disk\. .* half of each limit/],
    ['slow', null, /: workbook\.sqlite is written slowly\. .* half of each limit/],
  ] as const)('show a call history that is not saved because the disk is %s', async (_, reason, title) => {
    const wrapper = await withBudget({ history: { reason, since: at } })
    const mark = wrapper.get('.history')
    expect({ text: mark.text(), title: mark.attributes('title') }).toEqual({
      text: 'Call history not saved',
      title: expect.stringMatching(title) as string,
    })
  })
})

it('count unreadable records, and show them on a click', async () => {
  const core = await openCore()
  await syncUnreadable(core)
  const wrapper = mount(StatusBar, {
    props: {
      status: await core.handlers.app.status(),
      syncing: false,
      theme: 'light',
      unlockedForInMs: null,
    },
    global: { plugins: [i18n], stubs: { RouterLink: RouterLinkStub } },
  })
  await wrapper
    .findAll('button')
    .find((one) => one.text() === '1 record unreadable')
    ?.trigger('click')
  expect(wrapper.emitted('unreadable')).toEqual([[]])
})
