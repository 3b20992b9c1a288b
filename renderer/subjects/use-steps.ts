import { computed, watch } from 'vue'
import { stepOfKey } from '../components/step-keys.ts'

/** A list with the open item, and its position in it (components/list-place.ts). */
export interface Steps<List extends { readonly where: string; readonly sort: unknown }> {
  readonly name: string
  readonly list: List
  readonly place: {
    readonly index: number | null
    readonly total: number | null
    readonly hasPrevious: boolean
    readonly hasNext: boolean
    readonly find: (id: string, list: List) => Promise<void>
    readonly step: (by: 1 | -1) => Promise<string | null>
  }
}

/** The steps from an item to its neighbours, by the buttons of a `StepBar` and by keys. `changed`: its position may be another. */
export function useSteps<List extends { readonly where: string; readonly sort: unknown }>(
  props: Steps<List>,
  id: () => string | null,
  changed: () => unknown,
  show: (id: string) => unknown,
) {
  watch(
    [id, () => props.list.where, () => props.list.sort, changed],
    ([open]) => void (open === null || props.place.find(open, props.list)),
    { immediate: true },
  )
  async function onStep(by: 1 | -1): Promise<void> {
    const next = await props.place.step(by)
    if (next !== null) show(next)
  }
  function onKey(event: KeyboardEvent): void {
    const by = stepOfKey(event)
    if (by === null) return
    event.preventDefault()
    void onStep(by)
  }
  const steps = computed(() => {
    const { index, total, hasPrevious, hasNext } = props.place
    return { name: props.name, index, total, hasPrevious, hasNext, onStep }
  })
  return { steps, onKey }
}
