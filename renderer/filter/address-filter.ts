import { onBeforeUnmount, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * A link may bring a filter along: `#/devices?where=fw:behind`. It is put into the filter box and taken out of the address, where it
 * would go stale with the first keystroke.
 */
export function useAddressFilter(page: string, take: (where: string) => void): void {
  const route = useRoute()
  const router = useRouter()
  const stop = watch(
    () => route.query['where'],
    (where) => {
      if (route.name !== page || typeof where !== 'string') return
      take(where)
      const { where: _taken, ...rest } = route.query
      void router.replace({ name: page, params: route.params, query: rest })
    },
    { immediate: true },
  )
  onBeforeUnmount(stop)
}
