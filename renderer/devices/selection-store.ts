import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { namedAtMost } from '../../electron/contract/device.ts'
import type { DeviceRow, DeviceSelection } from '../../electron/contract/api/devices.ts'
import { deviceVocabulary } from '../../electron/contract/filter/filter-words.ts'
import {
  headOf,
  isChosen,
  isNothing,
  isWithin,
  nothing,
  toContract,
  withRows,
  type Chosen,
} from '../filter/selection.ts'
import { api } from '../api.ts'
import { latestAnswer } from '../parts/latest-answer.ts'
import { byName, useDevicesStore } from './devices-store.ts'

/** What is remembered of a row that was picked: enough to copy its serial and to say which tags it has. */
export type Picked = Pick<DeviceRow, 'id' | 'serialNumber' | 'tags'>
const remembered = ({ id, serialNumber, tags }: Picked): Picked => ({ id, serialNumber, tags })

/** More serials than this are exported, not copied (chosen). */
export const copiedAtMost = 1_000

/** Why the last wish could not be met; said in the bar. */
export type Refusal = 'too-many' | 'not-among' | 'not-read'

/** The devices that are chosen, and how many the core counts them to be now. */
export const useSelection = defineStore('device-selection', () => {
  const devices = useDevicesStore()
  const chosen = shallowRef<Chosen<Picked>>(nothing)
  const refusal = ref<Refusal | null>(null)
  /** The filter of the list in which it was last changed. */
  const madeIn = ref('')
  const counted = latestAnswer<{ readonly count: number }>()
  let anchor: { readonly index: number; readonly wanted: boolean } | null = null

  const some = computed(() => !isNothing(chosen.value))
  /** Whether the list on screen lies within a selection by filter: then its boxes are known. */
  const within = computed(
    () => chosen.value.kind === 'picked' || isWithin(devices.asked, chosen.value.where, deviceVocabulary),
  )
  const head = computed(() => headOf(chosen.value, devices.asked, deviceVocabulary))
  /**
   * What may be acted on: a selection in the list it was last changed in. One left over from another list is shown and can be gone back
   * to, but nothing is done with it: it looks like a new one.
   */
  const actionable = computed(() =>
    some.value && devices.asked === madeIn.value ? toContract(chosen.value) : null,
  )
  /** Null while the first count is under way. Rows picked one by one are counted here at once. */
  const count = computed(
    () => counted.value.value?.count ?? (chosen.value.kind === 'picked' ? chosen.value.rows.size : null),
  )

  function recount(): void {
    if (some.value) void counted.take(api.devices.selected({ selection: toContract(chosen.value) }))
    else counted.clear()
  }
  function choose(next: Chosen<Picked>): void {
    // Another kind of selection, or rows picked: the last count says nothing of it.
    if (next.kind === 'picked' || next.kind !== chosen.value.kind) counted.clear()
    chosen.value = next
    madeIn.value = devices.asked
    refusal.value = null
    recount()
  }
  watch(() => devices.changed, recount)

  const chosenAt = (id: string): boolean | null => isChosen(chosen.value, id, within.value)
  function put(rows: readonly Picked[], wanted: boolean): void {
    const next = withRows(chosen.value, rows.map(remembered), wanted)
    if (next) choose(next)
    else refusal.value = 'too-many'
  }
  /** Chooses a row or lets it go. Under another filter the core is asked first whether it is among those chosen. */
  async function toggle(row: Picked, index: number): Promise<void> {
    const now = chosenAt(row.id)
    anchor = { index, wanted: now === false }
    if (now === null && chosen.value.kind === 'matching') {
      const meant = chosen.value
      const outcome = await api.devices.position({ where: meant.where, sort: byName, id: row.id })
      if (chosen.value !== meant) return
      if (!outcome.ok || outcome.value.index === null) {
        refusal.value = outcome.ok ? 'not-among' : 'not-read'
        return
      }
    }
    put([row], now === false)
  }
  /** From the row last chosen or let go to this one, in the list on screen. */
  async function extendTo(row: Picked, index: number): Promise<void> {
    if (anchor === null || !within.value) return toggle(row, index)
    const { wanted } = anchor
    const [from, to] = [Math.min(anchor.index, index), Math.max(anchor.index, index)]
    if (to - from >= namedAtMost) {
      refusal.value = 'too-many'
      return
    }
    const meant = chosen.value
    const rows: DeviceRow[] = []
    for await (const some of devices.rowsBetween(devices.asked, devices.sort, from, to)) {
      if (some === null) {
        refusal.value = 'not-read'
        return
      }
      rows.push(...some)
    }
    if (chosen.value === meant) put(rows, wanted)
  }
  /** Everything that matches what is on screen. A filter with a problem means nothing to act on. */
  function chooseAll(): void {
    if (devices.problems.length === 0) choose({ kind: 'matching', where: devices.asked, except: new Set() })
  }
  /** A selection made elsewhere, such as by pasting a list, for the list of `where`. Of rows picked there nothing but their ids is known. */
  function take(meant: DeviceSelection, where: string): void {
    anchor = null
    choose(
      meant.kind === 'matching'
        ? { kind: 'matching', where: meant.where, except: new Set(meant.except) }
        : {
            kind: 'picked',
            rows: new Map(meant.ids.map((id) => [id, { id, serialNumber: null, tags: [] }])),
          },
    )
    madeIn.value = where.trim()
  }
  function clear(): void {
    anchor = null
    choose(nothing)
  }
  function toggleAll(): void {
    if (head.value === 'all') clear()
    else chooseAll()
  }
  /** Rows that were read again: what is remembered of picked ones follows. */
  function remember(rows: readonly Picked[]): void {
    const { value } = chosen
    if (value.kind !== 'picked') return
    const known = rows.filter((row) => value.rows.has(row.id))
    if (known.length > 0) chosen.value = withRows(value, known.map(remembered), true) ?? value
  }

  /** Serials of what is chosen, those without one left out; null: it could not be read, or there are too many. */
  async function serials(): Promise<readonly string[] | null> {
    const { value } = chosen
    const known = (row: Picked): readonly string[] => (row.serialNumber === null ? [] : [row.serialNumber])
    if (value.kind === 'picked')
      return value.rows.size > copiedAtMost ? null : [...value.rows.values()].flatMap(known)
    const found: string[] = []
    for await (const rows of devices.rowsBetween(
      value.where,
      devices.sort,
      0,
      copiedAtMost + value.except.size - 1,
    )) {
      if (rows === null) return null
      found.push(...rows.filter((row) => !value.except.has(row.id)).flatMap(known))
    }
    return found.slice(0, copiedAtMost)
  }
  /** Shows what is chosen and nothing else. Rows picked one by one become a list of that name, replaced each time. */
  async function showOnly(listName: string): Promise<void> {
    const { value } = chosen
    if (value.kind === 'matching') {
      devices.where = madeIn.value = value.where
      return
    }
    const outcome = await api.lists.paste({
      text: [...value.rows.keys()].join('\n'),
      keep: true,
      name: listName,
    })
    if (outcome.ok && outcome.value.name !== null)
      devices.where = madeIn.value = `list:="${outcome.value.name}"`
    else refusal.value = 'not-read'
  }

  /** Ids belong to one organization. */
  const follow = (): (() => void) => api.organizations.changed(clear)

  return {
    chosen,
    some,
    actionable,
    within,
    head,
    count,
    refusal,
    chosenAt,
    toggle,
    extendTo,
    chooseAll,
    toggleAll,
    take,
    clear,
    remember,
    serials,
    showOnly,
    follow,
  }
})
