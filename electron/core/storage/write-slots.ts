import type { Clock, Database, SqlRow, Transaction } from '../platform.ts'
import { replaced } from './file-failure.ts'
import { isOfThisBoot, rowTimeColumns, rowTimeFromNow, rowTimeNow } from './row-time.ts'

/**
 * Schedules writes to each device, across restarts and kills (the `ledger` file): one write to one device at
 * a time, and 61 s from the end of the last one to the next start. Specification, part 8: one a minute; one
 * second is added as a margin. Rejects with DatabaseError: an unusable ledger allows no write.
 */
export interface WriteSlots {
  /** All of the slots at once, or none. */
  take(deviceIds: readonly string[]): Promise<SlotTaking>
  /** Estimated wait until `take` may succeed, ms; 0: now. */
  freeInMs(deviceIds: readonly string[]): Promise<number>
  /** The same for many writes, in one read of the ledger. */
  freeInMsEach(writes: readonly (readonly string[])[]): Promise<readonly number[]>
  /**
   * When writes ended (or should end), from another source such as the journal: used if the ledger has older
   * times. Wall time, ms.
   */
  recall(deviceId: string, endedAt: number): void
}

export type SlotTaking = { readonly slots: TakenSlots } | { readonly slots: null; readonly freeInMs: number }

export interface TakenSlots {
  readonly writeId: string
  /**
   * To be called at least every `renewEveryInMs` while the write has not ended. Returns false if the slots
   * were lost.
   */
  renew(): Promise<boolean>
  /** To be called when the write has ended, with any result: the minute begins. */
  end(): Promise<void>
  /** To be called if nothing was sent. */
  giveBack(): Promise<void>
}

export interface WriteSlotsOptions {
  readonly database: Database
  readonly clock: Clock
  readonly newId: () => string
}

/** From the end of one write to the start of the next, ms. Behaviour, section 2: 60 s (plus 1 s). */
export const betweenWritesInMs = 61_000
export const renewEveryInMs = 30_000
/**
 * The timeout of a write (90 s, service-client), plus the longest time between two renewals, plus a margin
 * for a slow machine. Change it with that timeout.
 */
export const inFlightForInMs = 90_000 + renewEveryInMs + 5_000
const moved = 'UPDATE write_slot SET under_way = ?, ends_at = ?, boot = ?, told_at = ?, told_mono = ?'
/** Rows that ended this long ago are no longer needed. */
const storedForInMs = 24 * 3_600_000

/**
 * The key of a device's slot: one for each device, regardless of the case of its id. Whether the service
 * distinguishes case is not published, so the cautious assumption is used. An empty id names no device.
 */
export const slotKeyOf = (deviceId: string): string => deviceId.trim().toLowerCase()

/**
 * The end of the last write to a device, by this run's monotonic clock. `writeId` null: known from another
 * source.
 */
interface Ended {
  readonly writeId: string | null
  readonly endedAt: number
}

/**
 * A write that is in flight, or was in flight when an earlier run was killed: its end according to the row,
 * and on our monotonic clock.
 */
interface InFlight {
  readonly savedEndsAt: number
  readonly endsAt: number
}

/**
 * Times in rows are compared by the clock that runs since the computer started (row-time.ts). After another
 * start only the wall clock is available, which may jump: a future time counts as now.
 */
