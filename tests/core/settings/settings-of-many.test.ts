import { describe, expect, it, onTestFinished } from 'vitest'
import type { OrganizationDraft } from '../../../electron/contract/api/organizations.ts'
import { openSettingsInBulk } from '../../../electron/core/settings/settings.ts'
import { demonstrationTemplates, openSyncedCore, type ConnectedCore } from '../../connected-core.ts'

const everything = { kind: 'matching', where: '', except: [] } as const

let connected: ConnectedCore
async function withProfile(changes: Partial<OrganizationDraft> = {}): Promise<readonly string[]> {
  const draft = { family: 'Jabra SDK V4', templates: demonstrationTemplates, ...changes }
  connected = await openSyncedCore({ devices: 120, rooms: 8 }, draft)
  onTestFinished(() => connected.close())
  const { rows } = await connected.core.handlers.devices.slice({ where: '', sort: [], start: 0, count: 120 })
  return rows.map(({ id }) => id)
}

const arrivals = (operation: string): number =>
  Object.values(connected.service.counts().arrivals[operation] ?? {}).reduce((sum, one) => sum + one, 0)

describe('the settings of many devices', () => {
  it('take one call per page when the profile names the address', async () => {
    await withProfile()
    const { devices } = connected.core.handlers
    const cost = await devices.settingsCost({ selection: everything })
    const report = await devices.readSettings({ selection: everything })
    expect([cost, report, arrivals('ListDevicesWithSettings'), arrivals('GetDeviceSettings')]).toEqual([
      { devices: 120, calls: 2, byPages: true },
      { devices: 120, withoutSettings: 0, missed: 0, notInInventory: 0, calls: 2 },
      2,
      0,
    ])
  })

  it.each<[string, Partial<OrganizationDraft>, (ids: readonly string[]) => readonly string[]]>([
    [
      'without that address',
      { templates: { ...demonstrationTemplates, devicesWithSettings: null } },
      (ids) => ids.slice(0, 12),
    ],
    [
      'in a profile of version 1, which has no such pages',
      { managementVersion: 1 },
      (ids) => ids.slice(0, 12),
    ],
    ['of fewer devices than there are pages', {}, (ids) => ids.slice(0, 1)],
  ])('take one call per device %s', async (_, changes, picked) => {
    const ids = picked(await withProfile(changes))
    const { devices } = connected.core.handlers
    const selection = { kind: 'picked', ids } as const
    const cost = await devices.settingsCost({ selection })
    const report = await devices.readSettings({ selection })
    expect([cost, report, arrivals('ListDevicesWithSettings'), arrivals('GetDeviceSettings')]).toEqual([
      { devices: ids.length, calls: ids.length, byPages: false },
      { devices: ids.length, withoutSettings: 0, missed: 0, notInInventory: 0, calls: ids.length },
      0,
      ids.length,
    ])
  })

  it.each([
    [1, false],
    [2, true],
  ])('of a job in a profile of version %i come by pages: %s', async (managementVersion, byPages) => {
    await withProfile({ managementVersion })
    const { aboutSettings } = await connected.core.sessions.current()
    expect(openSettingsInBulk(aboutSettings).byPages).toBe(byPages)
  })
})
