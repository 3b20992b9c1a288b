import type { Core } from '../../../electron/core/app.ts'
import type { OperationName } from '../../../electron/contract/operations.ts'
import { startDemonstration, type Demonstration } from '../../../electron/demo/demonstration.ts'
import { fromMorning } from '../../demo/a-demonstration.ts'
import { rebootRoom } from '../../reboot-room.ts'

/** A way in which a technician writes. */
export interface Write {
  readonly name: string
  readonly operation: OperationName
  readonly run: (core: Core, room: string, device: string) => Promise<unknown>
}

/** Everything a technician can press that would write. */
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
    name: 'Explorer: RebootRoom',
    operation: 'RebootRoom',
    run: (core, groupId) =>
      core.handlers.explorer.run({ operation: 'RebootRoom', parameters: { groupId }, unlock: true }),
  },
  {
    name: 'Explorer: UpdateDeviceSettings',
    operation: 'UpdateDeviceSettings',
    run: (core, _, deviceId) =>
      core.handlers.explorer.run({
        operation: 'UpdateDeviceSettings',
        parameters: { deviceId, settings: '{"a":{"isOn":true}}' },
        unlock: true,
      }),
  },
  {
    name: 'Explorer: UpdateDeviceFirmware',
    operation: 'UpdateDeviceFirmware',
    run: (core, _, deviceId) =>
      core.handlers.explorer.run({
        operation: 'UpdateDeviceFirmware',
        parameters: { deviceId, firmwareVersion: '1.0.0' },
        unlock: true,
      }),
  },
]

export const aService = (): Promise<Demonstration> =>
  startDemonstration({ now: fromMorning(), devices: 60, rooms: 6 })

/** Adds the service as an organization and syncs it; answers a room that is there, with its devices. */
export async function syncedWith(
  core: Core,
  service: Demonstration,
): Promise<{ readonly room: string; readonly devices: readonly string[] }> {
  const custom = (await core.handlers.organizations.list()).presets.find(
    (preset) => preset.name === 'custom',
  )!.draft
  await core.handlers.organizations.add({
    ...custom,
    name: 'Nordlys',
    managementUrl: service.managementUrl,
    metadataUrl: service.metadataUrl,
    templates: {
      ...custom.templates,
      firmwareUpdate: 'POST /devices/api/devices/{deviceId}/firmware/{firmwareVersion}',
    },
  })
  await core.handlers.sync.run()
  const { rows } = await core.handlers.rooms.list({
    where: 'status:connected',
    sort: [],
    start: 0,
    count: 10,
  })
  const room = rows.find((row) => (row.onlineCount ?? 0) > 0)!.id
  const { devices } = await core.handlers.rooms.get({ id: room })
  return { room, devices: devices!.map(({ id }) => id) }
}
