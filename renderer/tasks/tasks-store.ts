import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { Task, TaskKind } from '../../electron/contract/api/tasks.ts'
import { api } from '../api.ts'

/** Long work that this window waits for. The core reports it once it takes longer than a moment. */
export const useTasks = defineStore('tasks', () => {
  const all = shallowRef<readonly Task[]>([])

  async function load(): Promise<void> {
    const outcome = await api.tasks.list()
    if (outcome.ok) all.value = outcome.value
  }
  /**
   * Several tasks of one kind may wait for the same work: only the first is shown, but a cancel applies to
   * all.
   */
  const first = (of: TaskKind): Task | null => all.value.find((task) => task.of === of) ?? null
  async function cancel(of: TaskKind): Promise<void> {
    await Promise.all(all.value.filter((task) => task.of === of).map(({ id }) => api.tasks.cancel({ id })))
  }
  const follow = (): (() => void) => api.tasks.changed(() => void load())

  return { first, cancel, follow }
})
