import type { Room, RoomListRow } from '../../electron/contract/api/rooms.ts'
import { markOfStatus } from '../components/status-kind.ts'

/** What helps a room that needs attention; `visit`: nothing that is sent from here. */
export type NextStep = 'reboot' | 'update' | 'visit'

/**
 * A reboot reaches only what is on (services.md#B14): it is the next step where something that is on has a fault. One that is offline
 * needs a look at its power and network, and a reboot would only take the others down. `canUpdate`: the service takes updates. null: the room needs nothing.
 */
export function nextStepOf(room: Room | RoomListRow, canUpdate: boolean): NextStep | null {
  if (room.gone || (room.health !== 'down' && room.health !== 'trouble')) return null
  const devices =
    'members' in room
      ? (room.members ?? [])
      : (room.devices ?? []).map(({ status, firmware }) => ({ status, isRevoked: firmware === 'revoked' }))
  const seen = devices.map(({ status, isRevoked }) => ({ kind: markOfStatus(status), isRevoked }))
  const on = seen.filter(({ kind }) => kind !== 'off' && kind !== 'unknown')
  if (on.some(({ kind }) => kind === 'warn' || kind === 'bad')) return 'reboot'
  return canUpdate && on.some(({ isRevoked }) => isRevoked) ? 'update' : 'visit'
}
