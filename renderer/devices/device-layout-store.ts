import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { Density } from '../../electron/contract/api/app.ts'
import type { ListLayout, SortEntry } from '../../electron/contract/api/views.ts'
import { useFrameStore } from '../frame/frame-store.ts'
import { useListLayouts } from '../frame/list-layout-store.ts'
import { api } from '../api.ts'
import { laidFrom, sortFrom, type Laid } from './device-layout.ts'
import { byName, useDevicesStore } from './devices-store.ts'

/** Columns and order as the technician left them, kept with the preferences. */
export const useDeviceLayout = defineStore('device-layout', () => {
  const frame = useFrameStore()
  const devices = useDevicesStore()
  const layouts = useListLayouts()
  const kept = computed<ListLayout | undefined>(() => frame.preferences.layouts.devices)
  const laid = computed<Laid>(() => laidFrom(kept.value))
  const density = computed<Density>(() => frame.preferences.density)

  const keep = (columns: Laid): void => layouts.keep('devices', { columns, sort: devices.sort })
  function sortBy(sort: typeof devices.sort): void {
    if (JSON.stringify(sort) === JSON.stringify(devices.sort)) return
    devices.sort = sort
    keep(laid.value)
  }
  /** What a saved view shows: its order where it has one, its columns as wide as they were. */
  function show(sort: readonly SortEntry[], columns: readonly string[] | null): void {
    const known = sortFrom(sort)
    if (known.length > 0) devices.sort = known
    if (columns === null) return keep(laid.value)
    const before = new Map(laid.value.map((one) => [one.column as string, one]))
    keep(
      laidFrom({
        columns: columns.map((column) => before.get(column) ?? { column, width: null, pinned: false }),
        sort,
      }),
    )
  }
  /** The order of the last run, before the first window is asked for. */
  function recall(): void {
    const sort = sortFrom(kept.value?.sort)
    if (kept.value && JSON.stringify(sort) !== JSON.stringify(devices.sort)) devices.sort = sort
  }
  function reset(): void {
    devices.sort = byName
    keep([])
  }
  async function setDensity(wanted: Density): Promise<void> {
    frame.preferences = { ...frame.preferences, density: wanted }
    await api.app.setPreferences({ density: wanted })
  }
  return { laid, density, keep, sortBy, show, recall, reset, setDensity }
})
