import { Failed } from '../../contract/failure.ts'
import type {
  DriftedDevice,
  DriftedDeviceWindow,
  GoldenDevicesQuery,
  GoldenProfile,
  GoldenProfileDetails,
  GoldenProfileDraft,
  GoldenProfileStanding,
  NotAllowedWindow,
} from '../../contract/api/golden-profiles.ts'
import type { SettingChange } from '../../contract/api/settings.ts'
import type { Devices } from '../devices/devices.ts'
import { heldBack } from '../held-back.ts'
import type { Clock, Platform } from '../platform.ts'
import { refuseUnusable, type SettingsKept } from '../settings/settings.ts'
import { AnswerCache, type RowsChanged } from '../storage/answer-cache.ts'
import { folded } from '../storage/search-text.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'
import { isConfidential } from '../write-gate/write-gate.ts'
import { judgeAllowed, judgeFleet, published, type FleetDrift } from './fleet-drift.ts'
import {
  deleteGoldenProfile,
  goldenProfileCount,
  goldenProfileIn,
  namesakeOf,
  readGoldenProfiles,
  writeGoldenProfile,
} from './golden-profile-rows.ts'
import { settingStanding, standingOf } from './standing.ts'
import type { Handlers } from '../../contract/rpc-client.ts'

/** Of one organization. Chosen. */
export const goldenProfilesAtMost = 100
/** Characters of a name. Chosen. */
export const nameAtMost = 60
/** Ids one selection may name (contract). */
const idsAtMost = 10_000
/** Readings and rows that change are told together: a fleet is judged anew after each. Chosen. */
const tellEveryInMs = 2_000
/** A judgement is made anew after this at the latest: another program may have read settings. Chosen. */
const judgedAnewAfterInMs = 60_000

/**
 * Golden profiles of one organization, and how its devices stand against them. Judged from settings that are kept: nothing is asked of any
 * service. Rejects with Failed `invalid`, `not-found` or `cache-unusable`.
 */
export interface GoldenProfiles {
  /** By name as people count. */
  list(): Promise<readonly GoldenProfileStanding[]>
  get(id: string): Promise<GoldenProfileDetails>
  devices(
    query: GoldenDevicesQuery & { readonly start: number; readonly count: number },
  ): Promise<DriftedDeviceWindow>
  deviceIds(query: GoldenDevicesQuery): Promise<{ readonly ids: readonly string[]; readonly total: number }>
  save(draft: GoldenProfileDraft): Promise<GoldenProfile>
  remove(id: string): Promise<void>
  notAllowed(window: { readonly start: number; readonly count: number }): Promise<NotAllowedWindow>
  /** Rows of devices, or what is kept of their settings, are others now. */
  changed(how: RowsChanged): void
  /** Golden profiles or judgements may be others: ask again. Returns the function that ends it. */
  onChange(listener: () => void): () => void
  close(): void
}

export interface GoldenProfilesParts {
  readonly organizationId: string
  readonly workbook: Workbook
  readonly store: Pick<Store, 'database'>
  readonly devices: Pick<Devices, 'listed' | 'window'>
  readonly settings: SettingsKept
  readonly clock: Clock
  readonly newId: Platform['newId']
}

