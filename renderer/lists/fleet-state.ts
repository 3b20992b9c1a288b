import { computed } from 'vue'
import { useLayoutStore } from '../layout/layout-store.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { listState, type ListFacts } from '../components/list-state.ts'

/**
 * What a page about the fleet shows, depending on its data and the status of its organization. `named` fills
 * the placeholders in the texts of `ListNotice`.
 */
export function useFleetState(of: () => Pick<ListFacts, 'total' | 'all' | 'filtered' | 'failure'>) {
  const appLayout = useLayoutStore()
  const state = computed(() =>
    listState({
      ...of(),
      syncing: appLayout.syncing,
      completeAt: appLayout.status?.sync.completeAt ?? null,
      hasKey:
        appLayout.current === null ||
        appLayout.current.preset === 'demonstration' ||
        appLayout.current.keys.some((key) => key.set),
      stopped: appLayout.current?.stoppedBecause != null,
    }),
  )
  const named = computed(() => ({
    organization: appLayout.current?.name ?? '',
    all: formatCount(of().all ?? 0),
    progress: appLayout.status?.sync.devicesRead
      ? text('layout.sync.running', {
          devices: formatCount(appLayout.status.sync.devicesRead),
          rooms: formatCount(appLayout.status.sync.roomsRead),
        })
      : '',
  }))
  return { state, named }
}
