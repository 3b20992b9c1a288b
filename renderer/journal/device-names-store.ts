import { computed, shallowReactive, watch, type ComputedRef } from 'vue'
import { deviceLabel } from '../../electron/contract/device-name.ts'
import type { Device } from '../../electron/contract/api/devices.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'

/** Maximum of lookups at the same time, because one line of the journal may name many devices. */
const AT_ONCE = 8

/** Names of the visible device ids, as they are loaded; an unknown or unreadable device has none. */
export function useDeviceNames(ids: () => readonly string[]): ComputedRef<ReadonlyMap<string, string>> {
  const requested = shallowReactive(new Map<string, LatestResult<Device>>())
  const names = computed(
    () =>
      new Map(
        [...requested].flatMap(([id, { value }]) =>
          value.value === null ? [] : [[id, deviceLabel(value.value)] as const],
        ),
      ),
  )
  async function load(wanted: readonly string[]): Promise<void> {
    for (let start = 0; start < wanted.length; start += AT_ONCE) {
      const some = wanted.slice(start, start + AT_ONCE)
      await Promise.all(some.map(async (id) => requested.get(id)?.take(api.devices.get({ id }))))
    }
  }
  watch(
    () => ids().filter((id) => !requested.has(id)),
    (wanted) => {
      if (wanted.length === 0) return
      wanted.forEach((id) => requested.set(id, latestResult()))
      void load(wanted)
    },
    { immediate: true },
  )
  return names
}
