import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue'
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

/** A value, or the reason why there is none, or the fact that it is not loaded yet. */
export interface Answer<T> {
  /** After a failure the last good one. */
  readonly value: T | null
  readonly failure: Failure | null
  /** When `value` arrived, epoch milliseconds. */
  readonly answeredAt?: number
}
export const noAnswer = { value: null, failure: null } as const

interface AnswerOf<T> extends Answer<T> {
  readonly of: string
  /** The newest question that was answered, and the one of `value`. */
  readonly question: number
  readonly valueOf: number
}
/** The state of one query about something that changes, such as the link of a version. */
export interface ResultOf<T> {
  /** Empty unless it was asked for what is current now. */
  readonly answer: ComputedRef<Answer<T>>
  /** The last one, for a page that keeps it until the next arrives. */
  readonly last: ShallowRef<AnswerOf<T> | null>
  /** Whether a query about what is current now is in flight. */
  readonly busy: ComputedRef<boolean>
  /**
   * Applies the result of a query about `of`. It is dropped (false) if that is not current, or if a later
   * query about it was answered before; a good result remains beside a later failure.
   */
  take(of: string, question: Promise<Outcome<T>>): Promise<boolean>
  clear(): void
}

/** State that depends on other state carries what it was asked for, so that nothing has to clear it. */
export function resultOf<T>(current: () => string | null): ResultOf<T> {
  const last = shallowRef<AnswerOf<T> | null>(null)
  const inFlight = shallowRef<readonly string[]>([])
  let questions = 0
  return {
    last,
    answer: computed(() => (last.value !== null && last.value.of === current() ? last.value : noAnswer)),
    busy: computed(() => inFlight.value.some((of) => of === current())),
    async take(of, asked) {
      const question = ++questions
      inFlight.value = [...inFlight.value, of]
      const outcome = await asked
      inFlight.value = inFlight.value.toSpliced(inFlight.value.indexOf(of), 1)
      if (of !== current()) return false
      const known = last.value?.of === of ? last.value : { ...noAnswer, of, question: 0, valueOf: 0 }
      const isNewest = question > known.question
      if (question < (outcome.ok ? known.valueOf : known.question)) return false
      last.value = {
        ...known,
        ...(isNewest && { question, failure: outcome.ok ? null : outcome.failure }),
        ...(outcome.ok && { value: outcome.value, valueOf: question, answeredAt: Date.now() }),
      }
      return true
    },
    clear() {
      last.value = null
    },
  }
}
