import type { Json } from '../../contract/json.ts'
import type { Procedure } from '../platform.ts'
import type { RecordKind } from '../storage/store.ts'
import { markRoomGone, writeAlias, writeRecord, type SyncOrigin } from './record-writer.ts'
import { markStream, type StreamName, type StreamPosition } from './sync-rows.ts'
import { UnreadableOfPage } from './unreadable-records.ts'

export interface PageOfStream {
  readonly origin: SyncOrigin
  readonly kind: RecordKind
  readonly stream: StreamName
  /** The requested client type; null: none. */
  readonly listedAs: string | null
  /** JSON of its records. */
  readonly items: string
  readonly receivedAt: number
  /** The progress of the stream after this page. */
  readonly position: StreamPosition
}

/**
 * One page of a stream, with the token that follows it. Returns how many of its records are new: readable
 * ones in this sync, others in this stream.
 */
export const writePageOf: Procedure<PageOfStream, { readonly fresh: number; readonly unmet: number }> = {
  name: 'sync.write-page',
  shared: true,
  run(transaction, { origin, kind, stream, listedAs, items, receivedAt, position }) {
    const unreadable = new UnreadableOfPage(kind, stream, receivedAt)
    let fresh = 0
    for (const item of JSON.parse(items) as readonly Json[]) {
      const written = writeRecord(transaction, origin, kind, item, receivedAt, listedAs)
      if (written.fresh) fresh++
      if (written.why !== null) unreadable.add(item, written.why)
      if (kind === 'room' && written.id !== null && written.groupId !== null)
        writeAlias(transaction, origin, written.groupId, written.id, receivedAt)
    }
    markStream(transaction, origin, stream, position, receivedAt)
    return { fresh, unmet: unreadable.write(transaction, origin) }
  },
}

/** A room that was looked up by its group id. Returns its id, if this sync had not found it; null: it had, or it is unreadable. */
export const writeRoomOf: Procedure<
  { readonly origin: SyncOrigin; readonly groupId: string; readonly raw: Json; readonly receivedAt: number },
  string | null
> = {
  name: 'sync.write-room',
  shared: true,
  run(transaction, { origin, groupId, raw, receivedAt }) {
    const written = writeRecord(transaction, origin, 'room', raw, receivedAt)
    if (written.why !== null) {
      const unreadable = new UnreadableOfPage('room', 'rooms', receivedAt)
      unreadable.add(raw, written.why)
      unreadable.write(transaction, origin)
    }
    if (written.id !== null) writeAlias(transaction, origin, groupId, written.id, receivedAt)
    return written.fresh ? written.id : null
  },
}

/** The responses for one room, for all of its group ids. */
export interface RoomReadAlone {
  readonly origin: SyncOrigin
  /** The room that is gone, because no group id names it any more; null: it exists. */
  readonly goneId: string | null
  readonly at: number
  /** Group ids that no longer name a room. */
  readonly unknown: readonly { readonly groupId: string; readonly receivedAt: number }[]
  /** If there are two records of one room, the one that is later in the list is stored. */
  readonly records: readonly { readonly raw: Json; readonly receivedAt: number }[]
  readonly groups: readonly {
    readonly groupId: string
    readonly roomId: string
    readonly receivedAt: number
  }[]
}

export const writeRoomReadAlone: Procedure<RoomReadAlone, void> = {
  name: 'sync.write-room-read-alone',
  shared: true,
  run(transaction, { origin, goneId, at, unknown, records, groups }) {
    if (goneId !== null) markRoomGone(transaction, origin.organizationId, goneId, at)
    for (const { groupId, receivedAt } of unknown) writeAlias(transaction, origin, groupId, null, receivedAt)
    for (const { raw, receivedAt } of records) writeRecord(transaction, origin, 'room', raw, receivedAt)
    for (const { groupId, roomId, receivedAt } of groups)
      writeAlias(transaction, origin, groupId, roomId, receivedAt)
  },
}
