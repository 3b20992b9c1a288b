import { describe, expect, it } from 'vitest'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { changeDrawerWidth } from '../../../renderer/components/drawer-width.ts'
import { acceptedKeys, openCore, settle } from '../core.ts'
import { syncUnreadable } from './unreadable-record.ts'
import {
  addDemonstration,
  currentId,
  learnOfKeys,
  refusePrimaryKey,
} from '../organizations/bring-organizations.ts'

describe('the layout store', () => {
  it('has organization, status and theme after its start', async () => {
    const core = await openCore()
    await core.handlers.app.setPreferences({ theme: 'light' })
    await learnOfKeys(core)
    const appLayout = useLayoutStore()
    expect(appLayout.hasOrganization).toBeNull()
    await appLayout.start()
    await settle()
    expect([
      appLayout.hasOrganization,
      appLayout.current?.name,
      appLayout.status?.connection,
      document.documentElement.dataset['theme'],
    ]).toEqual([true, 'Nordlys A/S', 'online', 'light'])
  })
  it('starts without waiting for the status, which counts every record', async () => {
    const core = await openCore()
    const release = core.hold('app.status')
    const appLayout = useLayoutStore()
    await appLayout.start()
    const atStart = [appLayout.hasOrganization, appLayout.status]
    release()
    await settle()
    expect([atStart, appLayout.status?.organizationId]).toEqual([[true, null], await currentId(core)])
  })
  it('stores the width of a drawer that the technician changed', async () => {
    const core = await openCore()
    const appLayout = useLayoutStore()
    await appLayout.start()
    changeDrawerWidth(500)
    await settle()
    const { drawerWidth } = await core.handlers.app.preferences()
    expect([drawerWidth, appLayout.preferences.drawerWidth]).toEqual([500, 500])
    changeDrawerWidth(null)
    await settle()
  })
  it('finds an organization without an event about it', async () => {
    const core = await openCore({ organization: 'none' })
    const appLayout = useLayoutStore()
    await appLayout.start()
    await addDemonstration(core)
    expect([appLayout.hasOrganization, await appLayout.findOrganization()]).toEqual([false, true])
  })
  it.each([
    ['darwin', true],
    ['linux', false],
    ['win32', false],
  ])('on %s: shortcuts with Command: %s', async (platform, mac) => {
    const core = await openCore()
    Object.assign(core.platform.about, { platform })
    const appLayout = useLayoutStore()
    await appLayout.start()
    expect(appLayout.mac).toBe(mac)
  })
  it('reloads once, not ten times, for a burst of events', async () => {
    const core = await openCore()
    const appLayout = useLayoutStore()
    await appLayout.start()
    await settle()
    const requests = (): number => core.argumentsOf('app.status').length
    const previous = requests()
    const release = core.hold('app.status')
    for (let i = 0; i < 10; i++) core.emit('app.changed', { what: 'status' })
    release()
    await settle()
    expect(requests() - previous).toBe(2)
  })
  it('joins a running sync, and shows why it ended early', async () => {
    const core = await openCore()
    core.service.offline = true
    const appLayout = useLayoutStore()
    await appLayout.start()
    const release = core.hold('sync.run')
    const first = appLayout.sync()
    await appLayout.sync()
    expect(appLayout.syncing).toBe(true)
    release()
    await core.finish(first)
    expect([core.argumentsOf('sync.run').length, appLayout.syncing, appLayout.syncFailure?.kind]).toEqual([
      1,
      false,
      'offline',
    ])
  })
  it('does not report a sync stopped by the technician as a failure', async () => {
    const core = await openCore()
    const appLayout = useLayoutStore()
    await appLayout.start()
    await settle()
    const readAt = appLayout.status?.asOf
    const sync = appLayout.sync()
    await appLayout.cancelSync()
    await core.finish(sync)
    expect([appLayout.syncing, appLayout.syncFailure, appLayout.status?.asOf]).toEqual([false, null, readAt])
  })
  it('shows the reason of a failed sync until dismissed, and again when the next one fails', async () => {
    const core = await openCore()
    core.service.offline = true
    const appLayout = useLayoutStore()
    await appLayout.start()
    await core.finish(appLayout.sync())
    expect(appLayout.staleBecause?.kind).toBe('offline')
    appLayout.hideSyncFailure()
    expect(appLayout.staleBecause).toBeNull()
    await core.finish(appLayout.sync())
    expect(appLayout.staleBecause?.kind).toBe('offline')
  })
  it('shows unreadable records as received', async () => {
    const core = await openCore()
    await syncUnreadable(core)
    const appLayout = useLayoutStore()
    await appLayout.fetchUnreadable()
    expect(appLayout.unreadable.map(({ of, why, raw }) => ({ of, why, raw }))).toEqual([
      { of: 'device', why: 'no-usable-id', raw: '{"name":"?"}' },
    ])
  })
  it('stores theme and last page, but not the first run', async () => {
    const core = await openCore()
    const appLayout = useLayoutStore()
    await appLayout.start()
    await appLayout.setTheme('dark')
    appLayout.rememberPage('/welcome')
    appLayout.rememberPage('/devices/D1')
    expect(document.documentElement.dataset['theme']).toBe('dark')
    expect(core.argumentsOf('app.setPreferences')).toEqual([{ theme: 'dark' }, { lastPage: '/devices/D1' }])
  })
  it('keeps a dismissed problem hidden while others appear', async () => {
    const core = await openCore()
    const id = await currentId(core)
    core.platform.keychain.problem = 'no-service'
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: acceptedKeys.primary })
    const appLayout = useLayoutStore()
    await appLayout.start()
    await settle()
    const previous = appLayout.problems.map((one) => one.id)
    appLayout.hideProblem('keychain')
    await refusePrimaryKey(core)
    await appLayout.fetchStatus()
    expect([previous, appLayout.problems.map((one) => one.id)]).toEqual([['keychain'], [`key-refused:${id}`]])
  })
})
