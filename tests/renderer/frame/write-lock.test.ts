import { mount, RouterLinkStub } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import StatusBar from '../../../renderer/frame/StatusBar.vue'
import { useWriteLock } from '../../../renderer/frame/write-lock-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { aCore, settle } from '../open-page.ts'

const NOW = Date.parse('2026-11-21T13:58:00Z')
beforeEach(() =>
  vi.useFakeTimers({
    now: NOW,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  }),
)
afterEach(() => vi.useRealTimers())

describe('the write lock of the view', () => {
  it('is locked until the core says otherwise', () => {
    aCore({ unlocked: true })
    expect(useWriteLock().unlocked).toBe(false)
  })
  it('follows the core and counts down to the moment it locks by itself', async () => {
    aCore({ unlocked: true })
    const lock = useWriteLock()
    lock.follow()
    await settle()
    expect([lock.unlocked, lock.remainingInMs]).toEqual([true, 14 * 60_000])
    await vi.advanceTimersByTimeAsync(13 * 60_000 + 59_000)
    expect([lock.unlocked, lock.remainingInMs]).toEqual([true, 1_000])
    await vi.advanceTimersByTimeAsync(1_000)
    expect([lock.unlocked, lock.remainingInMs]).toEqual([false, 0])
  })
  it('locks at once on request', async () => {
    const core = aCore({ unlocked: true })
    const lock = useWriteLock()
    lock.follow()
    await settle()
    expect(await lock.lockNow()).toBe(true)
    await settle()
    expect(lock.unlocked).toBe(false)
    expect(core.asked.map((one) => one.channel)).toContain('writes.lockNow')
  })
})

describe('the status bar', () => {
  const bar = (unlockedForInMs: number | null) =>
    mount(StatusBar, {
      props: { standing: null, syncing: false, theme: 'light', unlockedForInMs },
      global: { plugins: [i18n], stubs: { RouterLink: RouterLinkStub } },
    })
  it('says that writes are locked and offers nothing to press', () => {
    const shown = bar(null)
    expect(shown.text()).toContain('Writes locked')
    expect(shown.find('.unlocked').exists()).toBe(false)
  })
  it('says how long writes stay unlocked and locks on a click', async () => {
    const shown = bar(14 * 60_000 - 1)
    expect(shown.text()).toContain('Writes unlocked, 14:00 left')
    await shown.find('.unlocked').trigger('click')
    expect(shown.emitted('lock')).toEqual([[]])
  })
})
