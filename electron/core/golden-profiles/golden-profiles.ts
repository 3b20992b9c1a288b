import { Failed, isCancelled } from '../../contract/failure.ts'
import type {
  DriftedDevice,
  DriftedDeviceSlice,
  GoldenDevicesQuery,
  GoldenProfile,
  GoldenProfileDetails,
  GoldenProfileDraft,
  GoldenProfileSummary,
  NotAllowedSlice,
} from '../../contract/api/golden-profiles.ts'
import type { SettingChange } from '../../contract/api/settings.ts'
import type { Devices } from '../devices/devices.ts'
import { throttle } from '../throttle.ts'
import type { Clock, Platform } from '../platform.ts'
import { refuseUnusable, type CachedSettings } from '../settings/settings.ts'
import { ResultCache, type RowsChanged } from '../storage/result-cache.ts'
import { folded } from '../../contract/filter/folded.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'
import { SharedTask, unwatched, type RunningTask, type Tasks } from '../tasks.ts'
import { isConfidential } from '../writes/writes.ts'
import { judgeAllowed, judgeFleet, published, type FleetDrift, type ProfileDrift } from './fleet-drift.ts'
import {
  deleteGoldenProfile,
  goldenProfileCount,
  goldenProfileIn,
  namesakeOf,
  queryGoldenProfiles,
  writeGoldenProfile,
} from './golden-profile-rows.ts'
import { settingSummary, summaryOf } from './profile-summary.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { Listeners } from '../listeners.ts'

/** Maximum for one organization. Raise it if people need more. */
const goldenProfilesAtMost = 100
/** Characters of a name. Raise it if real names are longer. */
const nameAtMost = 60
/** Ids that one selection may contain (contract). */
const idsAtMost = 10_000
/**
 * Interval for combining events about reads and rows: the fleet is compared again after each. Raise it if
 * this costs time during a sync.
 */
const tellEveryInMs = 2_000
/**
 * A result is computed again after this time at the latest: a feature model stored meanwhile causes no event.
 * Lower it if results look outdated.
 */
const judgedAnewAfterInMs = 60_000

/**
 * Golden profiles of one organization, and the results of comparing its devices. Uses stored settings; sends
 * no request. Rejects with Failed `invalid`, `not-found` or `cache-unusable`.
 */
export interface GoldenProfiles {
  /** Natural sort by name. */
  list(task?: RunningTask): Promise<readonly GoldenProfileSummary[]>
  get(id: string, task?: RunningTask): Promise<GoldenProfileDetails>
  devices(
    query: GoldenDevicesQuery & { readonly start: number; readonly count: number },
    task?: RunningTask,
  ): Promise<DriftedDeviceSlice>
  deviceIds(
    query: GoldenDevicesQuery,
    task?: RunningTask,
  ): Promise<{ readonly ids: readonly string[]; readonly total: number }>
  save(draft: GoldenProfileDraft, task?: RunningTask): Promise<GoldenProfile>
  remove(id: string): Promise<void>
  notAllowed(
    window: { readonly start: number; readonly count: number },
    task?: RunningTask,
  ): Promise<NotAllowedSlice>
  /** Device rows, or their stored settings, changed. */
  changed(how: RowsChanged): void
  /** Golden profiles or results may have changed: query again. Returns the function that ends it. */
  onChange(listener: () => void): () => void
  close(): void
}

export interface GoldenProfilesDeps {
  readonly organizationId: string
  readonly workbook: Workbook
  readonly store: Pick<Store, 'database'>
  readonly devices: Pick<Devices, 'listed' | 'slice'>
  readonly settings: Pick<CachedSettings, 'begin'>
  readonly clock: Clock
  readonly newId: Platform['newId']
}

