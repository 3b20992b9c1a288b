import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { DriftedDevice, GoldenProfileDetails } from '../../electron/contract/api/golden-profiles.ts'
import type { DriftState } from '../../electron/contract/golden-profile.ts'
import type { JobWork } from '../../electron/contract/api/jobs.ts'
import { api } from '../api.ts'
import { deviceWindows } from './device-windows.ts'

/** The most lines that are copied. */
export const copiedAtMost = 500

/** `leftOut`: devices beyond what a job takes. `without`: settings that are not asked for. */
export interface GoldenWork {
  readonly work: JobWork
  readonly leftOut: number
  readonly without: readonly string[]
}

/**
 * Settings that every device which differs in them would refuse, or that no device has: with them a job would leave out every device, and
 * nothing else would be put right. None, where nothing else is wanted.
 */
function takenByNone({ settings }: GoldenProfileDetails): readonly string[] {
  const names = settings.flatMap(({ name, asWanted, drifted, refused }) =>
    (drifted > 0 && (refused?.devices ?? 0) >= drifted) || asWanted + drifted === 0 ? [name] : [],
  )
  return names.length === settings.length ? [] : names
}

/** The open golden profile: what drifts, by setting and by device. */
export const useGoldenProfile = defineStore('golden-profile', () => {
  const id = ref<string | null>(null)
  const details = shallowRef<GoldenProfileDetails | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const state = ref<DriftState | null>(null)
  const setting = ref<string | null>(null)
  let round = 0

  const question = computed(() => ({ id: id.value ?? '', state: state.value, setting: setting.value }))
  const devices = deviceWindows((window) => api.goldenProfiles.devices({ ...question.value, ...window }))

  async function readDetails(): Promise<boolean> {
    const [wanted, mine] = [id.value, ++round]
    if (wanted === null) return false
    const outcome = await api.goldenProfiles.get({ id: wanted })
    if (mine !== round) return false
    if (outcome.ok) details.value = outcome.value
    failure.value = outcome.ok ? null : outcome.failure
    if (failure.value?.kind === 'not-found') details.value = null
    return outcome.ok
  }
  const someDrifted = (): boolean => (details.value?.counts.drifted ?? 0) > 0
  async function open(wanted: string): Promise<void> {
    devices.clear()
    details.value = failure.value = setting.value = state.value = null
    id.value = wanted
    if (!(await readDetails())) return
    // What there is to do stands first.
    if (someDrifted()) state.value = 'drifted'
    else await devices.begin()
  }
  const again = async (): Promise<void> => {
    // Where nothing is known yet the first reading is under way, and decides what is shown.
    if (details.value !== null && (await readDetails())) await devices.again()
  }
  watch([state, setting], () => {
    if (id.value !== null && details.value !== null) void devices.begin()
  })

  /** What a job would do with devices that drifted (in one setting: with that alone), or with those not read yet; null: it cannot be said. */
  async function workFor(of: DriftState, only: string | null): Promise<GoldenWork | null> {
    const shown = details.value
    if (shown === null) return null
    const outcome = await api.goldenProfiles.deviceIds({ id: shown.profile.id, state: of, setting: only })
    failure.value = outcome.ok ? null : outcome.failure
    if (!outcome.ok || outcome.value.ids.length === 0) return null
    const { ids, total } = outcome.value
    const without = of === 'drifted' && only === null ? takenByNone(shown) : []
    const changes = shown.profile.settings.filter(({ name }) =>
      only === null ? !without.includes(name) : name === only,
    )
    return {
      work: { kind: 'change-settings', selection: { kind: 'picked', ids }, changes },
      leftOut: total - ids.length,
      without,
    }
  }
  /** The first devices of what is shown, for the clipboard; null: they could not be read. */
  async function listed(): Promise<readonly DriftedDevice[] | null> {
    const outcome = await api.goldenProfiles.devices({ ...question.value, start: 0, count: copiedAtMost })
    return outcome.ok ? outcome.value.rows : null
  }
  function close(): void {
    round += 1
    id.value = details.value = failure.value = null
    devices.clear()
  }
  const { total, startedOver, rowAt, need, failure: devicesFailure } = devices
  return {
    id,
    details,
    failure,
    devicesFailure,
    state,
    setting,
    total,
    startedOver,
    rowAt,
    need,
    open,
    again,
    workFor,
    listed,
    close,
  }
})
