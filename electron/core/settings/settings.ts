import { deviceLabel } from '../../contract/device-name.ts'
import { Failed, foundOrNull } from '../../contract/failure.ts'
import type { Json } from '../../contract/json.ts'
import type { DeviceSettings, ReadSettings, SettingChange } from '../../contract/api/settings.ts'
import { observedTemplates } from '../../contract/template.ts'
import type { WriteReport } from '../../contract/api/writes.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import { parseDevice, TokenTrail, type DeviceEndpoints } from '../management/management.ts'
import { idKey } from '../storage/record-ids.ts'
import type { RunningTask } from '../tasks.ts'
import type { Writes } from '../writes/writes.ts'
import { withDigests, withDots } from './hidden-values.ts'
import { hasPages, type SettingsInBulkDeps } from './settings-in-bulk.ts'
import { changeBody, changeTexts, checkedChanges } from './setting-change.ts'
import { settingEntries } from './settings-json.ts'
import {
  askSettings,
  explainedSettings,
  featureModelFor,
  onlyCache,
  type DeviceFacts,
} from './settings-reading.ts'
import { openSettingsRows, type StoredResponse, type StoredSettings } from './settings-rows.ts'
import { pageSize } from './settings-of-many.ts'

export { mayBeSame, openSettingDigest, withoutSettingValues } from './hidden-values.ts'
export { refuseUnusable, visibleValue, valueFor } from './setting-change.ts'
export { openCachedSettings, type CachedValues, type CachedSettings } from './cached-settings.ts'
export { openSettingsInBulk, type JudgedChange, type SettingsInBulk } from './settings-in-bulk.ts'

interface SettingsUpdate {
  readonly deviceId: string
  /** All of them go into one request: accepted or refused together. */
  readonly changes: readonly SettingChange[]
  /** The technician unlocked actions inside the confirmation. */
  readonly unlock: boolean
  /** False: return `waiting` at once if the device was written to less than a minute ago. */
  readonly wait: boolean
  /** As `PlannedWrite.reference`. */
  readonly reference?: string | null
}

/**
 * Settings of devices. The addresses are the profile's templates; without one, calls reject with Failed
 * `not-found`, "not published". Otherwise they reject with the Failed of the service or the cache.
 */
export interface Settings {
  /**
   * `refresh` false: the stored settings with their age, if there are any; with `storedOnly` nothing is read. If
   * the read fails, they remain.
   */
  load(
    deviceId: string,
    options: { readonly refresh: boolean; readonly storedOnly?: boolean; readonly lane?: Lane },
  ): Promise<DeviceSettings>
  /** Whether the profile has the address of devices with their settings, and a version that has them. */
  readonly readsPages: boolean
  /** Every device's settings, one page per call, if the profile has the address. */
  fetchAll(task: RunningTask): Promise<ReadSettings>
  /**
   * Reads the device's current settings, checks the changes against them (Failed `invalid`, field
   * `settings.NAME`), then executes one write.
   */
  update(request: SettingsUpdate): Promise<WriteReport>
  /** Invalidates a device's stored settings, because a write from elsewhere may have changed them. */
  forget(deviceId: string): Promise<void>
}

export interface SettingsDeps
  extends
    Omit<SettingsInBulkDeps, 'changed' | 'stored'>,
    Partial<Pick<SettingsInBulkDeps, 'changed' | 'stored'>> {
  readonly endpoints: DeviceEndpoints
  /** Rejects with Failed `not-found` for a device that was never read. */
  readonly device: (id: string) => Promise<DeviceFacts>
  readonly writes: Pick<Writes, 'mustBeOpen' | 'execute'>
}

