import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { DeviceColumn, DeviceFacets, DeviceFilter, DeviceWindow, DeviceWindowQuery } from '../../electron/contract/device.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { link } from '../link.ts'
import { paced } from '../parts/paced.ts'
import { refreshPresentTime } from '../parts/present-time.ts'

/** Rows of one window: five screens of rows, a fifth of what the contract allows. */
export const BLOCK = 100
/** During a sync announcements come ten a second; what is shown is asked for again twice a second (chosen). */
const RELOAD_EVERY_IN_MS = 500

export interface DeviceSort {
  readonly column: DeviceColumn
  readonly descending: boolean
}

/** The filter, its counts, and windows of matching rows. Rows themselves are never kept here: the table holds a few windows. */
export const useDevicesStore = defineStore('devices', () => {
  const text = ref('')
  const statuses = shallowRef<readonly string[]>([])
  const productNames = shallowRef<readonly string[]>([])
  const sort = shallowRef<DeviceSort>({ column: 'name', descending: false })
  const facets = shallowRef<DeviceFacets | null>(null)
  const total = ref<number | null>(null)
  const all = ref<number | null>(null)
  const asOf = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  /** Counts up when the table should start from the top (another filter). */
  const startedOver = ref(0)
  /** Counts up when rows changed under the same filter: reload what is shown, keep scroll and selection. */
  const changed = ref(0)

  const filter = computed<DeviceFilter>(() => ({ text: text.value, statuses: statuses.value, productNames: productNames.value, gone: 'hide' }))
  const filtered = computed(() => text.value !== '' || statuses.value.length > 0 || productNames.value.length > 0)

  let primed: { readonly key: string; readonly window: DeviceWindow } | null = null
  const keyOf = (query: DeviceWindowQuery): string => JSON.stringify(query)
  const queryAt = (start: number, by: DeviceSort): DeviceWindowQuery => ({ filter: filter.value, sort: by, start, count: BLOCK })

  function learn(window: DeviceWindow): void {
    total.value = window.total
    all.value = window.all
    asOf.value = window.asOf
    failure.value = null
    refreshPresentTime()
  }
  /** One window; null when it failed. Answered at once where the first window of a new filter is already here. */
  function windowAt(start: number, by: DeviceSort): DeviceWindow | null | Promise<DeviceWindow | null> {
    const query = queryAt(start, by)
    if (primed && primed.key === keyOf(query)) {
      const { window } = primed
      primed = null
      return window
    }
    const asked = filter.value
    return link.devices.window(query).then((outcome) => {
      if (asked !== filter.value) return outcome.ok ? outcome.value : null
      if (outcome.ok) learn(outcome.value)
      else failure.value = outcome.failure
      return outcome.ok ? outcome.value : null
    })
  }
  async function readFacets(): Promise<void> {
    const asked = filter.value
    const outcome = await link.devices.facets({ filter: asked })
    if (outcome.ok && asked === filter.value) facets.value = outcome.value
  }
  /** Fetches the first window before the table forgets its rows: typing replaces rows, it never shows a blank table between. */
  async function startOver(): Promise<void> {
    const query = queryAt(0, sort.value)
    const outcome = await link.devices.window(query)
    if (query.filter !== filter.value) return
    if (outcome.ok) {
      primed = { key: keyOf(query), window: outcome.value }
      learn(outcome.value)
    } else {
      failure.value = outcome.failure
      total.value = null
    }
    startedOver.value += 1
    await readFacets()
  }
  watch(filter, () => void startOver())

  function clearFilter(): void {
    text.value = ''
    statuses.value = []
    productNames.value = []
  }

  function follow(): () => void {
    const reload = paced(() => {
      changed.value += 1
      void readFacets()
    }, RELOAD_EVERY_IN_MS)
    const changes = link.devices.changed(reload.call)
    const organizations = link.organizations.changed(() => void startOver())
    return () => {
      reload.stop()
      changes()
      organizations()
    }
  }

  return {
    text,
    statuses,
    productNames,
    sort,
    facets,
    total,
    all,
    asOf,
    failure,
    startedOver,
    changed,
    filter,
    filtered,
    windowAt,
    readFacets,
    startOver,
    clearFilter,
    follow,
  }
})
