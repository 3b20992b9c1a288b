import { Failed, isKind } from '../../contract/failure.ts'
import type { PlannedChange } from '../../contract/api/jobs.ts'
import type { Setting, SettingChange } from '../../contract/api/settings.ts'
import { type EndpointTemplates } from '../../contract/template.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { DeviceEndpoints, ToDevice } from '../management/management.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Store } from '../storage/store.ts'
import { isConfidential, type PlannedWrite } from '../writes/writes.ts'
import type { SettingDigest } from './hidden-values.ts'
import {
  changeBody,
  changeTexts,
  checkedChange,
  refuseUnusable,
  visibleValue,
  type CheckedChange,
} from './setting-change.ts'
import { featuresByName } from './settings-json.ts'
import {
  askSettings,
  explainedBy,
  featureModelFor,
  onlyCache,
  type DeviceFacts,
  type FeatureLookup,
} from './settings-reading.ts'
import { openSettingsRows, type StoredSettings } from './settings-rows.ts'

/** A change of one setting of one device, compared with the device's current setting. */
export interface JudgedChange {
  readonly change: SettingChange
  /** The current setting; null: the device has no such setting. */
  readonly setting: Setting | null
  /**
   * In the form to be sent; null: the device or its feature model does not accept it, and `reason` says why.
   */
  readonly checked: CheckedChange | null
  readonly reason: string | null
  /** The device already reports the wanted value, regardless of the lock. */
  readonly isSame: boolean
  /** The device already reports the wanted value and lock. */
  readonly isSo: boolean
  /** As displayed; possible passwords and codes are dots. */
  readonly displayed: PlannedChange
}

/**
 * Settings of many devices, for jobs: the same rules as for one device, with reads and the write as separate
 * steps. Rejects with Failed.
 */
export interface SettingsInBulk {
  /**
   * Throws Failed `not-found`, "not published", if the profile has no address for reading or changing;
   * `invalid` for changes that no device could accept.
   */
  mustBePossible(changes: readonly SettingChange[]): void
  /** Whether settings can be read by pages of devices. */
  readonly byPages: boolean
  /** Which of these are stored and were read since then. */
  cachedIds(deviceIds: readonly string[], sinceAt: number): Promise<ReadonlySet<string>>
  /** The stored settings of these that were read since then. */
  stored(deviceIds: readonly string[], sinceAt: number): Promise<ReadonlyMap<string, StoredSettings>>
  /** Reads from the service through the caller's counting endpoints, and stores the response. */
  fetch(endpoints: Pick<DeviceEndpoints, 'settings'>, ask: ToDevice): Promise<StoredSettings>
  /** Compares changes with one device at a time; each feature model is looked up once. */
  judge(
    lane: Lane,
  ): (
    device: DeviceFacts | null,
    stored: StoredSettings,
    changes: readonly SettingChange[],
  ) => Promise<readonly JudgedChange[]>
  /** One request for all of them, and its text for the journal. */
  write(
    endpoints: Pick<DeviceEndpoints, 'settingsUpdate'>,
    deviceId: string,
    changes: readonly CheckedChange[],
  ): Pick<PlannedWrite, 'before' | 'after' | 'send'>
  /** Call it after a write that happened or may have happened. */
  forget(deviceId: string): Promise<void>
}

export interface SettingsInBulkDeps {
  readonly organizationId: string
  readonly vendorId: number
  readonly templates: EndpointTemplates
  /** The `api-version` of the organization. */
  readonly managementVersion: number
  readonly endpoints: Pick<DeviceEndpoints, 'mustBeKnown'>
  /** The host of the management interface, which failures name. */
  readonly host: string
  readonly digest: SettingDigest
  readonly metadata: Pick<Metadata, 'featureModel'>
  readonly store: Pick<Store, 'database'>
  /** A response contained changed settings, and the changes are stored. */
  readonly changed: () => void
  /** A device's stored settings were read again or deleted. */
  readonly stored: () => void
}

