import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'

/** The state of one query: the last good result, the error since, and whether it is loading. */
export interface LatestResult<T> {
  readonly value: ShallowRef<T | null>
  readonly failure: ShallowRef<Failure | null>
  readonly busy: Ref<boolean>
  /**
   * Applies the result of a query. A result is dropped (false) if a later query was sent meanwhile. After a
   * failure the last good result remains: a page shows that data, with its age.
   */
  take(question: Promise<Outcome<T>>): Promise<boolean>
  /** Clears everything; a result in flight is dropped. */
  clear(): void
}

export function latestResult<T>(): LatestResult<T> {
  const value = shallowRef<T | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let requests = 0
  return {
    value,
    failure,
    busy,
    async take(question) {
      const mine = ++requests
      busy.value = true
      const outcome = await question
      if (mine !== requests) return false
      busy.value = false
      if (outcome.ok) {
        value.value = outcome.value
        failure.value = null
      } else failure.value = outcome.failure
      return true
    },
    clear() {
      requests += 1
      value.value = null
      failure.value = null
      busy.value = false
    },
  }
}
