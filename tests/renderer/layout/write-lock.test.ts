import { mount, RouterLinkStub } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import StatusBar from '../../../renderer/layout/StatusBar.vue'
import { useWriteLock } from '../../../renderer/layout/write-lock-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { rebootRoom } from '../../reboot-room.ts'
import { openCore, settle, type TestCore } from '../core.ts'
import { presentAt } from '../present-at.ts'

beforeEach(() =>
  vi.useFakeTimers({
    now: presentAt,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  }),
)
afterEach(() => vi.useRealTimers())

/** A core whose actions were unlocked a minute ago, by the last write. */
async function unlockedCore(): Promise<TestCore> {
  const core = await openCore()
  const { rooms } = core.handlers
  const list = await rooms.list({ where: 'health:ok,trouble', sort: [], start: 0, count: 1 })
  await core.finish(rebootRoom(core.handlers.jobs, list.rows[0]!.id))
  const { untilAt } = await core.handlers.writes.lock()
  core.sleep(untilAt! - 14 * 60_000 - core.clock.now())
  return core
}
/** Advances time for the page and for the core. */
async function pass(core: TestCore, inMs: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(inMs)
  await core.advance(inMs)
}

describe('the write lock in the renderer', () => {
  it('is locked until the core reports otherwise', async () => {
    await unlockedCore()
    expect(useWriteLock().unlocked).toBe(false)
  })
  it('follows the core and counts down to the automatic lock', async () => {
    const core = await unlockedCore()
    const lock = useWriteLock()
    lock.follow()
    await settle()
    expect([lock.unlocked, lock.remainingInMs]).toEqual([true, 14 * 60_000])
    await pass(core, 13 * 60_000 + 59_000)
    expect([lock.unlocked, lock.remainingInMs]).toEqual([true, 1_000])
    await pass(core, 1_000)
    expect([lock.unlocked, lock.remainingInMs]).toEqual([false, 0])
  })
  it('locks at once on request', async () => {
    const core = await unlockedCore()
    const lock = useWriteLock()
    lock.follow()
    await settle()
    expect(await lock.lockNow()).toBe(true)
    await settle()
    expect(lock.unlocked).toBe(false)
    expect((await core.handlers.writes.lock()).unlocked).toBe(false)
  })
})

describe('the status bar', () => {
  const bar = (unlockedForInMs: number | null) =>
    mount(StatusBar, {
      props: { status: null, syncing: false, theme: 'light', unlockedForInMs },
      global: { plugins: [i18n], stubs: { RouterLink: RouterLinkStub } },
    })
  it('shows that actions are locked, without a button', () => {
    const visible = bar(null)
    expect(visible.text()).toContain('Actions locked')
    expect(visible.find('.unlocked').exists()).toBe(false)
  })
  it('shows how long actions stay unlocked and locks on a click', async () => {
    const visible = bar(14 * 60_000 - 1)
    expect(visible.text()).toContain('Actions unlocked, 14:00 left')
    await visible.find('.unlocked').trigger('click')
    expect(visible.emitted('lock')).toEqual([[]])
  })
})
