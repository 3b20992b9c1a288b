import type { FeatureSetting } from '../../contract/api/definitions.ts'
import type { DeviceRow, DeviceSelection } from '../../contract/api/devices.ts'
import type { Setting, SettingSummary, SettingsSummary, ValueCounts } from '../../contract/api/settings.ts'
import type { Devices } from '../devices/devices.ts'
import type { Store } from '../storage/store.ts'
import type { RunningTask } from '../tasks.ts'
import { parseSetting, settingEntries } from './settings-json.ts'
import { openSettingsRows, type SettingsRows } from './settings-rows.ts'
import type { Settings } from './settings.ts'

/**
 * Devices of a product whose stored settings are examined: devices of one product have the same names, except
 * for differences in firmware. Raise it if settings are missing.
 */
const lookedAt = 5

/** Read devices whose values are counted (chosen: a fraction of a second). Raise it if counts are missed. */
const countedAtMost = 2_000
const countedAtOnce = 100
const listedAtMost = 5

/**
 * The settings that many devices have, from earlier reads: sends no request. By product, because nothing is
 * known about a product that was never read. Rejects with Failed `invalid` or `cache-unusable`.
 */
export async function settingsSummary(
  parts: {
    readonly devices: Pick<Devices, 'listed'>
    readonly settings: Pick<Settings, 'load'>
    readonly store: Pick<Store, 'database'>
  },
  organizationId: string,
  selection: DeviceSelection,
  task: RunningTask,
): Promise<SettingsSummary> {
  const stored = await parts.store.database.query(
    'SELECT device_id FROM device_settings WHERE organization_id = ? AND forgotten = 0',
    [organizationId],
  )
  const read = new Set(stored.map((row) => String(row['device_id'])))
  const products = new Map<string, DeviceRow[]>()
  const { total, batches } = await parts.devices.listed(organizationId, selection, [])
  let found = 0
  for await (const batch of batches) {
    for (const device of batch) {
      if (device.gone) continue
      const key = device.productName ?? String(device.productId)
      const group = products.get(key)
      if (group) group.push(device)
      else products.set(key, [device])
    }
    task.step('finding', (found += batch.length), total)
  }
  const readIds = [...products.values()].flatMap((those) =>
    those.flatMap(({ id }) => (read.has(id) ? [id] : [])),
  )
  const counts =
    readIds.length > countedAtMost
      ? null
      : await countValues(openSettingsRows(parts.store, organizationId), readIds, task)
  const known: SettingsOfProduct[] = []
  const summaries = await Promise.all(
    [...products].map(async ([key, devices]) => {
      const some = differing(devices.filter(({ id }) => read.has(id))).slice(0, lookedAt)
      const answers = await Promise.all(some.map(({ id }) => parts.settings.load(id, { refresh: false })))
      if (answers.length > 0)
        known.push({
          product: key,
          devices: devices.length,
          settings: answers.map(({ settings }) => settings),
        })
      const unread =
        devices.find(({ id, status }) => !read.has(id) && status === 'online') ??
        devices.find(({ id }) => !read.has(id))
      return {
        product: key,
        productIds: [...new Set(devices.flatMap(({ productId }) => productId ?? []))],
        devices: devices.length,
        read: devices.filter(({ id }) => read.has(id)).length,
        readAt: answers.reduce<number | null>(
          (newest, { observedAt }) => Math.max(newest ?? 0, observedAt),
          null,
        ),
        unreadId: unread?.id ?? null,
      }
    }),
  )
  return {
    devices: total,
    products: summaries.toSorted((a, b) => b.devices - a.devices || (a.product < b.product ? -1 : 1)),
    settings: mergedSettings(known, counts),
  }
}

type Counts = ReadonlyMap<string, ReadonlyMap<string | number | boolean, number>>

