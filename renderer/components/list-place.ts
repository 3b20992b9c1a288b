import { computed, type ComputedRef } from 'vue'
import type { Outcome } from '../../electron/contract/failure.ts'
import { latestResult } from './latest-result.ts'

/** The position of an item in a sliced list, with the previous and the next item. */
export interface ListPlace {
  /** Zero-based; null: unknown, or not in the list. */
  readonly index: ComputedRef<number | null>
  readonly total: ComputedRef<number | null>
  readonly hasPrevious: ComputedRef<boolean>
  readonly hasNext: ComputedRef<boolean>
  readonly find: (id: string) => Promise<void>
  /** The id `by` rows away; null at the end of the list or if another step was requested meanwhile. */
  readonly step: (by: 1 | -1) => Promise<string | null>
  readonly clear: () => void
}

interface Position {
  readonly index: number | null
  readonly total: number
}
export interface PlaceQuestions {
  readonly position: (id: string) => Promise<Outcome<Position>>
  readonly idAt: (index: number) => Promise<Outcome<string | null>>
}

/** The position changes at once, so that a held key steps row by row; late responses are dropped. */
export function listPlace(ask: PlaceQuestions): ListPlace {
  const found = latestResult<Position>()
  const stepped = latestResult<string | null>()
  /** Unknown after a failure. */
  const position = computed(() => (found.failure.value === null ? found.value.value : null))
  const index = computed(() => position.value?.index ?? null)
  const total = computed(() => position.value?.total ?? null)
  let finding: Promise<boolean> = Promise.resolve(false)
  async function find(id: string): Promise<void> {
    await (finding = found.take(ask.position(id)))
  }
  async function stepFrom(from: Position, by: 1 | -1): Promise<string | null> {
    const to = (from.index ?? NaN) + by
    if (!(to >= 0 && to < from.total)) return null
    // Positions requested earlier are dropped, so that none of them undoes the step.
    found.clear()
    found.value.value = { index: to, total: from.total }
    const request = ask.idAt(to)
    if (!(await stepped.take(request))) return null
    const outcome = await request
    return outcome.ok ? outcome.value : null
  }
  return {
    index,
    total,
    hasPrevious: computed(() => index.value !== null && index.value > 0),
    hasNext: computed(() => index.value !== null && index.value + 1 < (total.value ?? 0)),
    find,
    async step(by) {
      // A step immediately after opening waits for the position.
      if (index.value === null && !(await finding)) return null
      return position.value === null ? null : stepFrom(position.value, by)
    },
    clear() {
      found.clear()
      stepped.clear()
    },
  }
}
