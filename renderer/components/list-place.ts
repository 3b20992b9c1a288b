import { computed, ref, type ComputedRef, type Ref } from 'vue'
import type { Outcome } from '../../electron/contract/failure.ts'

/** Where something stands in a list in windows, and what stands before and after it. */
export interface ListPlace {
  /** Zero-based; null: not known, or the list does not hold it. */
  readonly index: Ref<number | null>
  readonly total: Ref<number | null>
  readonly hasPrevious: ComputedRef<boolean>
  readonly hasNext: ComputedRef<boolean>
  readonly find: (id: string) => Promise<void>
  /** The id that stands so many rows further on; null: nothing stands there, or another step was asked for meanwhile. */
  readonly step: (by: 1 | -1) => Promise<string | null>
  readonly clear: () => void
}

export interface PlaceQuestions {
  readonly position: (
    id: string,
  ) => Promise<Outcome<{ readonly index: number | null; readonly total: number }>>
  readonly idAt: (index: number) => Promise<Outcome<string | null>>
}

/** The place moves at once, so that a key held down steps row by row; the answers that come late are dropped. */
export function listPlace(ask: PlaceQuestions): ListPlace {
  const index = ref<number | null>(null)
  const total = ref<number | null>(null)
  let asked = 0
  let steps = 0
  let finding: Promise<void> = Promise.resolve()
  async function find(id: string): Promise<void> {
    const mine = ++asked
    const outcome = await ask.position(id)
    if (mine !== asked) return
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
      // Opened and stepped on in one breath: the key counts, it only waits for the place.
      if (index.value === null) await finding
      const to = (index.value ?? NaN) + by
      if (!(to >= 0 && to < (total.value ?? 0))) return null
      // Places asked for before are not told any more; one asked for meanwhile does not take the step back.
      asked += 1
      const mine = ++steps
      index.value = to
      const outcome = await ask.idAt(to)
      return mine === steps && outcome.ok ? outcome.value : null
    },
    clear() {
      asked += 1
      steps += 1
      index.value = null
      total.value = null
    },
  }
}
