import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { inSettingOrder, labelFrom, type DisplayNames } from '../../electron/contract/setting-name.ts'
import { api } from '../api.ts'

/** How settings are called wherever they are shown, and their order: by the name map of the current organization, else by the name in words. */
export const useSettingNames = defineStore('setting-names', () => {
  const names = shallowRef<DisplayNames>(new Map())
  let round = 0

  /** Whoever shows settings reads it: the name map may have come since. */
  async function read(): Promise<void> {
    const mine = ++round
    const outcome = await api.definitions.settingNames()
    if (mine === round && outcome.ok) names.value = new Map(outcome.value)
  }
  const labelOf = (name: string): string => labelFrom(names.value, name)
  /** For text that leaves the window. */
  const labelWithName = (name: string): string =>
    labelOf(name) === name ? name : `${labelOf(name)} (${name})`
  const inOrder = <T extends { readonly name: string }>(settings: readonly T[]): readonly T[] =>
    settings.toSorted(inSettingOrder(names.value))

  return { names, read, labelOf, labelWithName, inOrder }
})
