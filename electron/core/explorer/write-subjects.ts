import { Failed } from '../../contract/failure.ts'
import type { RebootPlan } from '../../contract/api/writes.ts'
import type { Devices } from '../devices/devices.ts'
import type { WriteTarget } from './explorer.ts'

/** For the journal only: a name that cannot be had keeps no write from being made. */
export async function knownName(
  devices: Pick<Devices, 'get'>,
  organizationId: string,
  deviceId: string,
): Promise<string | null> {
  try {
    return (await devices.get(organizationId, deviceId)).name
  } catch (error) {
    if (error instanceof Failed) return null
    throw error
  }
}

/** Whose slots a reboot takes; a room whose members nobody knows is refused (behaviour, section 2). */
export async function roomTarget(
  rebootPlan: (roomId: string) => Promise<RebootPlan>,
  groupId: string,
): Promise<WriteTarget> {
  const deviceIdsOf = ({ problem, devices }: RebootPlan): readonly string[] => {
    if (problem === 'members-unknown')
      throw new Failed({
        kind: 'invalid',
        field: 'groupId',
        message: 'Which devices stand in this room is not known.',
      })
    return devices.map((device) => device.id)
  }
  const plan = await rebootPlan(groupId)
  return {
    target: { of: 'room', id: plan.room.id, name: plan.room.name },
    deviceIds: deviceIdsOf(plan),
    deviceIdsAgain: async () => deviceIdsOf(await rebootPlan(groupId)),
  }
}
