import { z } from 'zod'
import { byId, count, id, roomSort, start, suggestion, where } from '../argument-parts.ts'
import type { Change } from '../change.ts'
import type { WordCount } from '../device.ts'
import { event, method } from '../method.ts'
import type { Room, RoomPage } from '../room.ts'
import type { RebootPlan, WriteReport } from '../write.ts'

export const rooms = {
  list: method(z.strictObject({ where, sort: roomSort, start, count })).returns<RoomPage>(),
  get: method(byId).returns<Room>(),
  history: method(byId).returns<readonly Change[]>(),
  /** Where a room stands in a list; null: it does not match. */
  position: method(z.strictObject({ where, sort: roomSort, id })).returns<{
    readonly index: number | null
    readonly total: number
  }>(),
  /** As `devices.suggest`; `key` is of `roomVocabulary`. */
  suggest: method(suggestion).returns<readonly WordCount[]>(),
  /** Reads one room anew from the service. */
  refresh: method(byId).returns<Room>(),
  /** Reads the room again for its members. */
  rebootPlan: method(byId).returns<RebootPlan>(),
  /** One attempt, never repeated by itself. */
  reboot: method(z.strictObject({ id, unlock: z.boolean(), wait: z.boolean() })).returns<WriteReport>(),
  changed: event<{ readonly count: number }>(),
}
