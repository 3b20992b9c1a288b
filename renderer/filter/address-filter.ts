import { onBeforeUnmount, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** The filter of the list on screen, for a link to it; null: there is no list. */
export const currentFilter = shallowRef<(() => string) | null>(null)

/**
 * A link may contain a filter: `#/devices?where=fw:behind`. It is moved into the filter box and removed from
 * the address, because the first keystroke would make it outdated there. `span` may set how far back a list
 * of changes goes. `asked`: the visible filter.
 */
export function useAddressFilter(
  page: string,
  take: (where: string, span: string | null) => void,
  applied: () => string,
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
  currentFilter.value = applied
  onBeforeUnmount(() => {
    stop()
    if (currentFilter.value === applied) currentFilter.value = null
  })
}
