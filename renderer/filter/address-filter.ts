import { onBeforeUnmount, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * A link may bring a filter along: `#/devices?where=fw:behind`. It is put into the filter box and taken out of the address, where it
 * would go stale with the first keystroke. `span` may say how far back a list of changes looks.
 */
export function useAddressFilter(page: string, take: (where: string, span: string | null) => void): void {
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
  onBeforeUnmount(stop)
}
