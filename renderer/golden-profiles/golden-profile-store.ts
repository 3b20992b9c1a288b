import { isKind } from '../../electron/contract/failure.ts'
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import type {
  DriftedDevice,
  DriftedDeviceSlice,
  GoldenProfileDetails,
} from '../../electron/contract/api/golden-profiles.ts'
import type { DriftState } from '../../electron/contract/golden-profile.ts'
import type { JobWork } from '../../electron/contract/api/jobs.ts'
import { api } from '../api.ts'
import { latestResult, resultOf } from '../components/latest-result.ts'
import { useList } from '../lists/use-list.ts'

/** Devices per request. */
const COUNT = 100

/** The maximum number of copied lines. */
export const copiedAtMost = 500

/** `leftOut`: devices beyond the limit of a job. `without`: settings that are not applied. */
export interface GoldenWork {
  readonly work: JobWork
  readonly leftOut: number
  readonly without: readonly string[]
}

/**
 * Settings that every differing device would reject, or that no device has: with them a job would skip every
 * device, and the other settings would not be corrected. Empty if all settings are of this kind.
 */
function takenByNone({ settings }: GoldenProfileDetails): readonly string[] {
  const names = settings.flatMap(({ name, asWanted, drifted, refused }) =>
    (drifted > 0 && (refused?.devices ?? 0) >= drifted) || asWanted + drifted === 0 ? [name] : [],
  )
  return names.length === settings.length ? [] : names
}

/** The open golden profile: its drift, by setting and by device. */
export const useGoldenProfile = defineStore('golden-profile', () => {
  const id = ref<string | null>(null)
  const found = latestResult<GoldenProfileDetails>()
  /** The devices that an action asked for. */
  const foundIds = resultOf<unknown>(() => id.value)
  const failure = computed(() => foundIds.answer.value.failure ?? found.failure.value)
  const details = computed(() => (isKind(found.failure.value, 'not-found') ? null : found.value.value))
  const state = ref<DriftState | null>(null)
  const setting = ref<string | null>(null)
  /** Devices are requested only when the drift is known. */
  const isRead = computed(() => details.value !== null)
  const list = useList({
    question: () =>
      id.value === null || !isRead.value
        ? null
        : { id: id.value, state: state.value, setting: setting.value },
    count: COUNT,
    fetch: (question, { start, count }) => api.goldenProfiles.devices({ ...question, start, count }),
    rowsOf: (slice: DriftedDeviceSlice): readonly DriftedDevice[] => slice.rows,
    idOf: (device) => device.id,
    beside: fetchDetails,
  })

  async function fetchDetails(): Promise<void> {
    if (id.value === null) return
    foundIds.clear()
    await found.take(api.goldenProfiles.get({ id: id.value }))
  }
  const showDriftedFirst = (now: GoldenProfileDetails | null, before: GoldenProfileDetails | null): void => {
    if (before === null && now !== null && now.counts.drifted > 0) state.value = 'drifted'
  }
  watch(details, showDriftedFirst, { flush: 'sync' })
  function open(wanted: string): Promise<void> {
    close()
    setting.value = state.value = null
    id.value = wanted
    return fetchDetails()
  }

  /** null: there are none, or it is unknown. */
  async function idsOf(of: DriftState, only: string | null) {
    if (id.value === null) return null
    const request = api.goldenProfiles.deviceIds({ id: id.value, state: of, setting: only })
    await foundIds.take(id.value, request)
    const outcome = await request
    return outcome.ok && outcome.value.ids.length > 0 ? outcome.value : null
  }
  /** The devices that were not read yet; null: unknown. */
  async function notRead(): Promise<DeviceSelection | null> {
    const notReadYet = await idsOf('not-read', null)
    return notReadYet && { kind: 'picked', ids: notReadYet.ids }
  }
  /**
   * The request for a job that corrects drifted devices (with `setting`: only that setting); null: unknown.
   */
  async function workFor(only: string | null): Promise<GoldenWork | null> {
    const current = details.value
    if (current === null) return null
    const drifted = await idsOf('drifted', only)
    if (drifted === null) return null
    const { ids, total } = drifted
    const without = only === null ? takenByNone(current) : []
    const changes = current.profile.settings.filter(({ name }) =>
      only === null ? !without.includes(name) : name === only,
    )
    return {
      work: { kind: 'change-settings', selection: { kind: 'picked', ids }, changes },
      leftOut: total - ids.length,
      without,
    }
  }
  /** The first visible devices, for the clipboard; null: they could not be read. */
  async function listed(): Promise<readonly DriftedDevice[] | null> {
    const outcome = await api.goldenProfiles.devices({
      id: id.value ?? '',
      state: state.value,
      setting: setting.value,
      start: 0,
      count: copiedAtMost,
    })
    return outcome.ok ? outcome.value.rows : null
  }
  function close(): void {
    id.value = null
    found.clear()
    foundIds.clear()
  }
  return {
    ...list,
    id,
    details,
    failure,
    devicesFailure: list.failure,
    state,
    setting,
    open,
    notRead,
    workFor,
    listed,
    close,
  }
})
