import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import type { GoldenProfile } from '../../electron/contract/api/golden-profiles.ts'
import type { Setting, SettingChange, SettingSummary } from '../../electron/contract/api/settings.ts'
import { api } from '../api.ts'
import { useSettingNames } from '../settings/setting-names-store.ts'
import { changeOf, problemOf, type Editable, type SettingValue } from '../settings/setting-edit.ts'

/** One setting of the form. `lock` null: as on each device. */
export interface DraftRow {
  readonly setting: Editable
  readonly chosen: boolean
  readonly typed: SettingValue
  readonly lock: boolean | null
}
export interface GoldenDraft {
  /** null: a new one. */
  readonly id: string | null
  readonly name: string
  readonly productId: number
  readonly product: string
  /** The variant it may be limited to; null: unknown. */
  readonly variant: string | null
  readonly onlyVariant: boolean
  /** The device of its initial settings; null: no single device. */
  readonly from: string | null
}

/**
 * The golden profile in the form; App.vue shows its dialog while there is one. The form sends nothing to a
 * device.
 */
export const useGoldenDraft = defineStore('golden-draft', () => {
  const draft = shallowRef<GoldenDraft | null>(null)
  const names = useSettingNames()
  const unordered = shallowRef<readonly DraftRow[]>([])
  const rows = computed<readonly DraftRow[]>(() => {
    const byName = new Map(unordered.value.map((row) => [row.setting.name, row]))
    return names
      .inOrder(
        unordered.value.map(({ setting }) => setting),
        draft.value ? [draft.value.productId] : [],
      )
      .flatMap(({ name }) => byName.get(name) ?? [])
  })
  const failure = shallowRef<Failure | null>(null)
  const saving = ref(false)
  /** The golden profile that was saved last. */
  const saved = shallowRef<GoldenProfile | null>(null)
  let round = 0

  function begin(next: GoldenDraft, begins: readonly DraftRow[]): void {
    round += 1
    failure.value = null
    draft.value = next
    unordered.value = begins
    void names.load([next.productId])
  }
  /**
   * Opens the form with the settings of a device. None is selected initially: some belong to a single device,
   * such as its name, its room's capacity or its camera position.
   */
  async function ofDevice(deviceId: string, settings: readonly Setting[]): Promise<boolean> {
    const mine = ++round
    const outcome = await api.devices.get({ id: deviceId })
    if (mine !== round || !outcome.ok || outcome.value.productId === null) return false
    const { productId, variantType: variant, name: from } = outcome.value
    const product = outcome.value.productName ?? String(productId)
    const usable = settings.flatMap((setting): readonly DraftRow[] =>
      setting.value === null || setting.kind === 'unknown'
        ? []
        : [{ setting, chosen: false, typed: setting.value, lock: null }],
    )
    begin({ id: null, name: '', productId, product, variant, onlyVariant: false, from }, usable)
    return true
  }
  /** Opens the form with values that were typed for many devices of one product. */
  async function ofChanges(
    selection: DeviceSelection,
    changes: readonly SettingChange[],
    over: readonly SettingSummary[],
  ): Promise<boolean> {
    const mine = ++round
    const id = selection.kind === 'picked' ? selection.ids[0] : await firstOf(selection.where)
    const outcome = id === undefined ? null : await api.devices.get({ id })
    if (mine !== round || !outcome?.ok || outcome.value.productId === null) return false
    const { productId, productName } = outcome.value
    const product = productName ?? String(productId)
    begin(
      { id: null, name: '', productId, product, variant: null, onlyVariant: false, from: null },
      rowsOf(changes, over),
    )
    return true
  }
  async function firstOf(where: string): Promise<string | undefined> {
    const outcome = await api.devices.slice({ where, sort: [], start: 0, count: 1 })
    return outcome.ok ? outcome.value.rows[0]?.id : undefined
  }
  /** Opens the form for an existing one: its settings, and every other setting that its devices have. */
  async function change({
    id,
    name,
    productId,
    productName,
    variantType,
    settings,
  }: GoldenProfile): Promise<void> {
    const product = productName ?? String(productId)
    begin(
      { id, name, productId, product, variant: variantType, onlyVariant: variantType !== null, from: null },
      rowsOf(settings, []),
    )
    const mine = round
    const outcome = await api.devices.settingsSummary({
      selection: { kind: 'matching', where: `pid:${productId}`, except: [] },
    })
    if (mine !== round || !outcome.ok) return
    const over = new Map(outcome.value.settings.map((one) => [one.name, one]))
    // Text typed meanwhile remains.
    const known = rows.value.map((row) => ({ ...row, setting: over.get(row.setting.name) ?? row.setting }))
    const others = outcome.value.settings.filter(
      (one) => one.kind !== 'unknown' && !known.some(({ setting }) => setting.name === one.name),
    )
    const more = others.map((setting): DraftRow => ({
      setting,
      chosen: false,
      typed: setting.values[0] ?? (setting.kind === 'on-off' ? false : ''),
      lock: null,
    }))
    unordered.value = [...known, ...more]
  }
  function alter(by: Partial<Pick<GoldenDraft, 'name' | 'onlyVariant'>>): void {
    failure.value = null
    if (draft.value !== null) draft.value = { ...draft.value, ...by }
  }
  function alterRow(name: string, by: Partial<Omit<DraftRow, 'setting'>>): void {
    failure.value = null
    unordered.value = rows.value.map((row) => (row.setting.name === name ? { ...row, ...by } : row))
  }
  const chooseAll = (on: boolean): void => {
    unordered.value = rows.value.map((row) => ({ ...row, chosen: on }))
  }
  const chosen = computed(() => rows.value.filter((row) => row.chosen))
  const wrong = computed(
    () => chosen.value.filter(({ setting, typed }) => problemOf(setting, typed) !== null).length,
  )

  async function save(): Promise<GoldenProfile | null> {
    const now = draft.value
    if (now === null || saving.value) return null
    const mine = round
    saving.value = true
    const settings = chosen.value.map(({ setting, typed, lock }) => ({
      ...changeOf(setting, { typed, opensLock: false }),
      ...(lock === null ? {} : { locked: lock }),
    }))
    const { id, name, productId, variant, onlyVariant } = now
    const outcome = await api.goldenProfiles.save({
      id,
      name,
      productId,
      variantType: onlyVariant ? variant : null,
      settings,
    })
    saving.value = false
    if (mine === round) {
      if (outcome.ok) close()
      else failure.value = outcome.failure
    }
    if (outcome.ok) saved.value = outcome.value
    return outcome.ok ? outcome.value : null
  }
  function close(): void {
    round += 1
    draft.value = failure.value = null
    unordered.value = []
  }
  return {
    draft,
    rows,
    failure,
    saving,
    saved,
    chosen,
    wrong,
    ofDevice,
    ofChanges,
    change,
    alter,
    alterRow,
    chooseAll,
    save,
    close,
  }
})

/** If no device shows the kind of a setting, the kind follows from the value. */
function rowsOf(changes: readonly SettingChange[], over: readonly SettingSummary[]): readonly DraftRow[] {
  return changes.map(({ name, value, locked }) => {
    const kind = typeof value === 'boolean' ? 'on-off' : typeof value === 'number' ? 'number' : 'choice'
    const setting =
      over.find((one) => one.name === name) ?? ({ name, kind, feature: null } satisfies Editable)
    return {
      setting,
      chosen: true,
      typed: typeof value === 'number' ? String(value) : value,
      lock: locked ?? null,
    }
  })
}
