import { onMounted, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * A link may say what to do on the page it opens: `#/devices?do=paste`. It is done once, when the page is ready for it, and taken
 * out of the address, so that neither going back nor a restart does it again.
 */
export function useAddressDeed(
  page: string,
  deeds: Readonly<Record<string, { readonly run: () => void; readonly ready: () => boolean }>>,
): void {
  const route = useRoute()
  const router = useRouter()
  onMounted(() =>
    watch(
      () => {
        const name = route.query['do']
        return typeof name === 'string' && route.name === page && deeds[name]?.ready() ? name : null
      },
      (name) => {
        if (name === null) return
        const { do: _done, ...rest } = route.query
        void router.replace({ name: page, params: route.params, query: rest })
        deeds[name]?.run()
      },
      { immediate: true },
    ),
  )
}
