import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import type { SettingChange, SettingSummary, SettingsSummary } from '../../electron/contract/api/settings.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { changeOf, problemOf, type SettingValue } from './setting-edit.ts'

/** One field of a bulk edit: unchanged on each device unless it is replaced. */
export interface BulkField {
  readonly setting: SettingSummary
  readonly typed: SettingValue
}

/** Up to this many unknown products, one device of each is read automatically, with one call each. */
const READ_UNASKED = 3

/** Settings of many devices: which there are, and the replacements. This store sends nothing. */
export const useBulkSettings = defineStore('bulk-settings', () => {
  const selection = shallowRef<DeviceSelection | null>(null)
  const summary = latestResult<SettingsSummary>()
  const { value: over } = summary
  const deviceRead = latestResult<unknown>()
  const failure = computed(() => deviceRead.failure.value ?? summary.failure.value)
  /** The product of which a device of this selection is being read. */
  const reading = computed(() => (deviceRead.busy.value ? readProduct.value : null))
  const readProduct = ref('')
  /** Whether the preview is open; the filled-in values remain for "Back". */
  const previewed = ref(false)
  const fields = shallowRef<ReadonlyMap<string, BulkField>>(new Map())

  async function look(): Promise<boolean> {
    return (
      selection.value !== null && summary.take(api.devices.settingsSummary({ selection: selection.value }))
    )
  }
  function open(wanted: DeviceSelection): void {
    close()
    selection.value = wanted
    void begun()
  }
  async function begun(): Promise<void> {
    if (!(await look())) return
    const nothingKnown = over.value?.products.every(({ read }) => read === 0) ?? false
    if (nothingKnown && readable.value.length <= READ_UNASKED) await fetchEach(readable.value)
  }
  function close(): void {
    selection.value = null
    summary.clear()
    deviceRead.clear()
    fields.value = new Map()
    previewed.value = false
  }
  /** Reads one device of an unknown product on demand, with one call. */
  async function fetchOne(product: string, id: string): Promise<void> {
    if (deviceRead.busy.value) return
    readProduct.value = product
    deviceRead.failure.value = null
    // The dialog may show another selection by then.
    if (!(await deviceRead.take(api.devices.settings({ id, refresh: true })))) return
    if (deviceRead.failure.value === null) await look()
  }
  /** The same for each product, one after the other, until the first failure. */
  async function fetchEach(
    wanted: readonly { readonly product: string; readonly id: string }[],
  ): Promise<void> {
    const of = selection.value
    for (const { product, id } of wanted) {
      await fetchOne(product, id)
      if (failure.value !== null || selection.value !== of) return
    }
  }
  /** The initial replacement: an observed value, else an allowed one. */
  function begin(setting: SettingSummary): SettingValue {
    const [seen] = setting.values
    // If all have one value, the other is probably wanted.
    if (setting.kind === 'on-off') return setting.values.length === 1 ? seen !== true : true
    const allowed = setting.feature?.supported ?? []
    if (setting.kind === 'choice')
      return allowed.find((value) => value === seen) ?? allowed[0] ?? String(seen ?? '')
    return setting.kind === 'number' ? String(seen ?? setting.feature?.minimum ?? '') : String(seen ?? '')
  }
  function replace(setting: SettingSummary, on: boolean): void {
    const next = new Map(fields.value)
    if (on) next.set(setting.name, { setting, typed: begin(setting) })
    else next.delete(setting.name)
    fields.value = next
  }
  function type(setting: SettingSummary, typed: SettingValue): void {
    fields.value = new Map([...fields.value, [setting.name, { setting, typed }]])
  }
  /** Unknown products, each with a device that can be read. */
  const readable = computed(() =>
    (over.value?.products ?? []).flatMap(({ product, read, unreadId }) =>
      read > 0 || unreadId === null ? [] : [{ product, id: unreadId }],
    ),
  )
  const wrong = computed(
    () =>
      [...fields.value.values()].filter(({ setting, typed }) => problemOf(setting, typed) !== null).length,
  )
  const changes = computed<readonly SettingChange[]>(() =>
    [...fields.value.values()].map(({ setting, typed }) => changeOf(setting, { typed, opensLock: false })),
  )

  return {
    selection,
    over,
    failure,
    reading,
    previewed,
    fields,
    readable,
    wrong,
    changes,
    open,
    close,
    fetchOne,
    fetchEach,
    replace,
    type,
    look,
  }
})
