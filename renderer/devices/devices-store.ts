import { defineStore } from 'pinia'
import { computed, reactive, shallowRef } from 'vue'
import type {
  DeviceFacets,
  DeviceRow,
  DeviceSort,
  DeviceSlice,
  WordCount,
} from '../../electron/contract/api/devices.ts'
import { done } from '../../electron/contract/failure.ts'
import { deviceFields, deviceGroupColumns, deviceSortColumns } from '../../electron/contract/fields/device.ts'
import { tokenOf } from '../../electron/contract/fields/field.ts'
import type { FilterProblem } from '../../electron/contract/filter/filter.ts'
import { deviceVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { resultOf } from '../components/latest-result.ts'
import { useListSort } from '../lists/list-layout-store.ts'
import { useGroups } from '../lists/use-groups.ts'
import { useFilter } from '../lists/use-filter.ts'
import { useList } from '../lists/use-list.ts'

/**
 * Rows per request: two screens. With more, filters react more slowly, because every typed letter waits until
 * the rows are read, sent and drawn.
 */
const COUNT = 50
/** Rows requested before they scroll into view. */
const AHEAD = 2 * COUNT
/** The maximum text length of a suggestion query (contract). */
const WORD = 200

const byTitle: DeviceSort = [{ column: 'userOrRoom', descending: false }]

/** The filter, its counts, and a few slices of matching rows, in and around the visible area. */
export const useDevicesStore = defineStore('devices', () => {
  const filter = useFilter(deviceVocabulary)
  const sort = useListSort('devices', deviceSortColumns, byTitle)
  const facets = resultOf<DeviceFacets>(() => filter.applied.value)
  /** The error in the filter box, which emits only valid filters. */
  const typed = shallowRef<readonly FilterProblem[]>([])
  const groups = useGroups({
    name: 'devices',
    columns: deviceGroupColumns,
    tokenOf: (by) => tokenOf(deviceFields, by),
    vocabulary: deviceVocabulary,
    applied: filter.applied,
    fetch: async (query) => {
      const answer = await api.devices.groups(query)
      return answer.ok ? done(answer.value.groups) : answer
    },
  })
  const list = useList({
    question: () => ({ where: filter.applied.value, sort: sort.value }),
    count: COUNT,
    ahead: AHEAD,
    fetch: (question, { start, count }) => api.devices.slice({ ...question, start, count }),
    rowsOf: (slice: DeviceSlice): readonly DeviceRow[] => slice.rows,
    idOf: (device) => device.id,
    beside: groups.load,
    replacedBy: [organizationSwitched],
  })

  async function fetchFacets(): Promise<void> {
    const wanted = filter.applied.value
    await facets.take(wanted, api.devices.facets({ where: wanted }))
  }
  async function suggest(key: string, begun: string): Promise<readonly WordCount[]> {
    const outcome = await api.devices.suggest({ key, typed: begun.slice(0, WORD) })
    return outcome.ok ? outcome.value : []
  }
  /** The position of a device in the list; null: it does not match, or the position is unknown. */
  async function positionOf(id: string): Promise<number | null> {
    const outcome = await api.devices.position({ where: filter.applied.value, sort: sort.value, id })
    return outcome.ok ? outcome.value.index : null
  }
  return {
    ...filter,
    ...list,
    sort,
    groups: reactive(groups),
    facets: computed(() => facets.last.value?.value ?? null),
    typed,
    problems: computed(() => (typed.value.length > 0 ? typed.value : filter.problems.value)),
    fetchFacets,
    suggest,
    positionOf,
    follow: () => list.follow([api.devices.changed, api.tags.changed]),
  }
})
