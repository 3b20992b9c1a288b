import {
  groupFrom,
  inSettingOrder,
  labelFrom,
  settingNamesIn,
  type SettingNames,
} from '../contract/setting-name.ts'
import type { Core } from '../core/app.ts'

/** What settings are called, and their groups: as the window has them. Nothing is asked of a service. */
export const readSettingNames = async (core: Core): Promise<SettingNames> =>
  settingNamesIn(await core.handlers.definitions.settingNames({ productIds: [] }))

export type Titled<T> = T & { readonly label: string; readonly group: string | null }

/** Settings in the order they have everywhere, each with its label and group beside its name. */
export const titled = <T extends { readonly name: string }>(
  names: SettingNames,
  settings: readonly T[],
  productIds?: readonly number[],
): readonly Titled<T>[] =>
  inSettingOrder(names, settings, productIds).map((one) => ({
    ...one,
    label: labelFrom(names.labels, one.name),
    group: groupFrom(names, one.name, productIds),
  }))
