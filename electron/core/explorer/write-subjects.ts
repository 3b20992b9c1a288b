import { deviceLabel } from '../../contract/device-name.ts'
import { Failed, orNull } from '../../contract/failure.ts'
import type { Devices } from '../devices/devices.ts'
import { rebootProblem, type RoomNow } from '../rooms/rooms.ts'
import type { WriteTarget } from './explorer.ts'

/** Only for the journal: a missing name does not prevent a write. */
export async function knownName(
  devices: Pick<Devices, 'get'>,
  organizationId: string,
  deviceId: string,
): Promise<string | null> {
  const device = await orNull(devices.get(organizationId, deviceId))
  return device && deviceLabel(device)
}

/** The slots of a reboot; a room with unknown members is refused. */
export async function roomTarget(
  parseRoom: (groupId: string) => Promise<RoomNow>,
  groupId: string,
): Promise<WriteTarget> {
  const deviceIdsOf = ({ devices, other }: RoomNow): readonly string[] => {
    if (other !== null) throw Failed.invalid('groupId', other)
    if (devices === null || rebootProblem(devices) === 'members-unknown')
      throw Failed.invalid('groupId', 'The devices in this room are not known.')
    return devices.map((device) => device.id)
  }
  const room = await parseRoom(groupId)
  return {
    target: { of: 'room', id: room.id, name: room.name },
    deviceIds: deviceIdsOf(room),
    deviceIdsAgain: async () => deviceIdsOf(await parseRoom(groupId)),
  }
}
