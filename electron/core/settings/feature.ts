import type { Handlers } from '../../contract/rpc-client.ts'
import { feature, type Client } from '../feature.ts'
import { Listeners } from '../listeners.ts'
import { openDeviceEndpoints, type DeviceEndpoints } from '../management/management.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import type { SessionClients } from '../session-clients.ts'
import type { SessionBase } from '../session.ts'
import type { SharedDeps } from '../core-features.ts'
import type { Sync } from '../sync/sync.ts'
import type { Writes } from '../writes/writes.ts'
import { fetchSettings, settingsCost } from './settings-of-many.ts'
import { settingsSummary } from './settings-summary.ts'
import { openCachedSettings, openSettingDigest, openSettings, type Settings } from './settings.ts'

export const settingsFeature = feature({
  async open(
    needs: SessionBase & {
      readonly clients: SessionClients
      readonly managementClient: ServiceClient
      readonly metadata: Metadata
      readonly sync: Sync
      readonly writes: Writes
    },
  ) {
    const { shared, clients, managementClient, metadata, sync, writes } = needs
    const { id, vendorId, templates, managementVersion } = needs.organization
    const { platform, workbook, store, devices } = shared
    const endpointsOver = (client: ServiceClient): DeviceEndpoints =>
      openDeviceEndpoints({
        client,
        templates,
        host: clients.managementHost,
        sentId: (deviceId) => sync.sentId(deviceId),
      })
    const endpoints = endpointsOver(managementClient)
    const stored = new Listeners()
    const aboutSettings = {
      organizationId: id,
      vendorId,
      templates,
      managementVersion,
      endpoints,
      host: clients.managementHost,
      digest: await openSettingDigest(workbook, platform.newId),
      metadata,
      store,
      changed: () => shared.changes.recorded(),
      stored: stored.notify,
    }
    const settingsThrough = (through: Writes): Settings =>
      openSettings({
        ...aboutSettings,
        device: (deviceId) => devices.get(id, deviceId),
        writes: through,
      })
    return {
      gives: {
        /** Calls with unpublished addresses, by the profile's templates. */
        endpoints,
        endpointsOver,
        aboutSettings,
        cachedSettings: openCachedSettings(aboutSettings),
        /** A device's stored settings were read again or deleted. */
        onSettingsStored: stored.add,
        settings: settingsThrough(writes),
        /** Those of one client, which change settings by its own writes. */
        settingsThrough,
      },
      onRowsChanged: null,
      close: null,
    }
  },
  handlers: ({
    shared: { devices, store },
    currentId,
    session,
    tasks,
  }: Client<SharedDeps, { readonly settings: Settings }>): {
    readonly devices: Pick<
      Handlers<'devices'>,
      'settings' | 'setSettings' | 'settingsSummary' | 'settingsCost' | 'readSettings'
    >
  } => ({
    devices: {
      settings: async ({ id, ...how }) => (await session()).settings.load(id, how),
      setSettings: async ({ id, ...request }) =>
        (await session()).settings.update({ deviceId: id, ...request }),
      settingsSummary: ({ selection }) =>
        tasks.run('settings', async (task) => {
          const { settings } = await session()
          return settingsSummary({ devices, settings, store }, await currentId(), selection, task)
        }),
      settingsCost: async ({ selection }) => {
        const { settings } = await session()
        return settingsCost({ devices, settings }, await currentId(), selection)
      },
      readSettings: ({ selection }) =>
        tasks.run('settings', async (task) => {
          const { settings } = await session()
          return fetchSettings({ devices, settings }, await currentId(), selection, task)
        }),
    },
  }),
})
