import { onBeforeUnmount, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** The filter of the list on screen, for a link to it; null: there is no list. */
export const filterShown = shallowRef<(() => string) | null>(null)

/**
 * A link may bring a filter along: `#/devices?where=fw:behind`. It is put into the filter box and taken out of the address, where it
 * would go stale with the first keystroke. `span` may say how far back a list of changes looks. `asked`: the filter
 * that is shown.
 */
export function useAddressFilter(
  page: string,
  take: (where: string, span: string | null) => void,
  asked: () => string,
): void {
  const route = useRoute()
  const router = useRouter()
  const stop = watch(
    () => route.query['where'],
    (where) => {
      if (route.name !== page || typeof where !== 'string') return
      const { where: _taken, span, ...rest } = route.query
      take(where, typeof span === 'string' ? span : null)
      void router.replace({ name: page, params: route.params, query: rest })
    },
    { immediate: true },
  )
  filterShown.value = asked
  onBeforeUnmount(() => {
    stop()
    if (filterShown.value === asked) filterShown.value = null
  })
}
