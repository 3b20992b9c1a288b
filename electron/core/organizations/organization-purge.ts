import { Failed } from '../../contract/failure.ts'
import type { Log } from '../platform.ts'
import { SharedTask, type RunningTask, type Tasks } from '../tasks.ts'
import type { Organizations } from './organizations.ts'
import type { Store } from '../storage/store.ts'

/**
 * Finishes the removal of organizations: they are no longer listed, and their rows are deleted in the
 * background.
 */
export interface OrganizationPurge {
  /**
   * Starts a removal or joins a running one, and reports its progress to `task`. Resolves when the
   * organization is completely removed, or when it was cancelled or this run ends earlier: then the next
   * start continues. Never rejects.
   */
  finish(organizationId: string, task: RunningTask): Promise<void>
  /** Continues the removals that an earlier run did not finish, each as a task. Never rejects. */
  resume(tasks: Pick<Tasks, 'run'>): Promise<void>
  close(): Promise<void>
}

export function openOrganizationPurge(deps: {
  readonly organizations: Pick<Organizations, 'removed' | 'rowsOf' | 'finishRemoval'>
  readonly store: Pick<Store, 'rowsOf' | 'forget'>
  readonly log: Log
}): OrganizationPurge {
  const { organizations, store, log } = deps
  let closed = false
  const running = new Map<string, { readonly shared: SharedTask; readonly removing: Promise<void> }>()
  /** The profile is deleted last: while it exists, the next start knows what to continue. */
  const remove = async (organizationId: string, task: RunningTask): Promise<void> => {
    try {
      const total = (await store.rowsOf(organizationId)) + (await organizations.rowsOf(organizationId))
      let done = 0
      const removed = (rows: number): void => {
        if (closed) throw new Failed({ kind: 'cancelled' })
        done += rows
        task.step('removing', done, total)
      }
      removed(0)
      await store.forget(organizationId, removed)
      await organizations.finishRemoval(organizationId, removed)
    } catch (error) {
      const failure = error instanceof Failed ? error.failure.kind : String(error)
      log.write('warn', 'An organization could not be removed completely; the next start continues', {
        organization: organizationId,
        failure,
      })
    }
  }
  const begin = (organizationId: string): { shared: SharedTask; removing: Promise<void> } => {
    const shared = new SharedTask()
    const removing = remove(organizationId, shared.running).finally(() => running.delete(organizationId))
    running.set(organizationId, { shared, removing })
    return { shared, removing }
  }
  const finish = (organizationId: string, task: RunningTask): Promise<void> => {
    const { shared, removing } = running.get(organizationId) ?? begin(organizationId)
    // After it was cancelled, the caller no longer waits; the rest is removed at the next start.
    return shared.join(task, removing).catch(() => undefined)
  }
  return {
    finish,
    async resume(tasks) {
      for (const id of await organizations.removed().catch(() => []))
        await tasks.run('removal', (task) => finish(id, task))
    },
    async close() {
      closed = true
      await Promise.all([...running.values()].map(({ removing }) => removing))
    },
  }
}
