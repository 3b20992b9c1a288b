import type { Device } from '../../../electron/contract/api/devices.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import type {
  DriftedDevice,
  GoldenDevicesQuery,
  GoldenProfile,
} from '../../../electron/contract/api/golden-profiles.ts'
import type { Setting, SettingChange } from '../../../electron/contract/api/settings.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import type { Announce } from '../../../electron/core/announcer.ts'
import { isMeant } from '../../../electron/core/golden-profiles/fleet-drift.ts'
import { driftFrom, notAllowed, stateBy } from '../../../electron/core/golden-profiles/setting-drift.ts'
import { settingStanding, standingOf } from '../../../electron/core/golden-profiles/standing.ts'

/** Two golden profiles, and devices that differ by their place in the list: most as wanted, some drifted, some not read, some without a setting. */
export function goldenAnswers(
  options: { readonly nowAt: number; readonly goldenless: boolean; readonly settingsUnread: boolean },
  devices: readonly Device[],
  settings: AllHandlers['devices']['settings'],
  announce: Announce,
): Pick<AllHandlers, 'goldenProfiles'> {
  const { nowAt } = options
  let profiles: readonly GoldenProfile[] = options.goldenless ? [] : made(nowAt)
  let next = profiles.length + 1
  const byId = (id: string): GoldenProfile => {
    const found = profiles.find((one) => one.id === id)
    if (!found) throw new Failed({ kind: 'not-found', call: null, what: 'golden profile' })
    return found
  }
  const changed = (): void => announce('goldenProfiles.changed', { count: 0 })
  const isRead = (index: number): boolean => !options.settingsUnread && index % 6 !== 5

  async function judged(
    device: Device,
    index: number,
    judge: (settings: readonly Setting[]) => DriftedDevice['drift'],
  ): Promise<DriftedDevice> {
    const { id, name, serialNumber, status, variantType, firmwareVersion, productName } = device
    const told = isRead(index) ? await settings({ id, refresh: false }) : null
    const drift = told ? judge(variedBy(index, told.settings)) : []
    const room = device.room?.name ?? null
    const shown = {
      id,
      name,
      serialNumber,
      status,
      variantType,
      firmwareVersion,
      productName,
      room,
      drift,
      readAt: told?.observedAt ?? null,
    }
    return { ...shown, state: told ? stateBy(drift) : 'not-read' }
  }
  const meantBy = (profile: GoldenProfile): Promise<readonly DriftedDevice[]> =>
    Promise.all(
      devices
        .filter((device) => !device.gone && isMeant(profile, device))
        .map((device, index) => judged(device, index, (now) => driftFrom(profile.settings, now))),
    )
  const asked = async ({ id, state, setting }: GoldenDevicesQuery): Promise<readonly DriftedDevice[]> =>
    (await meantBy(byId(id))).filter(
      (one) =>
        (state === null || one.state === state) &&
        (setting === null || one.drift.some(({ name }) => name === setting)),
    )
  const named = (name: string, id: string | null): string => {
    if (name.trim() === '') throw new Failed({ kind: 'invalid', field: 'name', message: 'A name is needed.' })
    if (profiles.some((one) => one.id !== id && one.name.toLowerCase() === name.trim().toLowerCase()))
      throw new Failed({
        kind: 'invalid',
        field: 'name',
        message: 'Another golden profile has this name already.',
      })
    return name.trim()
  }
  const keep = (profile: GoldenProfile): GoldenProfile => {
    profiles = [...profiles.filter(({ id }) => id !== profile.id), profile].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )
    changed()
    return profile
  }

  return {
    goldenProfiles: {
      list: () => Promise.all(profiles.map(async (profile) => standingOf(profile, await meantBy(profile)))),
      get: async ({ id }) => {
        const profile = byId(id)
        const meant = await meantBy(profile)
        return {
          ...standingOf(profile, meant),
          settings: profile.settings.map((change) => settingStanding(change, meant)),
        }
      },
      devices: async ({ start, count, ...query }) => {
        const found = await asked(query)
        return { rows: found.slice(start, start + count), total: found.length }
      },
      deviceIds: async (query) => {
        const found = await asked(query)
        return { ids: found.map(({ id }) => id), total: found.length }
      },
      save: async (draft) => {
        const known = draft.id === null ? null : byId(draft.id)
        const productName =
          devices.find(({ productId }) => productId === draft.productId)?.productName ?? null
        const { productId, variantType, settings: wanted } = draft
        const name = named(draft.name, draft.id)
        return keep({
          ...{
            id: known?.id ?? `golden-${next++}`,
            name,
            productId,
            variantType,
            productName,
            settings: wanted,
          },
          ...{ createdAt: known?.createdAt ?? nowAt, changedAt: nowAt },
        })
      },
      remove: async ({ id }) => {
        byId(id)
        profiles = profiles.filter((one) => one.id !== id)
        changed()
      },
      notAllowed: async ({ start, count }) => {
        const present = devices.filter((device) => !device.gone)
        // Two in a hundred hold a value of an older firmware.
        const some = await Promise.all(
          present.flatMap((device, index) =>
            index % 50 === 8 ? [judged(device, index, (now) => notAllowed(now.map(outdated)))] : [],
          ),
        )
        const rows = some
          .filter(({ drift }) => drift.length > 0)
          .map((one) => ({ ...one, state: 'drifted' as const }))
        const read = present.filter((_, index) => isRead(index)).length
        const withoutModel = Math.floor(read / 40)
        const oldestReadAt = rows.reduce<number | null>(
          (oldest, { readAt }) => (readAt === null ? oldest : Math.min(oldest ?? readAt, readAt)),
          null,
        )
        return {
          rows: rows.slice(start, start + count),
          total: rows.length,
          devices: present.length,
          read,
          withoutModel,
          oldestReadAt,
        }
      },
    },
  }
}

