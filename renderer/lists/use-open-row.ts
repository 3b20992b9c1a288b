import { computed, ref, type ShallowRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'

type Focusable = Readonly<ShallowRef<{ focus?: () => void } | null>>

/** The row of a list that is open in the drawer beside it; its id is in the address. */
export function useOpenRow(page: 'devices' | 'rooms', table: Focusable, drawer?: Focusable) {
  const route = useRoute()
  const router = useRouter()
  /** Opened with the keyboard: the drawer gets the focus. */
  const byKey = ref(false)
  const openId = computed(() => {
    const { id } = route.params
    return route.name === page && typeof id === 'string' && id !== '' ? id : null
  })

  function show(id: string, withKey: boolean): void {
    byKey.value = withKey
    if (withKey && id === openId.value) drawer?.value?.focus?.()
    else void router.replace({ name: page, params: { id } })
  }
  function close(): void {
    // If the focused element no longer exists, the drawer gets the focus too.
    const { activeElement } = document
    const inside = activeElement === document.body || activeElement?.closest('aside') != null
    void router.replace({ name: page, params: { id: null } })
    if (inside) table.value?.focus?.()
  }
  return { byKey, openId, show, close }
}
