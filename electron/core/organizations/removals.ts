import { Failed } from '../../contract/failure.ts'
import type { Log } from '../platform.ts'
import type { Organizations } from './organizations.ts'
import type { Store } from '../storage/store.ts'

/** What is left of organizations that were removed: they are in no list any more, and their rows go in the background. */
export interface Removals {
  /** Joins one that runs. Resolves when nothing of the organization is left, or when this run ends before that. Never rejects. */
  finish(organizationId: string): Promise<void>
  /** Goes on with what an earlier run did not finish. Never rejects. */
  resume(): Promise<void>
  close(): Promise<void>
}

export function openRemovals({
  organizations,
  store,
  log,
}: {
  readonly organizations: Organizations
  readonly store: Store
  readonly log: Log
}): Removals {
  const stop = new AbortController()
  const running = new Map<string, Promise<void>>()
  /** The profile goes last: as long as it is there, the next start knows what to go on with. */
  const remove = async (organizationId: string): Promise<void> => {
    try {
      await store.forget(organizationId, stop.signal)
      await organizations.finishRemoval(organizationId, stop.signal)
    } catch (error) {
      const failure = error instanceof Failed ? error.failure.kind : String(error)
      log.write('warn', 'A removed organization could not be removed completely; the next start goes on', {
        organization: organizationId,
        failure,
      })
    }
  }
  const finish = (organizationId: string): Promise<void> => {
    const known = running.get(organizationId)
    if (known !== undefined) return known
    const removing = remove(organizationId).finally(() => running.delete(organizationId))
    running.set(organizationId, removing)
    return removing
  }
  return {
    finish,
    async resume() {
      for (const id of await organizations.removed().catch(() => [])) await finish(id)
    },
    async close() {
      stop.abort()
      await Promise.all(running.values())
    },
  }
}
