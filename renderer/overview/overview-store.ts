import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { Overview } from '../../electron/contract/api/overview.ts'
import { api } from '../api.ts'
import { paced } from '../parts/paced.ts'
import { refreshPresentTime } from '../parts/present-time.ts'

/** Sums over the whole fleet: asked for again at most every two seconds while a sync runs (chosen). */
const COUNTS_EVERY_IN_MS = 2_000

/** Work to do, as last read; what was shown stays while it is read again. */
export const useOverviewStore = defineStore('overview', () => {
  const overview = shallowRef<Overview | null>(null)
  const failure = shallowRef<Failure | null>(null)

  async function read(): Promise<void> {
    const outcome = await api.overview.get()
    if (outcome.ok) overview.value = outcome.value
    failure.value = outcome.ok ? null : outcome.failure
    refreshPresentTime()
  }
  function follow(): () => void {
    const reload = paced(() => void read(), COUNTS_EVERY_IN_MS)
    const ends = [
      api.devices.changed(reload.call),
      api.rooms.changed(reload.call),
      api.changes.changed(reload.call),
      api.organizations.changed(() => {
        overview.value = null
        void read()
      }),
    ]
    return () => [reload.stop, ...ends].forEach((end) => end())
  }
  return { overview, failure, read, follow }
})
