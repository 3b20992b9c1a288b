import { shallowRef, watch, type ShallowRef } from 'vue'
import { deviceLabel } from '../../electron/contract/device-name.ts'
import { api } from '../api.ts'

/** Maximum of lookups at the same time, because one line of the journal may name many devices. */
const AT_ONCE = 8

/** Names of the visible device ids, as they are loaded; an unknown or unreadable device has none. */
export function useDeviceNames(
  ids: () => readonly string[],
): Readonly<ShallowRef<ReadonlyMap<string, string>>> {
  const names = shallowRef<ReadonlyMap<string, string>>(new Map())
  const requested = new Set<string>()
  async function load(wanted: readonly string[]): Promise<void> {
    for (let start = 0; start < wanted.length; start += AT_ONCE) {
      const some = wanted.slice(start, start + AT_ONCE)
      const found = await Promise.all(some.map((id) => api.devices.get({ id })))
      names.value = new Map([
        ...names.value,
        ...found.flatMap((one, i) => (one.ok ? [[some[i] ?? '', deviceLabel(one.value)] as const] : [])),
      ])
    }
  }
  watch(
    () => ids().filter((id) => !requested.has(id)),
    (wanted) => {
      if (wanted.length === 0) return
      wanted.forEach((id) => requested.add(id))
      void load(wanted)
    },
    { immediate: true },
  )
  return names
}