/** Whether devices are listed with their settings: not in version 1 (services.md#B31). */
export const hasPages = ({
  templates,
  managementVersion,
}: Pick<SettingsInBulkDeps, 'templates' | 'managementVersion'>): boolean =>
  templates.devicesWithSettings !== null && managementVersion !== 1

export function openSettingsInBulk(deps: SettingsInBulkDeps): SettingsInBulk {
  const { endpoints, metadata, vendorId } = deps
  const rows = openSettingsRows(deps.store, deps.organizationId)
  return {
    mustBePossible(changes) {
      refuseUnusable(changes)
      endpoints.mustBeKnown('deviceSettings')
      endpoints.mustBeKnown('updateDeviceSettings')
    },
    byPages: hasPages(deps),

    cachedIds: async (deviceIds, sinceAt) =>
      (await rows.findIds(deviceIds, sinceAt).catch(onlyCache)) ?? new Set(),
    stored: async (deviceIds, sinceAt) =>
      (await rows.findMany(deviceIds, sinceAt).catch(onlyCache)) ?? new Map(),

    async fetch(over, ask) {
      const stored = await askSettings(over, deps, ask)
      const changes = await rows.keep([{ deviceId: ask.deviceId, ...stored }]).catch(onlyCache)
      if (changes !== null && changes > 0) deps.changed()
      deps.stored()
      return stored
    },

    judge(lane) {
      const lookups = new Map<string, Promise<FeatureLookup>>()
      return async (device, stored, changes) => {
        const key = JSON.stringify([device?.productId, device?.variantType, device?.firmwareVersion])
        const lookup =
          lookups.get(key) ?? featureModelFor(metadata, vendorId, device, lane).then(featuresByName)
        lookups.set(key, lookup)
        const found = explainedBy(await lookup, stored, new Set(changes.map(({ name }) => name)))
        const byName = new Map(found.map((setting) => [setting.name, setting]))
        return changes.map((change) => judged(deps.digest, change, byName.get(change.name)))
      }
    },

    write: (over, deviceId, changes) => ({
      ...changeTexts(changes),
      send: over.settingsUpdate(deviceId, changeBody(changes)),
    }),

    async forget(deviceId) {
      await rows.forget(deviceId).catch(onlyCache)
      deps.stored()
    },
  }
}

function judged(digest: SettingDigest, change: SettingChange, setting: Setting | undefined): JudgedChange {
  const { name, value, locked } = change
  const now = setting === undefined || setting.value === null ? null : visibleValue(setting, setting.value)
  const about = { name, now, restarts: setting?.feature?.restarts ?? null }
  try {
    const checked = checkedChange(setting, change)
    const isSame = tells(digest, checked)
    const isSo = isSame && (locked === undefined || checked.setting.locked === locked)
    const displayed = {
      ...about,
      new: visibleValue(checked.setting, checked.value),
      allowed: true,
      reason: null,
    }
    return { change, setting: checked.setting, checked, reason: null, isSame, isSo, displayed }
  } catch (error) {
    if (!(error instanceof Failed) || !isKind(error.failure, 'invalid')) throw error
    const { message } = error.failure
    // For a setting that the device does not have, only the name decides whether its value may be shown.
    const typed =
      setting === undefined ? (isConfidential(name) ? '•••' : String(value)) : visibleValue(setting, value)
    return {
      change,
      setting: setting ?? null,
      checked: null,
      reason: message,
      isSame: false,
      isSo: false,
      displayed: { ...about, new: typed, allowed: false, reason: message },
    }
  }
}

/** A hidden value is compared by its digest. */
const tells = (digest: SettingDigest, { setting, value }: CheckedChange): boolean =>
  setting.hidden === undefined || typeof value === 'boolean'
    ? setting.value === value
    : setting.hidden === digest(setting.name, value)
