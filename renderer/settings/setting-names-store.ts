import { defineStore } from 'pinia'
import { computed } from 'vue'
import {
  groupFrom,
  inSettingOrder,
  labelFrom,
  namedAtOnce,
  noSettingNames,
  settingNamesIn,
  type SettingNames,
} from '../../electron/contract/setting-name.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** Settings under one heading. `name` null: no document gives them a group. */
export interface SettingGroup<T> {
  readonly name: string | null
  readonly settings: readonly T[]
}

/**
 * The labels of settings everywhere, their groups and their order: from the documents of the organization's
 * products and the name map, else the name in plain words. `productIds`: the products whose groups are used;
 * missing: those of any product.
 */
export const useSettingNames = defineStore('setting-names', () => {
  const found = latestResult<SettingNames>()
  const names = computed(() => found.value.value ?? noSettingNames)

  /**
   * Loaded by every page with settings, because documents may be new. `productIds`: the products whose
   * documents are read if they are not cached.
   */
  async function load(productIds: readonly number[] = []): Promise<void> {
    const take = (ids: readonly number[]): Promise<boolean> =>
      found.take(
        api.definitions
          .settingNames({ productIds: ids })
          .then((outcome) => (outcome.ok ? { ok: true, value: settingNamesIn(outcome.value) } : outcome)),
      )
    // A later load goes on instead.
    if (!(await take([]))) return
    const ungrouped = productIds.filter((id) => !names.value.groups.has(id)).slice(0, namedAtOnce)
    // One after the other, so that groups are shown as they arrive and no other call waits for the documents
    // of twenty products.
    for (const id of ungrouped) if (!(await take([id]))) return
  }
  /** Without the type at the end of an API name. */
  const labelOf = (name: string): string => labelFrom(names.value.labels, name).replace(/(?<=\w) enum$/, '')
  /** For text that leaves the window. */
  const labelWithName = (name: string): string =>
    labelOf(name) === name ? name : `${labelOf(name)} (${name})`
  const inOrder = <T extends { readonly name: string }>(
    settings: readonly T[],
    productIds?: readonly number[],
  ): readonly T[] => inSettingOrder(names.value, settings, productIds)
  const inGroups = <T extends { readonly name: string }>(
    settings: readonly T[],
    productIds?: readonly number[],
  ): readonly SettingGroup<T>[] =>
    [
      ...Map.groupBy(inOrder(settings, productIds), ({ name }) => groupFrom(names.value, name, productIds)),
    ].map(([name, grouped]) => ({ name, settings: grouped }))

  return { names, load, labelOf, labelWithName, inOrder, inGroups }
})
