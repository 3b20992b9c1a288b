import { describe, expect, it } from 'vitest'
import { useFrameStore } from '../../../renderer/frame/frame-store.ts'
import type { DoubleLink } from '../double-link.ts'
import { aCore, settle } from '../open-page.ts'

const standings = (core: { asked: readonly { channel: string }[] }): number =>
  core.asked.filter((one) => one.channel === 'app.standing').length

describe('the frame', () => {
  it('knows organization, standing and theme after its start', async () => {
    aCore()
    const frame = useFrameStore()
    expect(frame.hasOrganization).toBeNull()
    await frame.start()
    expect([
      frame.hasOrganization,
      frame.current?.name,
      frame.standing?.connection,
      document.documentElement.dataset['theme'],
    ]).toEqual([true, 'Nordlys A/S', 'online', 'light'])
  })
  it.each([
    ['darwin', true],
    ['linux', false],
    ['win32', false],
  ])('on %s: shortcuts are held with Command is %s', async (platform, mac) => {
    const core = aCore()
    const about = {
      version: '0.1.0',
      platform,
      architecture: 'arm64',
      home: '/home/headroom',
      shell: 'electron',
    }
    const ask: DoubleLink['call'] = async (channel, argument) =>
      channel === 'app.about' ? { ok: true, value: about } : core.call(channel, argument)
    Object.assign(globalThis, { headroom: { ...core, call: ask } })
    const frame = useFrameStore()
    await frame.start()
    expect(frame.mac).toBe(mac)
  })
  it('asks once more, not ten times, for a burst of announcements', async () => {
    const core = aCore()
    const frame = useFrameStore()
    await frame.start()
    const before = standings(core)
    const release = core.hold('app.standing')
    for (let i = 0; i < 10; i++) core.announce('app.changed', { what: 'standing' })
    release()
    await settle()
    expect(standings(core) - before).toBe(2)
  })
  it('joins a sync that was asked for, and says why it ended early', async () => {
    const core = aCore({ offline: true })
    const frame = useFrameStore()
    await frame.start()
    const release = core.hold('sync.run')
    const first = frame.sync()
    await frame.sync()
    expect(frame.syncing).toBe(true)
    release()
    await first
    expect([
      core.asked.filter((one) => one.channel === 'sync.run').length,
      frame.syncing,
      frame.syncFailure?.kind,
    ]).toEqual([1, false, 'offline'])
  })
  it('a sync stopped by the technician is no failure', async () => {
    const core = aCore()
    const frame = useFrameStore()
    await frame.start()
    core.fail('sync.run', { kind: 'cancelled' })
    await frame.sync()
    expect(frame.syncFailure).toBeNull()
  })
  it('says the reason of a failed sync until it is put away, and again when the next one fails', async () => {
    aCore({ offline: true })
    const frame = useFrameStore()
    await frame.start()
    await frame.sync()
    expect(frame.staleBecause?.kind).toBe('offline')
    frame.hideSyncFailure()
    expect(frame.staleBecause).toBeNull()
    await frame.sync()
    expect(frame.staleBecause?.kind).toBe('offline')
  })
  it('shows unreadable records as they were received', async () => {
    aCore()
    const frame = useFrameStore()
    await frame.readUnreadable()
    expect(frame.unreadable.map(({ of, why, raw }) => ({ of, why, raw }))).toEqual([
      { of: 'device', why: 'no usable id', raw: '{"name":"?"}' },
    ])
  })
  it('keeps the theme and the last page, but not the first run', async () => {
    const core = aCore()
    const frame = useFrameStore()
    await frame.start()
    await frame.setTheme('dark')
    frame.rememberPage('/welcome')
    frame.rememberPage('/devices/D1')
    expect(document.documentElement.dataset['theme']).toBe('dark')
    expect(
      core.asked.filter((one) => one.channel === 'app.setPreferences').map((one) => one.argument),
    ).toEqual([{ theme: 'dark' }, { lastPage: '/devices/D1' }])
  })
  it('a trouble put away stays away while others come', async () => {
    const trouble = (id: string) => ({ id, failure: { kind: 'key-missing' } as const, since: 1, done: null })
    aCore({ troubles: [trouble('a'), trouble('b')] })
    const frame = useFrameStore()
    await frame.start()
    frame.hideTrouble('a')
    await frame.readStanding()
    expect(frame.troubles.map((one) => one.id)).toEqual(['b'])
  })
})
