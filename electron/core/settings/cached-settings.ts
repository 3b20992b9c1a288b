import type { Setting } from '../../contract/api/settings.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Store } from '../storage/store.ts'
import { featuresByName } from './settings-json.ts'
import {
  explainedBy,
  featureModelFor,
  onlyCache,
  type DeviceFacts,
  type FeatureLookup,
} from './settings-reading.ts'
import { openSettingsRows } from './settings-rows.ts'

interface StoredOfDevice {
  readonly settings: readonly Setting[]
  readonly observedAt: number
  /** False: no feature model is stored for its product, variant and firmware. */
  readonly hasModel: boolean
}

/** Settings of many devices as last read, with data of stored feature models. Sends no request. */
export interface CachedSettings {
  /**
   * Starts reading for many devices: each feature model is looked up once for all calls of the result.
   * `names` null: every setting. Devices without stored settings are omitted. Never rejects: an unusable
   * cache is reported elsewhere and gives no settings.
   */
  begin(): (
    devices: readonly (DeviceFacts & { readonly id: string })[],
    names: ReadonlySet<string> | null,
  ) => Promise<ReadonlyMap<string, StoredOfDevice>>
  /**
   * Values of these settings, of every device of a product that is not gone, grouped by devices with equal
   * values. Rejects with Failed `cache-unusable`.
   */
  ofProduct(
    product: { readonly productId: number; readonly variantType: string | null },
    names: readonly string[],
  ): Promise<readonly CachedValues[]>
}

export interface CachedValues {
  readonly deviceIds: readonly string[]
  /** null: no settings of these devices are stored. */
  readonly settings: readonly Setting[] | null
  /** When the oldest was read; null: none was. */
  readonly observedAt: number | null
}

interface Explained {
  readonly lookup: FeatureLookup
  readonly hasModel: boolean
}

export function openCachedSettings(parts: {
  readonly organizationId: string
  readonly vendorId: number
  readonly metadata: Pick<Metadata, 'featureModel'>
  readonly store: Pick<Store, 'database'>
}): CachedSettings {
  const rows = openSettingsRows(parts.store, parts.organizationId)
  return {
    begin() {
      const models = new Map<string, Promise<Explained>>()
      const modelOf = (device: DeviceFacts): Promise<Explained> => {
        const key = JSON.stringify([device.productId, device.variantType, device.firmwareVersion])
        const known = models.get(key)
        if (known !== undefined) return known
        const model = featureModelFor(parts.metadata, parts.vendorId, device, { cachedOnly: true })
        const explained = model.then((one) => ({ lookup: featuresByName(one), hasModel: one !== null }))
        models.set(key, explained)
        return explained
      }
      return async (devices, names) => {
        const ids = devices.map(({ id }) => id)
        const stored = (await rows.findMany(ids, 0).catch(onlyCache)) ?? new Map<string, never>()
        const found = new Map<string, StoredOfDevice>()
        for (const device of devices) {
          const answer = stored.get(device.id)
          if (answer === undefined) continue
          const { lookup, hasModel } = await modelOf(device)
          found.set(device.id, {
            settings: explainedBy(lookup, answer, names),
            observedAt: answer.observedAt,
            hasModel,
          })
        }
        return found
      }
    },
    async ofProduct(product, names) {
      const wanted = new Set(names)
      return (await rows.ofProduct(product, names)).map(({ deviceIds, stored }) => ({
        deviceIds,
        settings: stored && explainedBy(() => null, stored, wanted),
        observedAt: stored?.observedAt ?? null,
      }))
    },
  }
}
