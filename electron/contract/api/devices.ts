import { z } from 'zod'
import { byId, count, deviceSort, id, selection, start, suggestion, where } from '../argument-parts.ts'
import type { Change } from '../change.ts'
import type { Device, DeviceFacets, DeviceWindow, WordCount } from '../device.ts'
import { event, method } from '../method.ts'
import type { DeviceSettings, SettingsOver } from '../setting.ts'

export const devices = {
  window: method(z.strictObject({ where, sort: deviceSort, start, count })).returns<DeviceWindow>(),
  facets: method(z.strictObject({ where })).returns<DeviceFacets>(),
  /** Where a device stands in a list, so that a list keeps its place; null: it does not match. */
  position: method(z.strictObject({ where, sort: deviceSort, id })).returns<{
    readonly index: number | null
    readonly total: number
  }>(),
  /** What stands in a field and begins with or holds `typed`, most first, at most 20. `key` is of `deviceVocabulary`. */
  suggest: method(suggestion).returns<readonly WordCount[]>(),
  /** How many devices a selection means now. */
  selected: method(z.strictObject({ selection })).returns<{ readonly count: number }>(),
  get: method(byId).returns<Device>(),
  history: method(byId).returns<readonly Change[]>(),
  /** `refresh` false: what was read before, with its age, where there is such. */
  settings: method(z.strictObject({ id, refresh: z.boolean() })).returns<DeviceSettings>(),
  /** Which settings these devices have, from what was read before: asks no device. */
  settingsOver: method(z.strictObject({ selection })).returns<SettingsOver>(),
  changed: event<{ readonly count: number }>(),
}
