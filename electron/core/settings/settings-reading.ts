import type { DefinitionQuery } from '../../contract/api/definitions.ts'
import type { DeviceIdentity } from '../../contract/device-name.ts'
import { Failed, failedWith, orNull } from '../../contract/failure.ts'
import type { Setting } from '../../contract/api/settings.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import { boundedRecord, type DeviceEndpoints, type ToDevice } from '../management/management.ts'
import type { Ask, FeatureModel, Metadata } from '../metadata/metadata.ts'
import { withDigests, type SettingDigest } from './hidden-values.ts'
import { featuresByName, parseSetting, settingEntries } from './settings-json.ts'
import type { StoredSettings } from './settings-rows.ts'

/** What a device's record states: its name, and the keys of its feature model. */
export interface DeviceFacts extends DeviceIdentity {
  readonly productId: number | null
  readonly variantType: string | null
  readonly firmwareVersion: string | null
}

/**
 * Maximum characters of one device's stored settings: a hundred texts of the longest a change accepts are 1
 * MB. Raise it with those limits.
 */
const responseAtMost = 8 * 1024 * 1024

/** Reads from the service. Rejects with Failed: `unreadable-answer`, or the failure of the call. */
export async function askSettings(
  endpoints: Pick<DeviceEndpoints, 'settings'>,
  { host, digest }: { readonly host: string; readonly digest: SettingDigest },
  ask: ToDevice,
): Promise<StoredSettings> {
  const answer = await endpoints.settings(ask)
  if (settingEntries(answer.json) === null) {
    const call = { operation: 'GetDeviceSettings', host }
    throw new Failed({
      kind: 'unreadable-answer',
      call,
      where: 'settings',
      message: 'An object with the settings by name was expected.',
    })
  }
  return {
    json: withDigests(boundedRecord(answer.json, responseAtMost), digest),
    observedAt: answer.receivedAt,
  }
}

/** Without a published or available model the settings only lack their explanations (services.md#A18). */
export async function featureModelFor(
  metadata: Pick<Metadata, 'featureModel'>,
  vendorId: number,
  device: DeviceFacts | null,
  ask: Lane | Pick<Ask, 'cachedOnly'>,
): Promise<FeatureModel | null> {
  const query = device === null ? null : queryOf(vendorId, device)
  if (query === null) return null
  const reading = await orNull(metadata.featureModel(query, typeof ask === 'string' ? { lane: ask } : ask))
  return reading?.value ?? null
}

function queryOf(
  vendorId: number,
  { productId, variantType, firmwareVersion }: DeviceFacts,
): DefinitionQuery | null {
  if (productId === null || variantType === null || firmwareVersion === null) return null
  return { vendorId, productId, variantType, firmwareVersion }
}

/** Settings in a response, with the feature model's data. */
export const explainedSettings = (stored: StoredSettings, model: FeatureModel | null): readonly Setting[] =>
  explainedBy(featuresByName(model), stored)

/** Created once for many devices of one product and firmware. */
export type FeatureLookup = ReturnType<typeof featuresByName>

/** The same by a lookup. `names`: only these. */
export function explainedBy(
  feature: FeatureLookup,
  stored: StoredSettings,
  names: ReadonlySet<string> | null = null,
): readonly Setting[] {
  const entries = settingEntries(stored.json) ?? []
  return entries
    .filter(([name]) => names === null || names.has(name))
    .map(([name, entry]) => parseSetting(name, entry, feature(name)))
}

/** An unusable cache is reported as a problem of the store; the response can still be shown. */
export const onlyCache = (error: unknown): null => {
  if (failedWith(error, 'cache-unusable')) return null
  throw error
}
