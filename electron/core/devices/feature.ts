import { Failed } from '../../contract/failure.ts'
import type { PrereleaseStage } from '../../contract/firmware.ts'
import type { DeviceFirmware } from '../../contract/api/devices.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { feature, type Client } from '../feature.ts'
import { otherThanAsked, parseFirmware, type DeviceEndpoints } from '../management/management.ts'
import type { SessionBase } from '../session.ts'
import type { SharedBase, SharedDeps } from '../core-features.ts'
import type { Store } from '../storage/store.ts'
import { openDevices, type JudgedDevices } from './devices.ts'

export const devicesFeature = feature({
  open({ platform, store }: Pick<SharedBase, 'platform'> & { readonly store: Store }) {
    const devices = openDevices({ store, clock: platform.clock })
    return {
      gives: { devices },
      onRowsChanged: (id, how) => devices.changed(id, how === 'beside' ? undefined : how),
      close: null,
    }
  },
  handlers: null,
})

/** What one device reports about its firmware. */
export const deviceFirmwareFeature = feature({
  open: ({
    shared: { devices },
    organization,
    endpoints,
    reported,
  }: SessionBase & {
    readonly endpoints: DeviceEndpoints
    readonly reported: (deviceId: string, version: string, at: number) => Promise<void>
  }) => ({
    gives: {
      /** Rejects with Failed, `not-found` if the profile has no address for it. */
      firmwareOf: async (deviceId: string): Promise<DeviceFirmware> => {
        const answer = await endpoints.firmware({ deviceId, lane: 'interactive', signal: null })
        const { productId } = await devices.get(organization.id, deviceId)
        const other = otherThanAsked(answer.json, { deviceId, productId })
        if (other !== null) throw Failed.invalid('firmware', other)
        const reading = parseFirmware(answer.json)
        if (reading.version !== null) await reported(deviceId, reading.version, answer.receivedAt)
        return { deviceId, ...reading, observedAt: answer.receivedAt, raw: answer.json }
      },
    },
    onRowsChanged: null,
    close: null,
  }),
  handlers: ({
    shared: { devices, tags, changes },
    currentId,
    session,
  }: Client<
    SharedDeps,
    {
      readonly firmwareOf: (deviceId: string) => Promise<DeviceFirmware>
      readonly judgedWith: (stages: readonly PrereleaseStage[]) => Promise<JudgedDevices>
    }
  >): {
    /** Those for settings belong to the settings. */
    readonly devices: Omit<
      Handlers<'devices'>,
      'settings' | 'setSettings' | 'settingsSummary' | 'settingsCost' | 'readSettings'
    >
  } => ({
    devices: {
      slice: async (query) => devices.slice(await currentId(), query),
      facets: async ({ where }) => devices.facets(await currentId(), where),
      groups: async ({ stages, ...query }) => {
        const organizationId = await currentId()
        if (stages === undefined) return { groups: await devices.groups(organizationId, query), unread: 0 }
        const judged = await (await session()).judgedWith(stages)
        try {
          return { groups: await judged.devices.groups(organizationId, query), unread: judged.unread }
        } finally {
          await judged.end()
        }
      },
      position: async (query) => devices.position(await currentId(), query),
      suggest: async (query) => devices.suggest(await currentId(), query),
      selected: async ({ selection }) => ({ count: await devices.countOf(await currentId(), selection) }),
      get: async ({ id }) => devices.get(await currentId(), id),
      find: async ({ text }) => devices.typed(await currentId(), text),
      setNote: async ({ id, note }) => {
        const organizationId = await currentId()
        await devices.get(organizationId, id)
        await tags.note(organizationId, id, note)
        return devices.get(organizationId, id)
      },
      history: async ({ id }) => changes.forSubject(await currentId(), 'device', id),

      firmware: async ({ id }) => (await session()).firmwareOf(id),
    },
  }),
})
