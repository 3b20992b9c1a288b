import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'

/** What a page knows of one question: the last good answer, what went wrong since, and whether it waits. */
export interface LatestAnswer<T> {
  readonly value: ShallowRef<T | null>
  readonly failure: ShallowRef<Failure | null>
  readonly busy: Ref<boolean>
  /**
   * Takes the answer of a question. When a later question was asked in the meantime the answer is dropped (false).
   * A failure keeps the last good answer beside it: a page shows what it has, with its age.
   */
  take(question: Promise<Outcome<T>>): Promise<boolean>
  /** Forgets everything; an answer still under way is dropped. */
  clear(): void
}

export function latestAnswer<T>(): LatestAnswer<T> {
  const value = shallowRef<T | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let asked = 0
  return {
    value,
    failure,
    busy,
    async take(question) {
      const mine = ++asked
      busy.value = true
      const outcome = await question
      if (mine !== asked) return false
      busy.value = false
      if (outcome.ok) {
        value.value = outcome.value
        failure.value = null
      } else failure.value = outcome.failure
      return true
    },
    clear() {
      asked += 1
      value.value = null
      failure.value = null
      busy.value = false
    },
  }
}
