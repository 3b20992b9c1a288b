import { describe, expect, it } from 'vitest'
import { useFrameStore } from '../../../renderer/frame/frame-store.ts'
import { changeDrawerWidth } from '../../../renderer/parts/drawer-width.ts'
import { acceptedKeys, openCore, settle } from '../core.ts'
import { syncUnreadable } from './unreadable-record.ts'
import {
  addDemonstration,
  currentId,
  learnOfKeys,
  refusePrimaryKey,
} from '../organizations/bring-organizations.ts'

describe('the frame', () => {
  it('knows organization, standing and theme after its start', async () => {
    const core = await openCore()
    await core.handlers.app.setPreferences({ theme: 'light' })
    await learnOfKeys(core)
    const frame = useFrameStore()
    expect(frame.hasOrganization).toBeNull()
    await frame.start()
    await settle()
    expect([
      frame.hasOrganization,
      frame.current?.name,
      frame.standing?.connection,
      document.documentElement.dataset['theme'],
    ]).toEqual([true, 'Nordlys A/S', 'online', 'light'])
  })
  it('starts without waiting for the standing, which counts every record', async () => {
    const core = await openCore()
    const release = core.hold('app.standing')
    const frame = useFrameStore()
    await frame.start()
    const atStart = [frame.hasOrganization, frame.standing]
    release()
    await settle()
    expect([atStart, frame.standing?.organizationId]).toEqual([[true, null], await currentId(core)])
  })
  it('keeps the width of a drawer that the technician changed', async () => {
    const core = await openCore()
    const frame = useFrameStore()
    await frame.start()
    changeDrawerWidth(500)
    await settle()
    const { drawerWidth } = await core.handlers.app.preferences()
    expect([drawerWidth, frame.preferences.drawerWidth]).toEqual([500, 500])
    changeDrawerWidth(null)
    await settle()
  })
  it('finds an organization that nothing has told it of yet', async () => {
    const core = await openCore({ organization: 'none' })
    const frame = useFrameStore()
    await frame.start()
    await addDemonstration(core)
    expect([frame.hasOrganization, await frame.findOrganization()]).toEqual([false, true])
  })
  it.each([
    ['darwin', true],
    ['linux', false],
    ['win32', false],
  ])('on %s: shortcuts are held with Command is %s', async (platform, mac) => {
    const core = await openCore()
    Object.assign(core.platform, { about: { ...core.platform.about, platform } })
    const frame = useFrameStore()
    await frame.start()
    expect(frame.mac).toBe(mac)
  })
  it('asks once more, not ten times, for a burst of announcements', async () => {
    const core = await openCore()
    const frame = useFrameStore()
    await frame.start()
    await settle()
    const standings = (): number => core.argumentsOf('app.standing').length
    const before = standings()
    const release = core.hold('app.standing')
    for (let i = 0; i < 10; i++) core.announce('app.changed', { what: 'standing' })
    release()
    await settle()
    expect(standings() - before).toBe(2)
  })
  it('joins a sync that was asked for, and says why it ended early', async () => {
    const core = await openCore()
    core.service.offline = true
    const frame = useFrameStore()
    await frame.start()
    const release = core.hold('sync.run')
    const first = frame.sync()
    await frame.sync()
    expect(frame.syncing).toBe(true)
    release()
    await core.finish(first)
    expect([core.argumentsOf('sync.run').length, frame.syncing, frame.syncFailure?.kind]).toEqual([
      1,
      false,
      'offline',
    ])
  })
  it('a sync stopped by the technician is no failure', async () => {
    const core = await openCore()
    const frame = useFrameStore()
    await frame.start()
    await settle()
    const readAt = frame.standing?.asOf
    const sync = frame.sync()
    await frame.cancelSync()
    await core.finish(sync)
    expect([frame.syncing, frame.syncFailure, frame.standing?.asOf]).toEqual([false, null, readAt])
  })
  it('says the reason of a failed sync until it is put away, and again when the next one fails', async () => {
    const core = await openCore()
    core.service.offline = true
    const frame = useFrameStore()
    await frame.start()
    await core.finish(frame.sync())
    expect(frame.staleBecause?.kind).toBe('offline')
    frame.hideSyncFailure()
    expect(frame.staleBecause).toBeNull()
    await core.finish(frame.sync())
    expect(frame.staleBecause?.kind).toBe('offline')
  })
  it('shows unreadable records as they were received', async () => {
    const core = await openCore()
    await syncUnreadable(core)
    const frame = useFrameStore()
    await frame.readUnreadable()
    expect(frame.unreadable.map(({ of, why, raw }) => ({ of, why, raw }))).toEqual([
      { of: 'device', why: 'no-usable-id', raw: '{"name":"?"}' },
    ])
  })
  it('keeps the theme and the last page, but not the first run', async () => {
    const core = await openCore()
    const frame = useFrameStore()
    await frame.start()
    await frame.setTheme('dark')
    frame.rememberPage('/welcome')
    frame.rememberPage('/devices/D1')
    expect(document.documentElement.dataset['theme']).toBe('dark')
    expect(core.argumentsOf('app.setPreferences')).toEqual([{ theme: 'dark' }, { lastPage: '/devices/D1' }])
  })
  it('a trouble put away stays away while others come', async () => {
    const core = await openCore()
    const id = await currentId(core)
    core.platform.keychain.trouble = 'no-service'
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: acceptedKeys.primary })
    const frame = useFrameStore()
    await frame.start()
    await settle()
    const before = frame.troubles.map((one) => one.id)
    frame.hideTrouble('keychain')
    await refusePrimaryKey(core)
    await frame.readStanding()
    expect([before, frame.troubles.map((one) => one.id)]).toEqual([['keychain'], [`key-refused:${id}`]])
  })
})