export function openGoldenProfiles(parts: GoldenProfilesParts): GoldenProfiles {
  const { organizationId, workbook, clock } = parts
  const judged = new AnswerCache(parts.store.database, clock, 2)
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const rowsChanged = heldBack(clock, tellEveryInMs, () => {
    judged.changed(organizationId, 'settled')
    tell()
  })
  const minute = (): number => Math.floor(clock.now() / judgedAnewAfterInMs)

  const all = (): Promise<readonly GoldenProfile[]> => readGoldenProfiles(workbook, organizationId)
  const fleet = (profiles: readonly GoldenProfile[]): Promise<FleetDrift> =>
    judged.get(organizationId, JSON.stringify(['golden', minute(), profiles]), () =>
      judgeFleet(parts, profiles),
    )

  const one = async (
    id: string,
  ): Promise<{ readonly profile: GoldenProfile; readonly devices: readonly DriftedDevice[] }> => {
    const profiles = await all()
    const profile = profiles.find((known) => known.id === id)
    if (profile === undefined) throw notFound()
    return { profile, devices: (await fleet(profiles)).get(id) ?? [] }
  }

  const asked = async ({ id, state, setting }: GoldenDevicesQuery): Promise<readonly DriftedDevice[]> =>
    (await one(id)).devices.filter(
      (device) =>
        (state === null || device.state === state) &&
        (setting === null || device.drift.some(({ name }) => name === setting)),
    )

  /** How the product is called by a device of it; null: none says. */
  const productNameOf = async (productId: number): Promise<string | null> => {
    const { rows } = await parts.devices.window(organizationId, {
      where: `pid:${productId}`,
      sort: [],
      start: 0,
      count: 1,
    })
    return rows[0]?.productName ?? null
  }

  /** On or off gives nothing away, nor does one of the words a device publishes, such as a language's code. */
  const refuseConfidential = async (productId: number, settings: readonly SettingChange[]): Promise<void> => {
    const names = new Set(
      settings.flatMap(({ name, value }) =>
        typeof value !== 'boolean' && isConfidential(name) ? [name] : [],
      ),
    )
    if (names.size === 0) return
    const harmless = await published(parts, productId, names)
    for (const name of names)
      if (!harmless.has(name))
        throw refuse(
          `settings.${name}`,
          `The value of "${name}" may be a password or a code, so it is not kept in a golden profile. Leave this setting out.`,
        )
  }

  return {
    async list() {
      const profiles = await all()
      const drift = await fleet(profiles)
      return profiles.map((profile) => standingOf(profile, drift.get(profile.id) ?? []))
    },

    async get(id) {
      const { profile, devices } = await one(id)
      return {
        ...standingOf(profile, devices),
        settings: profile.settings.map((change) => settingStanding(change, devices)),
      }
    },

    async devices({ start, count, ...query }) {
      const found = await asked(query)
      return { rows: found.slice(start, start + count), total: found.length }
    },

    async deviceIds(query) {
      const found = await asked(query)
      return { ids: found.slice(0, idsAtMost).map(({ id }) => id), total: found.length }
    },

    async save({ id, name: typed, productId, variantType, settings }) {
      const name = checkedName(typed)
      refuseUnusable(settings)
      await refuseConfidential(productId, settings)
      const told = await productNameOf(productId)
      const now = clock.now()
      const saved = await workbook.write((transaction) => {
        const known = id === null ? null : goldenProfileIn(transaction, organizationId, id)
        refuseNamesake(namesakeOf(transaction, organizationId, name), known?.id ?? null)
        if (known === null && goldenProfileCount(transaction, organizationId) >= goldenProfilesAtMost)
          throw refuse(
            'name',
            `There are ${goldenProfilesAtMost} golden profiles already, the most there can be. Remove one first.`,
          )
        const productName = told ?? (known?.productId === productId ? known.productName : null)
        const profile = {
          id: known?.id ?? parts.newId(),
          name,
          productId,
          variantType,
          productName,
          settings,
          createdAt: known?.createdAt ?? now,
          changedAt: now,
        }
        writeGoldenProfile(transaction, organizationId, profile)
        return profile
      })
      tell()
      return saved
    },

    async remove(id) {
      await workbook.write((transaction) => {
        goldenProfileIn(transaction, organizationId, id)
        deleteGoldenProfile(transaction, organizationId, id)
      })
      tell()
    },

    async notAllowed({ start, count }) {
      const found = await judged.get(organizationId, JSON.stringify(['not-allowed', minute()]), () =>
        judgeAllowed(parts),
      )
      return { ...found, rows: found.rows.slice(start, start + count), total: found.rows.length }
    },

    changed(how) {
      judged.changed(organizationId, how)
      rowsChanged.happened()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      rowsChanged.close()
      listeners.clear()
    },
  }
}

const refuse = (field: string, message: string): Failed => new Failed({ kind: 'invalid', field, message })
const notFound = (): Failed => new Failed({ kind: 'not-found', call: null, what: 'golden profile' })

function refuseNamesake(namesake: string | null, self: string | null): void {
  if (namesake !== null && namesake !== self)
    throw refuse('name', 'Another golden profile has this name already.')
}

function checkedName(typed: string): string {
  const name = typed.trim()
  const length = [...name].length
  if (name === '') throw refuse('name', 'A name is needed.')
  if (length > nameAtMost)
    throw refuse('name', `A name has at most ${nameAtMost} characters; this one has ${length}.`)
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name))
    throw refuse('name', 'A name cannot hold line breaks, tabs or other control characters.')
  if (folded(name).trim() === '') throw refuse('name', 'A name needs a letter, a digit or a sign.')
  return name
}

export const goldenProfileHandlers = (
  session: () => Promise<{ readonly goldenProfiles: GoldenProfiles }>,
): Handlers<'goldenProfiles'> => {
  const profiles = async (): Promise<GoldenProfiles> => (await session()).goldenProfiles
  return {
    list: async () => (await profiles()).list(),
    get: async ({ id }) => (await profiles()).get(id),
    devices: async (query) => (await profiles()).devices(query),
    deviceIds: async (query) => (await profiles()).deviceIds(query),
    save: async (draft) => (await profiles()).save(draft),
    remove: async ({ id }) => (await profiles()).remove(id),
    notAllowed: async (query) => (await profiles()).notAllowed(query),
  }
}