export function openGoldenProfiles(deps: GoldenProfilesDeps): GoldenProfiles {
  const { organizationId, workbook, clock } = deps
  const judged = new ResultCache(clock, 2)
  const listeners = new Listeners()
  const tell = listeners.notify
  const rowsChanged = throttle(clock, tellEveryInMs, () => {
    judged.changed(organizationId, 'settled')
    tell()
  })
  const minute = (): number => Math.floor(clock.now() / judgedAnewAfterInMs)

  const all = (): Promise<readonly GoldenProfile[]> => queryGoldenProfiles(workbook, organizationId)
  /** Running comparisons by query: several callers may wait for one. */
  const shared = new Map<string, SharedTask>()
  const judge = async <T>(
    task: RunningTask,
    question: string,
    make: (task: RunningTask) => Promise<T>,
  ): Promise<T> => {
    const known = shared.get(question)
    const own = known?.isRunning === true ? known : new SharedTask()
    shared.set(question, own)
    try {
      return await own.join(
        task,
        judged.get<unknown>(organizationId, question, () => make(own.running)) as Promise<T>,
      )
    } catch (error) {
      // The comparison that this caller joined was cancelled by the earlier callers.
      if (own.isRunning && !task.signal.aborted && isCancelled(error))
        return await judge(task, question, make)
      throw error
    } finally {
      if (shared.get(question) === own) shared.delete(question)
    }
  }
  const fleet = (profiles: readonly GoldenProfile[], task: RunningTask): Promise<FleetDrift> =>
    judge(task, JSON.stringify(['golden', minute(), profiles]), (judging) =>
      judgeFleet(deps, profiles, judging),
    )

  const one = async (
    id: string,
    task: RunningTask,
  ): Promise<ProfileDrift & { readonly profile: GoldenProfile }> => {
    const profiles = await all()
    const profile = profiles.find((known) => known.id === id)
    if (profile === undefined) throw notFound()
    return { profile, ...((await fleet(profiles, task)).get(id) ?? nothing) }
  }

  const requested = async (
    { id, state, setting }: GoldenDevicesQuery,
    task: RunningTask,
  ): Promise<readonly DriftedDevice[]> =>
    (await one(id, task)).devices.filter(
      (device) =>
        (state === null || device.state === state) &&
        (setting === null || device.drift.some(({ name }) => name === setting)),
    )

  /** The product's name according to one of its devices; null: none has one. */
  const productNameOf = async (productId: number): Promise<string | null> => {
    const { rows } = await deps.devices.slice(organizationId, {
      where: `pid:${productId}`,
      sort: [],
      start: 0,
      count: 1,
    })
    return rows[0]?.productName ?? null
  }

  /** On, off and the choices that a device publishes, such as a language code, are not confidential. */
  const refuseConfidential = async (
    productId: number,
    settings: readonly SettingChange[],
    task: RunningTask,
  ): Promise<void> => {
    const names = new Set(
      settings.flatMap(({ name, value }) =>
        typeof value !== 'boolean' && isConfidential(name) ? [name] : [],
      ),
    )
    if (names.size === 0) return
    const harmless = await published(deps, productId, names, task)
    for (const name of names)
      if (!harmless.has(name))
        throw Failed.invalid(
          `settings.${name}`,
          `The value of "${name}" may be a password or a code, so a golden profile cannot contain it. Leave this setting out.`,
        )
  }

  return {
    async list(task = unwatched) {
      const profiles = await all()
      const drift = await fleet(profiles, task)
      return profiles.map((profile) => summaryOf(profile, (drift.get(profile.id) ?? nothing).devices))
    },

    async get(id, task = unwatched) {
      const { profile, ...drift } = await one(id, task)
      return {
        ...summaryOf(profile, drift.devices),
        settings: profile.settings.map((change) => settingSummary(change, drift)),
      }
    },

    async devices({ start, count, ...query }, task = unwatched) {
      const found = await requested(query, task)
      return { rows: found.slice(start, start + count), total: found.length }
    },

    async deviceIds(query, task = unwatched) {
      const found = await requested(query, task)
      return { ids: found.slice(0, idsAtMost).map(({ id }) => id), total: found.length }
    },

    async save({ id, name: typed, productId, variantType, settings }, task = unwatched) {
      const name = checkedName(typed)
      refuseUnusable(settings)
      await refuseConfidential(productId, settings, task)
      const statedName = await productNameOf(productId)
      const now = clock.now()
      const saved = await workbook.write((transaction) => {
        const known = id === null ? null : goldenProfileIn(transaction, organizationId, id)
        refuseNamesake(namesakeOf(transaction, organizationId, name), known?.id ?? null)
        if (known === null && goldenProfileCount(transaction, organizationId) >= goldenProfilesAtMost)
          throw Failed.invalid(
            'name',
            `There are already ${goldenProfilesAtMost} golden profiles, which is the maximum. Remove one first.`,
          )
        const productName = statedName ?? (known?.productId === productId ? known.productName : null)
        const profile = {
          id: known?.id ?? deps.newId(),
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

    async notAllowed({ start, count }, task = unwatched) {
      const found = await judge(task, JSON.stringify(['not-allowed', minute()]), (judging) =>
        judgeAllowed(deps, judging),
      )
      return { ...found, rows: found.rows.slice(start, start + count), total: found.rows.length }
    },

    changed(how) {
      judged.changed(organizationId, how)
      rowsChanged.happened()
    },
    onChange: listeners.add,
    close() {
      rowsChanged.close()
      listeners.clear()
    },
  }
}

/** Of a golden profile that was saved meanwhile. */
const nothing: ProfileDrift = { devices: [], choices: new Set() }
const notFound = (): Failed => Failed.notFound('golden profile')

function refuseNamesake(namesake: string | null, self: string | null): void {
  if (namesake !== null && namesake !== self)
    throw Failed.invalid('name', 'Another golden profile has this name already.')
}

function checkedName(typed: string): string {
  const name = typed.trim()
  const length = [...name].length
  if (name === '') throw Failed.invalid('name', 'Enter a name.')
  if (length > nameAtMost)
    throw Failed.invalid('name', `A name can have at most ${nameAtMost} characters. This one has ${length}.`)
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name))
    throw Failed.invalid('name', 'A name cannot contain line breaks, tabs or other control characters.')
  if (folded(name).trim() === '')
    throw Failed.invalid('name', 'A name needs at least one letter, digit or symbol.')
  return name
}

export const goldenProfileHandlers = (
  session: () => Promise<{ readonly goldenProfiles: GoldenProfiles }>,
  tasks: Tasks,
): Handlers<'goldenProfiles'> => {
  const profiles = async (): Promise<GoldenProfiles> => (await session()).goldenProfiles
  const drift = <T>(ask: (own: GoldenProfiles, task: RunningTask) => Promise<T>): Promise<T> =>
    tasks.run('drift', async (task) => ask(await profiles(), task))
  return {
    list: () => drift((own, task) => own.list(task)),
    get: ({ id }) => drift((own, task) => own.get(id, task)),
    devices: (query) => drift((own, task) => own.devices(query, task)),
    deviceIds: (query) => drift((own, task) => own.deviceIds(query, task)),
    save: (draft) => drift((own, task) => own.save(draft, task)),
    remove: async ({ id }) => (await profiles()).remove(id),
    notAllowed: (query) => drift((own, task) => own.notAllowed(query, task)),
  }
}
