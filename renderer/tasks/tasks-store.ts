import { defineStore } from 'pinia'
import type { Task, TaskKind } from '../../electron/contract/api/tasks.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** Long work that this window waits for. The core reports it once it takes longer than a moment. */
export const useTasks = defineStore('tasks', () => {
  const listed = latestResult<readonly Task[]>()
  const all = (): readonly Task[] => listed.value.value ?? []

  async function load(): Promise<void> {
    await listed.take(api.tasks.list())
  }
  /**
   * Several tasks of one kind may wait for the same work: only the first is shown, but a cancel applies to
   * all.
   */
  const first = (of: TaskKind): Task | null => all().find((task) => task.of === of) ?? null
  async function cancel(of: TaskKind): Promise<void> {
    await Promise.all(
      all()
        .filter((task) => task.of === of)
        .map(({ id }) => api.tasks.cancel({ id })),
    )
  }
  const follow = (): (() => void) => api.tasks.changed(() => void load())

  return { first, cancel, follow }
})
