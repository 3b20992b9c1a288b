import { orNull, type Failure } from '../../contract/failure.ts'
import { feature, type Client } from '../feature.ts'
import type { Journal } from '../journal/journal.ts'
import type { SessionBase } from '../session.ts'
import type { SharedBase, SharedDeps } from '../core-features.ts'
import type { Workbook } from '../storage/workbook.ts'
import { openUnconfirmedWrites } from './unconfirmed-writes.ts'
import {
  openWrites,
  openWriteSlots,
  unlockedForInMs,
  writeHandlers,
  type WritePolicy,
  type Writes,
  type WriteSlots,
} from './writes.ts'
import type { Clock } from '../platform.ts'

/** The time in which a policy counts actions (`mostItems`). */
const countedForInMs = 60 * 60_000

/**
 * Writes of this user that began within the last 60 minutes, for all organizations of the data folder.
 * `begunAgoInMs`: those of earlier runs.
 */
function openWriteCount(clock: Pick<Clock, 'monotonic'>, begunAgoInMs: readonly number[]) {
  let begun = begunAgoInMs.map((agoInMs) => clock.monotonic() - agoInMs)
  return {
    now(): number {
      begun = begun.filter((at) => clock.monotonic() - at < countedForInMs)
      return begun.length
    },
    add: (): void => void begun.push(clock.monotonic()),
  }
}

export const writeSlotsFeature = feature({
  async open(needs: Pick<SharedBase, 'platform' | 'policy'> & { readonly journal: Journal }) {
    const {
      platform: { clock },
      policy,
      journal,
    } = needs
    // Without a journal no write can be sent.
    const count = openWriteCount(clock, (await orNull(journal.begunAgo(countedForInMs))) ?? [])
    const writePolicy: WritePolicy = {
      unlockedForInMs: () => {
        const { lockAfterMinutes } = policy.settings()
        return lockAfterMinutes === undefined ? unlockedForInMs : lockAfterMinutes * 60_000
      },
      refusal: (more) =>
        policy.refusal('locked') ??
        policy.refusal('look-only') ??
        (count.now() + more > (policy.settings().mostItems ?? Infinity)
          ? policy.refusal('most-items')
          : null),
      begins: () => count.add(),
    }
    return { gives: { writeSlots: openWriteSlots(clock), writePolicy }, onRowsChanged: null, close: null }
  },
  handlers: null,
})

export const unconfirmedWritesFeature = feature({
  async open(
    needs: Pick<SharedBase, 'platform' | 'emit'> & {
      readonly workbook: Workbook
      readonly journal: Journal
      readonly writeSlots: WriteSlots
    },
  ) {
    const { platform, emit, workbook, journal, writeSlots } = needs
    const unconfirmedWrites = await openUnconfirmedWrites({
      workbook,
      clock: platform.clock,
      journal,
      slots: writeSlots,
      log: platform.log,
      changed: () => emit('app.changed', { what: 'status' }),
    })
    return { gives: { unconfirmedWrites }, onRowsChanged: null, close: () => unconfirmedWrites.close() }
  },
  handlers: null,
})

/** Executes every write of an organization. */
export const writesFeature = feature({
  open({ shared, organization, statusChanged }: SessionBase) {
    const { platform, emit } = shared
    const clientWrites = new Set<Writes>()
    const writesOf = (who: string | null): Writes =>
      openWrites({
        clock: platform.clock,
        log: platform.log,
        slots: shared.writeSlots,
        journal: shared.journal,
        storageProblem: (): Failure | null => shared.storageProblem(),
        organization,
        who,
        policy: shared.writePolicy,
        ...(who === null && { mayUnlock: shared.mayUnlock }),
      })
    const writes = writesOf(null)
    writes.onChange(() => {
      statusChanged()
      emit('writes.changed', { unlocked: writes.lock().unlocked })
    })
    const closeWrites = async (): Promise<void> => {
      await Promise.all([writes, ...clientWrites].map((one) => one.close()))
    }
    return {
      gives: {
        writes,
        /** Those of one client, unlocked only for it. `who`: as `Writes.who`. */
        writesOfClient: (who: string): Writes => {
          const own = writesOf(who)
          clientWrites.add(own)
          return { ...own, close: () => own.close().finally(() => clientWrites.delete(own)) }
        },
        /** Ends those that jobs wait for, so that jobs can end. */
        closeWrites,
        /** Locks the actions that the window and other clients unlocked. */
        lockWrites: (which?: 'everything' | 'starting'): void => {
          for (const one of [writes, ...clientWrites]) one.lockNow(which)
        },
        /** The policy changed. */
        followPolicy: (): void => {
          for (const one of [writes, ...clientWrites]) one.followPolicy()
        },
      },
      onRowsChanged: null,
      close: closeWrites,
    }
  },
  handlers: ({ shared, session }: Client<SharedDeps, { readonly writes: Writes }>) => ({
    writes: writeHandlers(session, shared.journal),
  }),
})