export function openWriteSlots({ database, clock, newId }: WriteSlotsOptions): WriteSlots {
  const ended = new Map<string, Ended>()
  const inFlight = new Map<string, InFlight>()
  const began = { wall: clock.now(), monotonic: clock.monotonic() }
  const anchored = (): number => began.wall + clock.monotonic() - began.monotonic
  const early = (): number => Math.floor(Math.min(clock.now(), anchored()))
  const late = (): number => Math.ceil(Math.max(clock.now(), anchored()))

  const write = <T>(work: (transaction: Transaction) => T): Promise<T> =>
    database.write((transaction) => {
      // Slots that the next run cannot see are useless. A ledger that could not be opened fails anyway.
      if (!database.durable) throw replaced('ledger')
      return work(transaction)
    })

  /** The end is never set to an earlier time. */
  const note = (key: string, writeId: string | null, endedAt: number): number => {
    const latest = Math.max(endedAt, ended.get(key)?.endedAt ?? -Infinity)
    ended.set(key, { writeId, endedAt: latest })
    return latest
  }

  /** Time until the write of a row ends at the latest; negative: it has ended. */
  const toGoOf = (row: SqlRow): number => {
    const endsAt = Number(row['ends_at'])
    return isOfThisBoot(row, clock) ? rowTimeFromNow(endsAt, row, clock) : endsAt - early()
  }

  /** When the write of a row ended, or will end at the latest, on our monotonic clock. */
  const endOf = (row: SqlRow): number => {
    const [key, writeId] = [String(row['device_id']), String(row['write_id'])]
    const toGo = toGoOf(row)
    if (Number(row['under_way']) === 1) {
      const seen = inFlight.get(writeId)
      if (seen !== undefined && seen.savedEndsAt === row['ends_at']) return seen.endsAt
      const endsAt = clock.monotonic() + Math.min(toGo, inFlightForInMs)
      inFlight.set(writeId, { savedEndsAt: Number(row['ends_at']), endsAt })
      return endsAt
    }
    inFlight.delete(writeId)
    const previous = ended.get(key)
    return previous?.writeId === writeId
      ? previous.endedAt
      : note(key, writeId, clock.monotonic() + Math.min(toGo, 0))
  }

  const freeInMsEach = (
    transaction: Transaction,
    writes: readonly (readonly string[])[],
  ): readonly number[] => {
    const rows = transaction.all(
      `SELECT device_id, write_id, under_way, ends_at, ${rowTimeColumns} FROM write_slot WHERE device_id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify([...new Set(writes.flat().map(slotKeyOf))])],
    )
    const ends = new Map<string, number>()
    for (const row of rows) {
      const key = String(row['device_id'])
      ends.set(key, Math.max(ends.get(key) ?? -Infinity, endOf(row)))
    }
    const lastOf = (id: string): number => {
      const key = slotKeyOf(id)
      return Math.max(ends.get(key) ?? -Infinity, ended.get(key)?.endedAt ?? -Infinity)
    }
    return writes.map((deviceIds) => {
      const end = deviceIds.reduce((latest, id) => Math.max(latest, lastOf(id)), -Infinity)
      return Math.max(0, Math.ceil(end + betweenWritesInMs - clock.monotonic()))
    })
  }

  const freeInMs = (transaction: Transaction, deviceIds: readonly string[]): number =>
    freeInMsEach(transaction, [deviceIds])[0] ?? 0

  const hold = (writeId: string, keys: readonly string[]): TakenSlots => ({
    writeId,
    renew: () =>
      write((transaction) => {
        const at = late()
        const { changes } = transaction.run(`${moved} WHERE write_id = ? AND under_way = 1`, [
          1,
          at + inFlightForInMs,
          ...rowTimeNow(clock, at),
          writeId,
        ])
        return changes === keys.length
      }),
    end: () => {
      // Stored in memory first: if the file fails now, this run still waits the minute, and the next run
      // waits for the whole timeout.
      for (const key of keys) note(key, writeId, clock.monotonic())
      const at = late()
      return write(
        (transaction) =>
          void transaction.run(`${moved} WHERE write_id = ?`, [0, at, ...rowTimeNow(clock, at), writeId]),
      )
    },
    giveBack: () =>
      write((transaction) => void transaction.run('DELETE FROM write_slot WHERE write_id = ?', [writeId])),
  })

  return {
    take: (deviceIds) =>
      write((transaction): SlotTaking => {
        const wait = freeInMs(transaction, deviceIds)
        if (wait > 0) return { slots: null, freeInMs: wait }
        const writeId = newId()
        const at = late()
        const keys = [...new Set(deviceIds.map(slotKeyOf))]
        for (const key of keys)
          transaction.run(
            `INSERT OR REPLACE INTO write_slot (device_id, write_id, under_way, ends_at, ${rowTimeColumns}) VALUES (?, ?, 1, ?, ?, ?, ?)`,
            [key, writeId, at + inFlightForInMs, ...rowTimeNow(clock, at)],
          )
        transaction.run('DELETE FROM write_slot WHERE ends_at < ? AND (boot IS NOT ? OR told_mono < ?)', [
          early() - storedForInMs,
          clock.boot,
          clock.monotonic() - storedForInMs,
        ])
        return { slots: hold(writeId, keys) }
      }),
    freeInMs: (deviceIds) => write((transaction) => freeInMs(transaction, deviceIds)),
    freeInMsEach: (writes) => write((transaction) => freeInMsEach(transaction, writes)),
    recall(deviceId, endedAt) {
      const key = slotKeyOf(deviceId)
      note(
        key,
        ended.get(key)?.writeId ?? null,
        clock.monotonic() + Math.min(inFlightForInMs, endedAt - early()),
      )
    },
  }
}
