import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { GoldenProfile, GoldenProfileStanding } from '../../electron/contract/api/golden-profiles.ts'
import { api } from '../api.ts'
import { latestAnswer } from '../components/latest-answer.ts'
import { paced } from '../components/paced.ts'
import { refreshPresentTime } from '../components/present-time.ts'

/** While devices are read, drift is judged anew again and again: what is shown is asked for at most so often (chosen). */
const DRIFT_EVERY_IN_MS = 1_000

/** The golden profiles of the current organization, and how devices stand against each. */
export const useGoldenProfiles = defineStore('golden-profiles', () => {
  const all = latestAnswer<readonly GoldenProfileStanding[]>()
  /** Counts up when something changed: what is open is read again. */
  const changed = ref(0)

  async function again(): Promise<void> {
    changed.value += 1
    await all.take(api.goldenProfiles.list())
    refreshPresentTime()
  }
  function follow(): () => void {
    // What was cancelled is asked for again by a person alone.
    const reload = paced(() => {
      if (all.failure.value?.kind !== 'cancelled') void again()
    }, DRIFT_EVERY_IN_MS)
    const ends = [
      api.goldenProfiles.changed(reload.call),
      api.organizations.changed(() => {
        all.clear()
        void again()
      }),
    ]
    void again()
    return () => [reload.stop, ...ends].forEach((end) => end())
  }
  /** null: it is gone. */
  async function remove(id: string): Promise<Failure | null> {
    const outcome = await api.goldenProfiles.remove({ id })
    return outcome.ok ? null : outcome.failure
  }
  /** The same settings under the same name once more, after it was removed. */
  async function bringBack({
    name,
    productId,
    variantType,
    settings,
  }: GoldenProfile): Promise<Failure | null> {
    const outcome = await api.goldenProfiles.save({ id: null, name, productId, variantType, settings })
    return outcome.ok ? null : outcome.failure
  }
  return { all: all.value, failure: all.failure, busy: all.busy, changed, again, follow, remove, bringBack }
})