/** Devices by value, for each setting. A value that may be a password is not counted. */
async function countValues(
  rows: Pick<SettingsRows, 'findMany'>,
  deviceIds: readonly string[],
  task: RunningTask,
): Promise<Counts> {
  const counts = new Map<string, Map<string | number | boolean, number>>()
  for (let start = 0; start < deviceIds.length; start += countedAtOnce) {
    const stored = await rows.findMany(deviceIds.slice(start, start + countedAtOnce), 0)
    for (const { json } of stored.values())
      for (const [name, entry] of settingEntries(json) ?? []) {
        const { value, hidden } = parseSetting(name, entry, null)
        if (value === null || hidden !== undefined) continue
        const ofName = counts.get(name) ?? new Map<string | number | boolean, number>()
        counts.set(name, ofName.set(value, (ofName.get(value) ?? 0) + 1))
      }
    task.step('finding', Math.min(start + countedAtOnce, deviceIds.length), deviceIds.length)
  }
  return counts
}
const valueCounts = (found: Counts, name: string): ValueCounts => {
  const all = [...(found.get(name) ?? [])].map(([value, devices]) => ({ value, devices }))
  return {
    values: all.toSorted((a, b) => b.devices - a.devices).slice(0, listedAtMost),
    different: all.length,
    devices: all.reduce((sum, { devices }) => sum + devices, 0),
  }
}

/** Begins with one device of each firmware, because another firmware may have other settings. */
function differing(devices: readonly DeviceRow[]): readonly DeviceRow[] {
  const seen = new Set<string | null>()
  const first = devices.filter(
    ({ firmwareVersion }) => !seen.has(firmwareVersion) && seen.add(firmwareVersion),
  )
  return [...first, ...devices.filter((device) => !first.includes(device))]
}

export interface SettingsOfProduct {
  readonly product: string
  readonly devices: number
  /** The settings of each examined device. */
  readonly settings: readonly (readonly Setting[])[]
}

/** Settings by name: the values that all devices allow, and those that only some allow. */
export function mergedSettings(
  products: readonly SettingsOfProduct[],
  counts: Counts | null = null,
): readonly SettingSummary[] {
  const found = new Map<string, { readonly product: SettingsOfProduct; readonly setting: Setting }[]>()
  for (const product of products)
    for (const setting of product.settings.flat()) {
      const entries = found.get(setting.name)
      if (entries) entries.push({ product, setting })
      else found.set(setting.name, [{ product, setting }])
    }
  return [...found]
    .map(([name, entries]): SettingSummary => {
      const kinds = [...new Set(entries.map(({ setting }) => setting.kind))]
      const having = [...new Set(entries.map(({ product }) => product))]
      const features = entries.flatMap(({ setting }) => (setting.feature === null ? [] : [setting.feature]))
      const published = features.length === entries.length
      const feature =
        features[0] === undefined
          ? null
          : mergedFeature(
              name,
              features,
              entries.map(({ setting }) => setting.feature?.restarts ?? null),
            )
      const listed = new Set(features.flatMap(({ supported }) => supported))
      const only = kinds.length === 1 ? kinds[0] : undefined
      return {
        name,
        kind: only ?? 'unknown',
        kindsDiffer: only === undefined,
        devices: having.reduce((sum, { devices }) => sum + devices, 0),
        products: having.map(({ product }) => product).toSorted(),
        feature,
        published,
        onlySome: [...listed].filter((value) => feature?.supported.includes(value) === false),
        locked: entries.some(({ setting }) => setting.locked === true),
        values: [
          ...new Set(
            entries.flatMap(({ setting }) =>
              setting.value === null || setting.hidden !== undefined ? [] : [setting.value],
            ),
          ),
        ].slice(0, listedAtMost),
        counts: counts === null ? null : valueCounts(counts, name),
      }
    })
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
}

function mergedFeature(
  name: string,
  features: readonly FeatureSetting[],
  restarts: readonly (boolean | null)[],
): FeatureSetting {
  const lists = features.map(({ supported }) => supported).filter(({ length }) => length > 0)
  const numbers = (of: 'minimum' | 'maximum'): readonly number[] =>
    features.flatMap((feature) => feature[of] ?? [])
  const [lowest, highest] = [numbers('minimum'), numbers('maximum')]
  return {
    id: features[0]?.id ?? name,
    name,
    kind: features.every(({ kind }) => kind === features[0]?.kind) ? (features[0]?.kind ?? 'other') : 'other',
    supported: (lists[0] ?? []).filter((value) => lists.every((list) => list.includes(value))),
    minimum: lowest.length === 0 ? null : Math.max(...lowest),
    maximum: highest.length === 0 ? null : Math.min(...highest),
    // If one of these devices may restart, a restart must be expected.
    restarts: restarts.includes(true) ? true : restarts.includes(null) ? null : false,
  }
}
