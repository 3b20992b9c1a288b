import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { Core } from '../../../electron/core/app.ts'
import type { OperationName } from '../../../electron/contract/operations.ts'
import { startDemonstration, type Demonstration } from '../../../electron/demo/demonstration.ts'
import { fromMorning } from '../../demo/a-demonstration.ts'
import { aDeviceBehind, rebootRoom, runOne, updateOf } from '../../reboot-room.ts'
import { pageCall } from '../../page-call.ts'
import { addOrganization, customDraft } from '../../add-organization.ts'

/** One way in which a technician writes. */
export interface Write {
  readonly name: string
  readonly operation: OperationName
  readonly run: (core: Core, room: string, device: string) => Promise<unknown>
}

/** Every action of a technician that writes. */
export const everyWrite: readonly Write[] = [
  { name: 'reboot', operation: 'RebootRoom', run: (core, room) => rebootRoom(core.handlers.jobs, room) },
  {
    name: 'settings',
    operation: 'UpdateDeviceSettings',
    run: async (core, _, deviceId) =>
      (await core.sessions.current()).settings.update({
        deviceId,
        changes: [{ name: 'automaticZoomMode', value: 'fullScreen' }],
        unlock: true,
        wait: false,
      }),
  },
  {
    name: 'firmware',
    operation: 'UpdateDeviceFirmware',
    run: async (core, _, deviceId) => {
      const { version } = await aDeviceBehind(core.handlers, ({ id }) => id === deviceId)
      return runOne(core.handlers.jobs, updateOf(deviceId, version))
    },
  },
  {
    name: 'Explorer: RebootRoom',
    operation: 'RebootRoom',
    run: (core, groupId) => core.handlers.explorer.run(pageCall('RebootRoom', { groupId }, true)),
  },
  {
    name: 'Explorer: UpdateDeviceSettings',
    operation: 'UpdateDeviceSettings',
    run: (core, _, deviceId) =>
      core.handlers.explorer.run(
        pageCall('UpdateDeviceSettings', { deviceId, settings: '{"a":{"isOn":true}}' }, true),
      ),
  },
  {
    name: 'Explorer: UpdateDeviceFirmware',
    operation: 'UpdateDeviceFirmware',
    run: (core, _, deviceId) =>
      core.handlers.explorer.run(
        pageCall('UpdateDeviceFirmware', { deviceId, firmwareVersion: '1.0.0' }, true),
      ),
  },
]

export const aService = (): Promise<Demonstration> =>
  startDemonstration({ now: fromMorning(), devices: 60, rooms: 6 })

/** A device with the setting that is changed here. */
const isCamera = ({ room, productName }: DeviceRow): boolean =>
  room !== null && productName?.startsWith('Jabra PanaCast 50') === true

/** Adds the service as an organization and syncs it; returns an existing room with its devices: the first is behind its latest firmware. */
export async function syncedWith(
  core: Core,
  service: Demonstration,
): Promise<{ readonly room: string; readonly devices: readonly string[] }> {
  await addOrganization(core.handlers, service, {
    templates: {
      ...customDraft.templates,
      firmwareRead: 'GET /devices/api/devices/{deviceId}/firmware',
      firmwareUpdate: 'POST /devices/api/devices/{deviceId}/firmware/{firmwareVersion}',
    },
  })
  await core.handlers.sync.run()
  const { id } = await aDeviceBehind(core.handlers, isCamera)
  const room = (await core.handlers.devices.get({ id })).room!.id
  const devices = (await core.handlers.rooms.get({ id: room })).devices!.map((device) => device.id)
  return { room, devices: [id, ...devices.filter((one) => one !== id)] }
}
