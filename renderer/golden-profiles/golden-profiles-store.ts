import { defineStore } from 'pinia'
import { ref } from 'vue'
import { isKind, type Failure } from '../../electron/contract/failure.ts'
import type { GoldenProfile, GoldenProfileSummary } from '../../electron/contract/api/golden-profiles.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { throttle } from '../components/throttle.ts'
import { refreshNow } from '../components/now.ts'

/**
 * While devices are read, drift is recomputed often: it is reloaded at most this often. Raise the interval if
 * it costs time.
 */
const DRIFT_EVERY_IN_MS = 1_000

/** The golden profiles of the current organization, and the drift of each. */
export const useGoldenProfiles = defineStore('golden-profiles', () => {
  const all = latestResult<readonly GoldenProfileSummary[]>()
  /** Incremented on a change: the open one is reloaded. */
  const changed = ref(0)

  async function again(): Promise<void> {
    changed.value += 1
    await all.take(api.goldenProfiles.list())
    refreshNow()
  }
  function follow(): () => void {
    // Only the technician restarts a cancelled query.
    const reload = throttle(() => {
      if (!isKind(all.failure.value, 'cancelled')) void again()
    }, DRIFT_EVERY_IN_MS)
    const disposers = [
      api.goldenProfiles.changed(reload.call),
      api.organizations.changed(() => {
        all.clear()
        void again()
      }),
    ]
    void again()
    return () => [reload.stop, ...disposers].forEach((end) => end())
  }
  /** null: it no longer exists. */
  async function remove(id: string): Promise<Failure | null> {
    const outcome = await api.goldenProfiles.remove({ id })
    return outcome.ok ? null : outcome.failure
  }
  /** Saves the same settings under the same name again, after it was removed. */
  async function bringBack(profile: GoldenProfile): Promise<Failure | null> {
    const { name, productId, variantType, settings } = profile
    const outcome = await api.goldenProfiles.save({ id: null, name, productId, variantType, settings })
    return outcome.ok ? null : outcome.failure
  }
  return { all: all.value, failure: all.failure, busy: all.busy, changed, again, follow, remove, bringBack }
})
