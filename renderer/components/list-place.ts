import { computed, ref, type ComputedRef, type Ref } from 'vue'
import type { Outcome } from '../../electron/contract/failure.ts'

/** The position of an item in a sliced list, with the previous and the next item. */
export interface ListPlace {
  /** Zero-based; null: unknown, or not in the list. */
  readonly index: Ref<number | null>
  readonly total: Ref<number | null>
  readonly hasPrevious: ComputedRef<boolean>
  readonly hasNext: ComputedRef<boolean>
  readonly find: (id: string) => Promise<void>
  /** The id `by` rows away; null at the end of the list or if another step was requested meanwhile. */
  readonly step: (by: 1 | -1) => Promise<string | null>
  readonly clear: () => void
}

export interface PlaceQuestions {
  readonly position: (
    id: string,
  ) => Promise<Outcome<{ readonly index: number | null; readonly total: number }>>
  readonly idAt: (index: number) => Promise<Outcome<string | null>>
}

/** The position changes at once, so that a held key steps row by row; late responses are dropped. */
export function listPlace(ask: PlaceQuestions): ListPlace {
  const index = ref<number | null>(null)
  const total = ref<number | null>(null)
  let requests = 0
  let steps = 0
  let finding: Promise<void> = Promise.resolve()
  async function find(id: string): Promise<void> {
    const mine = ++requests
    const outcome = await ask.position(id)
    if (mine !== requests) return
    index.value = outcome.ok ? outcome.value.index : null
    total.value = outcome.ok ? outcome.value.total : null
  }
  return {
    index,
    total,
    hasPrevious: computed(() => index.value !== null && index.value > 0),
    hasNext: computed(() => index.value !== null && index.value + 1 < (total.value ?? 0)),
    find: (id) => (finding = find(id)),
    async step(by) {
      // A step immediately after opening waits for the position.
      if (index.value === null) await finding
      const to = (index.value ?? NaN) + by
      if (!(to >= 0 && to < (total.value ?? 0))) return null
      // Positions requested earlier are dropped, so that none of them undoes the step.
      requests += 1
      const mine = ++steps
      index.value = to
      const outcome = await ask.idAt(to)
      return mine === steps && outcome.ok ? outcome.value : null
    },
    clear() {
      requests += 1
      steps += 1
      index.value = null
      total.value = null
    },
  }
}
