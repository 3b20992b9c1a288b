import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Device, DeviceSelection } from '../../electron/contract/api/devices.ts'
import { done, failed, type Outcome } from '../../electron/contract/failure.ts'
import type { GoldenProfile } from '../../electron/contract/api/golden-profiles.ts'
import type {
  Setting,
  SettingChange,
  SettingSummary,
  SettingsSummary,
} from '../../electron/contract/api/settings.ts'
import { api } from '../api.ts'
import { latestResult, resultOf } from '../components/latest-result.ts'
import { useSettingNames } from '../settings/setting-names-store.ts'
import { changeOf, problemOf, type Editable, type SettingValue } from '../settings/setting-edit.ts'

/** One setting of the form. `lock` null: as on each device. */
export interface DraftRow {
  readonly setting: Editable
  readonly chosen: boolean
  readonly typed: SettingValue
  readonly lock: boolean | null
}
type RowEdit = Partial<Omit<DraftRow, 'setting'>>
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
  const begun = shallowRef<readonly DraftRow[]>([])
  /** What was typed since, by setting. */
  const edits = shallowRef<ReadonlyMap<string, RowEdit>>(new Map())
  /** The settings that the devices of an existing golden profile have. */
  const existing = resultOf<SettingsSummary>(() => draft.value?.id ?? null)
  const rows = computed<readonly DraftRow[]>(() => {
    const all = withOthers(begun.value, existing.answer.value.value?.settings ?? [])
    const byName = new Map(
      all.map((row) => [row.setting.name, { ...row, ...edits.value.get(row.setting.name) }]),
    )
    return names
      .inOrder(
        all.map(({ setting }) => setting),
        draft.value ? [draft.value.productId] : [],
      )
      .flatMap(({ name }) => byName.get(name) ?? [])
  })
  /** The device of which a form is being opened. */
  const opening = latestResult<Device>()
  const saved = latestResult<GoldenProfile>()

  function begin(next: GoldenDraft, begins: readonly DraftRow[]): void {
    close()
    draft.value = next
    begun.value = begins
    void names.load([next.productId])
  }
  /** The product of a device, whose form is opened; null: unknown, or another form was requested meanwhile. */
  async function productOf(question: Promise<Outcome<Device>>) {
    const isLatest = await opening.take(question)
    const outcome = await question
    if (!isLatest || !outcome.ok || outcome.value.productId === null) return null
    const { productId, productName, variantType, name } = outcome.value
    return { productId, product: productName ?? String(productId), variantType, name }
  }
  /**
   * Opens the form with the settings of a device. None is selected initially: some belong to a single device,
   * such as its name, its room's capacity or its camera position.
   */
  async function ofDevice(deviceId: string, settings: readonly Setting[]): Promise<boolean> {
    const of = await productOf(api.devices.get({ id: deviceId }))
    if (of === null) return false
    const { productId, product, variantType: variant, name: from } = of
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
    const of = await productOf(firstOf(selection))
    if (of === null) return false
    const { productId, product } = of
    begin(
      { id: null, name: '', productId, product, variant: null, onlyVariant: false, from: null },
      rowsOf(changes, over),
    )
    return true
  }
  async function firstOf(selection: DeviceSelection): Promise<Outcome<Device>> {
    const found =
      selection.kind === 'picked'
        ? done({ rows: selection.ids.map((id) => ({ id })) })
        : await api.devices.slice({ where: selection.where, sort: [], start: 0, count: 1 })
    if (!found.ok) return found
    const [first] = found.value.rows
    return first
      ? api.devices.get({ id: first.id })
      : failed({ kind: 'not-found', call: null, what: 'device' })
  }
  /** Opens the form for an existing one: its settings, and every other setting that its devices have. */
  async function change(profile: GoldenProfile): Promise<void> {
    const { id, name, productId, productName, variantType, settings } = profile
    const product = productName ?? String(productId)
    begin(
      { id, name, productId, product, variant: variantType, onlyVariant: variantType !== null, from: null },
      rowsOf(settings, []),
    )
    const selection = { kind: 'matching', where: `pid:${productId}`, except: [] } as const
    await existing.take(id, api.devices.settingsSummary({ selection }))
  }
  function alter(by: Partial<Pick<GoldenDraft, 'name' | 'onlyVariant'>>): void {
    saved.failure.value = null
    if (draft.value !== null) draft.value = { ...draft.value, ...by }
  }
  function alterRow(name: string, by: RowEdit): void {
    saved.failure.value = null
    edits.value = new Map([...edits.value, [name, { ...edits.value.get(name), ...by }]])
  }
  const chooseAll = (on: boolean): void =>
    rows.value.forEach(({ setting }) => alterRow(setting.name, { chosen: on }))
  const chosen = computed(() => rows.value.filter((row) => row.chosen))
  const wrong = computed(
    () => chosen.value.filter(({ setting, typed }) => problemOf(setting, typed) !== null).length,
  )

  async function save(): Promise<GoldenProfile | null> {
    const now = draft.value
    if (now === null || saved.busy.value) return null
    const settings = chosen.value.map(({ setting, typed, lock }) => ({
      ...changeOf(setting, { typed, opensLock: false }),
      ...(lock === null ? {} : { locked: lock }),
    }))
    const { id, name, productId, variant, onlyVariant } = now
    const variantType = onlyVariant ? variant : null
    const request = api.goldenProfiles.save({ id, name, productId, variantType, settings })
    const isLatest = await saved.take(request)
    const outcome = await request
    if (isLatest && outcome.ok) close()
    return outcome.ok ? outcome.value : null
  }
  function close(): void {
    draft.value = null
    begun.value = []
    edits.value = new Map()
    for (const one of [existing, opening, saved]) one.clear()
  }
  return {
    draft,
    rows,
    failure: saved.failure,
    saving: saved.busy,
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

/** The rows, with each setting as devices have it, and a row for every other setting of the devices. */
function withOthers(rows: readonly DraftRow[], over: readonly SettingSummary[]): readonly DraftRow[] {
  const byName = new Map(over.map((one) => [one.name, one]))
  const known = new Set(rows.map(({ setting }) => setting.name))
  return [
    ...rows.map((row) => ({ ...row, setting: byName.get(row.setting.name) ?? row.setting })),
    ...over
      .filter(({ kind, name }) => kind !== 'unknown' && !known.has(name))
      .map((setting): DraftRow => ({
        setting,
        chosen: false,
        typed: setting.values[0] ?? (setting.kind === 'on-off' ? false : ''),
        lock: null,
      })),
  ]
}

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