export function openSettings(deps: SettingsDeps): Settings {
  const { endpoints, writes, host } = deps
  const rows = openSettingsRows(deps.store, deps.organizationId)
  const keep = async (answers: readonly StoredResponse[]): Promise<void> => {
    const changes = await rows.keep(answers)
    if (changes > 0) deps.changed?.()
    deps.stored?.()
  }
  const flights = new Map<string, Promise<StoredSettings>>()

  const facts = (deviceId: string): Promise<DeviceFacts | null> => foundOrNull(deps.device(deviceId))

  const ask = async (deviceId: string, lane: Lane): Promise<StoredSettings> => {
    const stored = await askSettings(endpoints, deps, { deviceId, lane, signal: null })
    await keep([{ deviceId, ...stored }]).catch(onlyCache)
    return stored
  }

  /** One request for each device, shared by all callers. */
  const fetched = (deviceId: string, lane: Lane): Promise<StoredSettings> => {
    const flying = flights.get(deviceId)
    if (flying !== undefined) return flying
    const flight = ask(deviceId, lane).finally(() => flights.delete(deviceId))
    flights.set(deviceId, flight)
    return flight
  }

  const explained = async (
    deviceId: string,
    { json, observedAt }: StoredSettings,
    fromCache: boolean,
    how: Parameters<typeof featureModelFor>[3],
  ): Promise<DeviceSettings> => {
    const model = await featureModelFor(deps.metadata, deps.vendorId, await facts(deviceId), how)
    return {
      deviceId,
      settings: explainedSettings({ json, observedAt }, model),
      observedAt,
      fromCache,
      source: deps.templates.deviceSettings === observedTemplates.deviceSettings ? 'observed' : 'profile',
      raw:
        typeof json === 'object' && json !== null && !Array.isArray(json)
          ? (withDots(json) as DeviceSettings['raw'])
          : {},
    }
  }

  const load: Settings['load'] = async (deviceId, { refresh, storedOnly, lane = 'interactive' }) => {
    const stored = refresh ? null : await rows.find(deviceId).catch(onlyCache)
    if (storedOnly === true && !stored) throw Failed.notFound('stored settings of this device')
    return stored
      ? explained(deviceId, stored, true, storedOnly === true ? { cachedOnly: true } : lane)
      : explained(deviceId, await fetched(deviceId, lane), false, lane)
  }

  const forget = async (deviceId: string): Promise<void> => {
    await rows.forget(deviceId).catch(onlyCache)
    deps.stored?.()
  }

  return {
    load,
    readsPages: hasPages(deps),

    async fetchAll({ signal, step }) {
      const inventory = new Set((await rows.inventory()).map(idKey))
      const trail = new TokenTrail('ListDevicesWithSettings', host)
      const total = { devices: 0, withoutSettings: 0, calls: 0 }
      const met = new Set<string>()
      const contained = new Set<string>()
      let pagesWithNews = 0
      let doubt: Failed | null = null
      for (let token: string | null = null; ;) {
        const page = await endpoints.devicesWithSettings({ token, pageSize, lane: 'bulk', signal })
        const answers = page.items.flatMap((item) => {
          const device = parseDevice(item)
          const id = device.readable ? device.record.id : null
          if (id !== null) contained.add(idKey(id))
          return id === null || settingEntries(item) === null
            ? []
            : [
                {
                  deviceId: id,
                  json: withDigests(settingsOnly(item), deps.digest),
                  observedAt: page.receivedAt,
                },
              ]
        })
        await keep(answers)
        const metBefore = met.size
        for (const { deviceId } of answers) met.add(deviceId)
        if (met.size > metBefore) pagesWithNews++
        trail.met(met.size - metBefore, pagesWithNews)
        total.devices += answers.length
        total.withoutSettings += page.items.length - answers.length
        total.calls += page.calls
        step('reading', met.size, inventory.size)
        doubt ??= page.doubt ?? null
        token = page.nextToken
        if (token === null && doubt !== null) throw doubt
        if (token === null)
          return {
            ...total,
            missed: countMissing(inventory, contained),
            notInInventory: countMissing(contained, inventory),
          }
        trail.follow(token)
      }
    },

    async update({ deviceId, changes, unlock, wait, reference = null }) {
      await writes.mustBeOpen(unlock)
      endpoints.settingsUpdate(deviceId, {})
      const checkedNow = async () => {
        const now = await explained(deviceId, await fetched(deviceId, 'interactive'), false, 'interactive')
        const checked = checkedChanges(now.settings, changes)
        return { send: endpoints.settingsUpdate(deviceId, changeBody(checked)), ...changeTexts(checked) }
      }
      const first = await checkedNow()
      const device = await facts(deviceId)
      const report = await writes.execute({
        operation: 'UpdateDeviceSettings',
        target: { of: 'device', id: deviceId, name: device && deviceLabel(device) },
        deviceIds: [deviceId],
        unlock,
        wait,
        reference,
        ...first,
        // Somebody else may have changed or locked a setting in the minute.
        again: checkedNow,
      })
      // Values read before may be outdated; a read immediately after the write may still show the old values
      // (services.md#B24).
      if (report.outcome === 'accepted' || report.outcome === 'unconfirmed') await forget(deviceId)
      return report
    },

    forget,
  }
}

const countMissing = (of: ReadonlySet<string>, there: ReadonlySet<string>): number =>
  [...of].filter((id) => !there.has(id)).length

/** Only the settings of a record are stored here: the sync stores the other members. */
const settingsOnly = (item: Json): Json => ({ settings: Object.fromEntries(settingEntries(item) ?? []) })
