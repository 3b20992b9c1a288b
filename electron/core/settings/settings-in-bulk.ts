import { Failed } from '../../contract/failure.ts'
import type { PlannedChange } from '../../contract/api/jobs.ts'
import type { Setting, SettingChange } from '../../contract/api/settings.ts'
import { type EndpointTemplates } from '../../contract/template.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { DeviceEndpoints } from '../management/management.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Store } from '../storage/store.ts'
import { isConfidential, type PlannedWrite } from '../write-gate/write-gate.ts'
import type { SettingDigest } from './hidden-values.ts'
import {
  changeBody,
  changeWords,
  checkedChange,
  refuseUnusable,
  shownValue,
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
  type SettingsAsk,
} from './settings-reading.ts'
import { openSettingsRows, type KeptSettings } from './settings-rows.ts'

/** A change of one setting of one device, judged by what the device has. */
export interface JudgedChange {
  readonly change: SettingChange
  /** What the device has; null: no such setting. */
  readonly setting: Setting | null
  /** As it may be sent; null: the device or its feature model does not take it, and `reason` says why. */
  readonly checked: CheckedChange | null
  readonly reason: string | null
  /** The device tells the wanted value already, whatever it tells of the lock. */
  readonly isSame: boolean
  /** The device tells the wanted value and lock already. */
  readonly isSo: boolean
  /** For people; what may be a password or a code is dots. */
  readonly shown: PlannedChange
}

/** Settings of many devices, for jobs: the same rules as for one, with the reads and the write in single steps. Rejects with Failed. */
export interface SettingsInBulk {
  /** Throws Failed `not-found`, "not published", where the profile names no address for reading or changing; `invalid` for changes no device could take. */
  mustBePossible(changes: readonly SettingChange[]): void
  /** Whether settings can be read by pages of devices. */
  readonly byPages: boolean
  /** Which of these are kept and were read since then. */
  keptIds(deviceIds: readonly string[], sinceAt: number): Promise<ReadonlySet<string>>
  /** What is kept of these and was read since then. */
  kept(deviceIds: readonly string[], sinceAt: number): Promise<ReadonlyMap<string, KeptSettings>>
  /** Asks the service, by the endpoints of who counts the call, and keeps the answer. */
  read(endpoints: Pick<DeviceEndpoints, 'settings'>, ask: SettingsAsk): Promise<KeptSettings>
  /** Judges changes of one device after another; each feature model is looked up once. */
  judge(
    lane: Lane,
  ): (
    device: DeviceFacts | null,
    kept: KeptSettings,
    changes: readonly SettingChange[],
  ) => Promise<readonly JudgedChange[]>
  /** One request for all of them, and what the journal says of it. */
  write(
    endpoints: Pick<DeviceEndpoints, 'settingsUpdate'>,
    deviceId: string,
    changes: readonly CheckedChange[],
  ): Pick<PlannedWrite, 'before' | 'after' | 'send'>
  /** After a write that happened, or may have. */
  forget(deviceId: string): Promise<void>
}

export interface SettingsInBulkParts {
  readonly organizationId: string
  readonly vendorId: number
  readonly templates: EndpointTemplates
  readonly endpoints: Pick<DeviceEndpoints, 'mustBeKnown'>
  readonly host: string
  readonly digest: SettingDigest
  readonly metadata: Pick<Metadata, 'featureModel'>
  readonly store: Pick<Store, 'database'>
  /** An answer told of settings that changed, and the changes are written. */
  readonly changed: () => void
  /** What is kept of a device was read anew or forgotten. */
  readonly kept: () => void
}

export function openSettingsInBulk(parts: SettingsInBulkParts): SettingsInBulk {
  const { templates, endpoints, metadata, vendorId } = parts
  const rows = openSettingsRows(parts.store, parts.organizationId)
  return {
    mustBePossible(changes) {
      refuseUnusable(changes)
      endpoints.mustBeKnown('deviceSettings')
      endpoints.mustBeKnown('updateDeviceSettings')
    },
    byPages: templates.devicesWithSettings !== null,

    keptIds: async (deviceIds, sinceAt) =>
      (await rows.findIds(deviceIds, sinceAt).catch(onlyCache)) ?? new Set(),
    kept: async (deviceIds, sinceAt) =>
      (await rows.findMany(deviceIds, sinceAt).catch(onlyCache)) ?? new Map(),

    async read(over, ask) {
      const kept = await askSettings(over, parts, ask)
      const changes = await rows.keep([{ deviceId: ask.deviceId, ...kept }]).catch(onlyCache)
      if (changes !== null && changes > 0) parts.changed()
      parts.kept()
      return kept
    },

    judge(lane) {
      const lookups = new Map<string, Promise<FeatureLookup>>()
      return async (device, kept, changes) => {
        const key = JSON.stringify([device?.productId, device?.variantType, device?.firmwareVersion])
        const lookup =
          lookups.get(key) ?? featureModelFor(metadata, vendorId, device, lane).then(featuresByName)
        lookups.set(key, lookup)
        const found = explainedBy(await lookup, kept, new Set(changes.map(({ name }) => name)))
        const byName = new Map(found.map((setting) => [setting.name, setting]))
        return changes.map((change) => judged(parts.digest, change, byName.get(change.name)))
      }
    },

    write: (over, deviceId, changes) => ({
      ...changeWords(changes),
      send: over.settingsUpdate(deviceId, changeBody(changes)),
    }),

    async forget(deviceId) {
      await rows.forget(deviceId).catch(onlyCache)
      parts.kept()
    },
  }
}

function judged(digest: SettingDigest, change: SettingChange, setting: Setting | undefined): JudgedChange {
  const { name, value, locked } = change
  const now = setting === undefined || setting.value === null ? null : shownValue(setting, setting.value)
  const about = { name, now, restarts: setting?.feature?.restarts ?? null }
  try {
    const checked = checkedChange(setting, change)
    const isSame = tells(digest, checked)
    const isSo = isSame && (locked === undefined || checked.setting.locked === locked)
    const shown = { ...about, new: shownValue(checked.setting, checked.value), allowed: true, reason: null }
    return { change, setting: checked.setting, checked, reason: null, isSame, isSo, shown }
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== 'invalid') throw error
    const { message } = error.failure
    // Of a setting the device does not have, the name alone tells whether its value may be shown.
    const typed =
      setting === undefined ? (isConfidential(name) ? '•••' : String(value)) : shownValue(setting, value)
    return {
      change,
      setting: setting ?? null,
      checked: null,
      reason: message,
      isSame: false,
      isSo: false,
      shown: { ...about, new: typed, allowed: false, reason: message },
    }
  }
}

/** A hidden value is compared by its digest. */
const tells = (digest: SettingDigest, { setting, value }: CheckedChange): boolean =>
  setting.hidden === undefined || typeof value === 'boolean'
    ? setting.value === value
    : setting.hidden === digest(setting.name, value)
