import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { ChangeGroups } from '../../electron/contract/api/changes.ts'
import type { Overview } from '../../electron/contract/api/overview.ts'
import { api } from '../api.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { useFleetFirmware } from '../firmware/fleet-store.ts'
import { resultOf } from '../components/latest-result.ts'
import { throttle } from '../components/throttle.ts'
import { refreshNow } from '../components/now.ts'

/**
 * Sums over the whole fleet: reloaded at most every two seconds during a sync. Raise the interval if it costs
 * time.
 */
const COUNTS_EVERY_IN_MS = 2_000

/** The work to do, as last loaded; it remains visible during a reload. */
export const useOverviewStore = defineStore('overview', () => {
  const appLayout = useLayoutStore()
  const organization = (): string => appLayout.current?.id ?? ''
  const read = resultOf<Overview>(organization)
  /** The changes since they were last marked as seen, as on Changes. */
  const news = resultOf<ChangeGroups>(organization)
  const fleet = useFleetFirmware()
  const { answer } = read

  async function load(): Promise<void> {
    await read.take(organization(), api.overview.get())
    if (answer.value.value?.firmware.comparedWith === 'approved') await fleet.loadApprovals()
    refreshNow()
  }
  function follow(): () => void {
    const reload = throttle(() => void load(), COUNTS_EVERY_IN_MS)
    const disposers = [
      api.devices.changed(reload.call),
      api.rooms.changed(reload.call),
      api.changes.changed(reload.call),
      api.firmware.changed(reload.call),
    ]
    return () => [reload.stop, ...disposers].forEach((end) => end())
  }
  /** The page alone shows events: the navigation counts them. */
  function followEvents(): () => void {
    const loadEvents = (): void =>
      void news.take(organization(), api.changes.groups({ where: '', since: 'looked', folded: true }))
    const reload = throttle(loadEvents, COUNTS_EVERY_IN_MS)
    const disposers = [api.changes.changed(reload.call), organizationSwitched(loadEvents)]
    loadEvents()
    return () => [reload.stop, ...disposers].forEach((end) => end())
  }
  /**
   * Reloads while a comparison of the fleet is running (0), at its end, after a decision about versions, and when changes were recorded or
   * marked as seen (0). Those of a sync are read at its end.
   */
  function followCounts(isSyncing: () => boolean): () => void {
    const reload = throttle(() => void load(), COUNTS_EVERY_IN_MS)
    const disposers = [
      api.firmware.changed(({ count }) => {
        if (count > 0 || answer.value.value?.firmware.comparing) reload.call()
      }),
      api.changes.changed(({ count }) => {
        if (count === 0 || !isSyncing()) reload.call()
      }),
    ]
    return () => [reload.stop, ...disposers].forEach((end) => end())
  }
  // The navigation shows its counts on every page.
  organizationSwitched(() => void load())
  return {
    overview: computed(() => answer.value.value),
    /** The approved versions, if devices are compared with them. */
    approvals: computed(() =>
      answer.value.value?.firmware.comparedWith === 'approved' ? fleet.approvals : [],
    ),
    /** Groups of changes, without devices outside rooms that went on- or offline. */
    events: computed(() => (news.answer.value.value?.groups ?? []).filter(({ kind }) => kind !== 'on-off')),
    failure: computed(() => answer.value.failure),
    load,
    follow,
    followEvents,
    followCounts,
  }
})
