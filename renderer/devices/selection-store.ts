import { defineStore } from 'pinia'
import type { DeviceRow, DeviceSelection } from '../../electron/contract/api/devices.ts'
import { deviceVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { withRows } from '../filter/selection.ts'
import { rowsBetween, useSelectionOf } from '../filter/use-selection.ts'
import { useDevicesStore } from './devices-store.ts'

/** The cached data of a picked row: enough to copy its serial and to show its tags. */
export type Picked = Pick<DeviceRow, 'id' | 'serialNumber' | 'tags'>
const remembered = ({ id, serialNumber, tags }: Picked): Picked => ({ id, serialNumber, tags })

/** More serials than this are exported, not copied. Raise it if people paste longer lists. */
export const copiedAtMost = 1_000

/** The selected devices, and their current count from the core. */
export const useSelection = defineStore('device-selection', () => {
  const devices = useDevicesStore()
  const sliceOf = (where: string) => {
    const { sort } = devices
    return (start: number, count: number) => api.devices.slice({ where, sort, start, count })
  }
  const selection = useSelectionOf<Picked>({
    vocabulary: deviceVocabulary,
    list: devices,
    remembered,
    position: (where, id) => api.devices.position({ where, sort: devices.sort, id }),
    slice: sliceOf,
    countOf: (chosen) => api.devices.selected({ selection: chosen }),
  })
  const { chosen, madeIn, refuse, ask } = selection

  /**
   * Applies a selection that was made elsewhere, such as by pasting a list, to the list of `where`. Only the
   * ids of its rows are known.
   */
  function take(taken: DeviceSelection, where: string): void {
    selection.take(
      taken.kind === 'matching'
        ? { kind: 'matching', where: taken.where, except: new Set(taken.except) }
        : {
            kind: 'picked',
            rows: new Map(taken.ids.map((id) => [id, { id, serialNumber: null, tags: [] }])),
          },
      where,
    )
  }
  /** Updates the cached data of picked rows from rows that were read again. */
  function remember(rows: readonly Picked[]): void {
    const { value } = chosen
    if (value.kind !== 'picked') return
    const known = rows.filter((row) => value.rows.has(row.id))
    if (known.length > 0) chosen.value = withRows(value, known.map(remembered), true) ?? value
  }

  /** Serials of the selection, without missing ones; null: it could not be read, or there are too many. */
  async function serials(): Promise<readonly string[] | null> {
    const { value } = chosen
    const known = (row: Picked): readonly string[] => (row.serialNumber === null ? [] : [row.serialNumber])
    if (value.kind === 'picked')
      return value.rows.size > copiedAtMost ? null : [...value.rows.values()].flatMap(known)
    const found = await rowsBetween(sliceOf(value.where), 0, copiedAtMost + value.except.size - 1)
    if (!found.ok) return null
    return found.value
      .filter((row) => !value.except.has(row.id))
      .flatMap(known)
      .slice(0, copiedAtMost)
  }
  const show = (where: string): void => {
    devices.where = madeIn.value = where
  }
  /** Shows only the selection. Rows picked one by one become a list of that name, replaced each time. */
  async function showOnly(listName: string): Promise<void> {
    const { value } = chosen
    if (value.kind === 'matching') return show(value.where)
    const text = [...value.rows.keys()].join('\n')
    const request = api.lists.paste({ text, keep: true, name: listName })
    if (!(await ask(request))) return
    const outcome = await request
    if (outcome.ok && outcome.value.name !== null) show(`list:="${outcome.value.name}"`)
    else refuse('not-read')
  }

  /** Ids of one organization have no meaning in another. */
  organizationSwitched(selection.clear)
  return { ...selection, take, remember, serials, showOnly }
})
