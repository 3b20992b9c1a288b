import { onMounted, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * A link may name an action on the page that it opens: `#/devices?do=paste`. It runs once, when the page is ready, and is removed from the
 * address, so that neither going back nor a restart repeats it.
 */
export function useUrlAction(
  page: string,
  actions: Readonly<Record<string, { readonly run: () => void; readonly ready: () => boolean }>>,
): void {
  const route = useRoute()
  const router = useRouter()
  onMounted(() =>
    watch(
      () => {
        const name = route.query['do']
        return typeof name === 'string' && route.name === page && actions[name]?.ready() ? name : null
      },
      (name) => {
        if (name === null) return
        const { do: _done, ...rest } = route.query
        void router.replace({ name: page, params: route.params, query: rest })
        actions[name]?.run()
      },
      { immediate: true },
    ),
  )
}
