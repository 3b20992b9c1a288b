import { computed } from 'vue'
import { useFrameStore } from '../frame/frame-store.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../parts/format.ts'
import { listState, type ListFacts } from '../parts/list-state.ts'

/** What a page about the fleet shows, from what it has read and how its organization stands; `named` fills the sentences of `ListNotice`. */
export function useFleetState(of: () => Pick<ListFacts, 'total' | 'all' | 'filtered' | 'failure'>) {
  const frame = useFrameStore()
  const state = computed(() =>
    listState({
      ...of(),
      syncing: frame.syncing,
      completeAt: frame.standing?.sync.completeAt ?? null,
      hasKey:
        frame.current === null ||
        frame.current.preset === 'demonstration' ||
        frame.current.keys.some((key) => key.set),
      stopped: frame.current?.stoppedBecause != null,
    }),
  )
  const named = computed(() => ({
    organization: frame.current?.name ?? '',
    all: formatCount(of().all ?? 0),
    progress: frame.standing?.sync.devicesRead
      ? text('frame.sync.running', {
          devices: formatCount(frame.standing.sync.devicesRead),
          rooms: formatCount(frame.standing.sync.roomsRead),
        })
      : '',
  }))
  return { state, named }
}
