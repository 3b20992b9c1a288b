import { watch } from 'vue'
import { useLayoutStore } from './layout-store.ts'

/**
 * Another organization is on screen: rows, ids and counts are those of the previous one. Names and keys, for
 * which `organizations.changed` also occurs, change nothing about them.
 */
export function organizationSwitched(listener: () => void): () => void {
  const appLayout = useLayoutStore()
  return watch(
    () => appLayout.current?.id ?? null,
    (_now, before) => {
      if (before !== null) listener()
    },
    { flush: 'sync' },
  )
}
