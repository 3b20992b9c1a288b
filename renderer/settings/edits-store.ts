import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { Setting } from '../../electron/contract/api/settings.ts'
import { isAsItIs, originalValue, type SettingEdit, type SettingValue } from './setting-edit.ts'

type Edits = ReadonlyMap<string, SettingEdit>
const none: Edits = new Map()

/**
 * Edits of settings by device, stored for this run: they remain when the drawer is closed and are never sent
 * automatically.
 */
export const useSettingEdits = defineStore('setting-edits', () => {
  const byDevice = shallowRef<ReadonlyMap<string, Edits>>(new Map())

  const editsOf = (deviceId: string): Edits => byDevice.value.get(deviceId) ?? none
  function put(deviceId: string, edits: Edits): void {
    const next = new Map(byDevice.value)
    if (edits.size === 0) next.delete(deviceId)
    else next.set(deviceId, edits)
    byDevice.value = next
  }
  function set(deviceId: string, setting: Setting, wanted: Pick<SettingEdit, 'typed' | 'opensLock'>): void {
    const edits = new Map(editsOf(deviceId))
    if (isAsItIs(setting, wanted)) edits.delete(setting.name)
    else {
      const { was, original } = edits.get(setting.name) ?? {
        was: setting.value,
        original: originalValue(setting),
      }
      edits.set(setting.name, { ...wanted, was, original })
    }
    put(deviceId, edits)
  }
  function type(deviceId: string, setting: Setting, typed: SettingValue): void {
    set(deviceId, setting, { typed, opensLock: editsOf(deviceId).get(setting.name)?.opensLock ?? false })
  }
  function openLock(deviceId: string, setting: Setting, opensLock: boolean): void {
    const edit = editsOf(deviceId).get(setting.name)
    // Opening a lock requires a value, and a hidden one is unknown here.
    if (setting.value === null || (edit === undefined && setting.hidden !== undefined)) return
    set(deviceId, setting, { typed: edit?.typed ?? setting.value, opensLock })
  }
  function revert(deviceId: string, names: readonly string[]): void {
    put(deviceId, new Map([...editsOf(deviceId)].filter(([name]) => !names.includes(name))))
  }
  const revertAll = (deviceId: string): void => put(deviceId, none)

  return { editsOf, type, openLock, revert, revertAll }
})