function made(nowAt: number): readonly GoldenProfile[] {
  const room: readonly SettingChange[] = [
    { name: 'videoStiching', value: true },
    { name: 'fieldOfView', value: '_140deg', locked: false },
    { name: 'zoomMode', value: 'simplemode_intelligentzoom' },
    { name: 'powerLineFrequency', value: '50Hz' },
    { name: 'autoUpdate', value: true },
  ]
  const desk: readonly SettingChange[] = [
    { name: 'sidetoneLevel', value: 6 },
    { name: 'busylightEnabled', value: true },
    { name: 'voicePrompts', value: 'music' },
  ]
  const day = 86_400_000
  return [
    {
      ...{
        id: 'golden-1',
        name: 'Meeting rooms',
        productId: 0x3012,
        variantType: null,
        productName: 'Jabra PanaCast 50',
        settings: room,
      },
      ...{ createdAt: nowAt - 40 * day, changedAt: nowAt - 3 * day },
    },
    {
      ...{
        id: 'golden-2',
        name: 'Service desk headsets',
        productId: 0x24b3,
        variantType: '01-64',
        productName: 'Jabra Evolve2 65 Mono',
        settings: desk,
      },
      ...{ createdAt: nowAt - 12 * day, changedAt: nowAt - 12 * day },
    },
  ]
}

function variedBy(index: number, settings: readonly Setting[]): readonly Setting[] {
  if (index % 6 === 3)
    return settings.filter(({ name }) => name !== 'zoomMode' && name !== 'busylightEnabled')
  if (index % 5 !== 2) return settings
  return settings.map((setting) =>
    setting.name === 'powerLineFrequency'
      ? { ...setting, value: '60Hz' }
      : setting.name === 'sidetoneLevel'
        ? { ...setting, value: index % 3 }
        : setting,
  )
}

const outdated = (setting: Setting): Setting =>
  setting.name === 'zoomMode'
    ? { ...setting, value: 'wide' }
    : setting.name === 'sidetoneLevel'
      ? { ...setting, value: 12 }
      : setting
