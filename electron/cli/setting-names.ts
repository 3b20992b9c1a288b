import {
  groupFrom,
  inSettingOrder,
  labelFrom,
  namedAtOnce,
  settingNamesIn,
  type SettingNames,
} from '../contract/setting-name.ts'
import type { CoreClient } from './core-client.ts'
import type { Terminal } from './command.ts'

/** Names and groups of settings, as cached and as the window shows them. Sends no request. */
export const loadSettingNames = async (
  core: CoreClient,
  productIds: readonly number[] = [],
): Promise<SettingNames> => settingNamesIn(await core.handlers.definitions.settingNames({ productIds }))

/** The same; documents of these products that are not cached are fetched, which is reported. */
export async function loadSettingNamesOf(
  core: CoreClient,
  productIds: readonly number[],
  { say }: Pick<Terminal, 'say'>,
): Promise<SettingNames> {
  const cached = await loadSettingNames(core)
  const ungrouped = productIds.filter((id) => !cached.groups.has(id)).slice(0, namedAtOnce)
  if (ungrouped.length === 0) return cached
  say('Reading the names and groups of settings.')
  return loadSettingNames(core, ungrouped)
}

export type Titled<T> = T & { readonly label: string; readonly group: string | null }

/** Settings in their usual order, each with its label and group next to its name. */
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
