import { describe, expect, it, onTestFinished } from 'vitest'
import { demonstrationTemplates, openSyncedCore, type ConnectedCore } from '../../connected-core.ts'

const everything = { kind: 'matching', where: '', except: [] } as const

let connected: ConnectedCore
async function withTemplates(changes: { readonly devicesWithSettings?: null }): Promise<readonly string[]> {
  const templates = { ...demonstrationTemplates, ...changes }
  connected = await openSyncedCore({ devices: 120, rooms: 8 }, { family: 'Jabra SDK V4', templates })
  onTestFinished(() => connected.close())
  const { rows } = await connected.core.handlers.devices.slice({ where: '', sort: [], start: 0, count: 120 })
  return rows.map(({ id }) => id)
}

const arrivals = (operation: string): number =>
  Object.values(connected.service.counts().arrivals[operation] ?? {}).reduce((sum, one) => sum + one, 0)

describe('the settings of many devices', () => {
  it('take one call per page when the profile names the address', async () => {
    await withTemplates({})
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

  it.each<[string, { readonly devicesWithSettings?: null }, (ids: readonly string[]) => readonly string[]]>([
    ['without that address', { devicesWithSettings: null }, (ids) => ids.slice(0, 12)],
    ['of fewer devices than there are pages', {}, (ids) => ids.slice(0, 1)],
  ])('take one call per device %s', async (_, changes, picked) => {
    const ids = picked(await withTemplates(changes))
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
})
