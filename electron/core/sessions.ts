import type { Job } from '../contract/api/jobs.ts'
import type { BudgetState } from '../contract/api/budget.ts'
import { Failed } from '../contract/failure.ts'
import type { Comparing } from '../contract/api/firmware.ts'
import type { Organization } from '../contract/api/organizations.ts'
import { openSession, type Session } from './session.ts'
import type { ActiveJobs } from './jobs/jobs.ts'
import type { SharedDeps } from './core-features.ts'
import { openOrganizationPurge } from './organizations/organization-purge.ts'
import type { RunningTask, Tasks } from './tasks.ts'

/**
 * The sessions of the requested organizations, opened when first needed and reopened when their profile
 * changes.
 */
export interface Sessions<S = Session> {
  /** Rejects with Failed `invalid` (field `organization`) if there is none. */
  readonly currentOrganization: () => Promise<Organization>
  /** The current organization's. */
  readonly current: () => Promise<S>
  readonly of: (organization: Organization) => Promise<S>
  /** Of the opened organizations. */
  readonly budgets: () => readonly BudgetState[]
  /** Jobs that run without a person, in every opened organization. */
  readonly activeJobs: () => ActiveJobs
  /** How far a running comparison of a fleet is; null: none is running. Opens no session. */
  readonly comparing: (organizationId: string) => Promise<Comparing | null>
  /**
   * Jobs of every opened organization but this one that have not ended, or missed their start time in this
   * run. Rejects with Failed.
   */
  readonly jobsBut: (organizationId: string) => Promise<readonly Job[]>
  /** Also opens the organizations whose jobs have not ended: without a session nobody would see them. */
  readonly startSyncing: () => void
  /** The interval of planned syncs was changed. */
  readonly reschedule: () => Promise<void>
  /**
   * `clear` deletes the cached catalogues and pictures. Prefetching is stopped first, so that no older data
   * is stored afterwards; then lists are updated, and the fleet's documents are read again.
   */
  readonly forgetCatalogue: (clear: () => Promise<void>) => Promise<void>
  /** Locks the writes of every organization. */
  readonly lockWrites: (which?: 'everything' | 'starting') => void
  /** The policy changed: what it forbids ends in every organization. */
  readonly followPolicy: () => void
  /** The current organization, its profile or its keys changed. Never rejects. */
  readonly reconcile: () => Promise<void>
  /**
   * Closes a removed organization's session and deletes all its data, as `Removals.finish`. Never rejects.
   */
  readonly forget: (organizationId: string, task: RunningTask) => Promise<void>
  /** Finishes earlier removals in the background. Never rejects. */
  readonly finishPurges: (tasks: Pick<Tasks, 'run'>) => Promise<void>
  readonly close: () => Promise<void>
}

interface OpenSession {
  readonly profile: string
  readonly session: Promise<Session>
  opened: Session | null
}

export function openSessions(
  shared: SharedDeps,
  currentOrNone: () => Promise<Organization | null>,
): Sessions {
  const { organizations, store, platform, emit } = shared
  const open = new Map<string, OpenSession>()
  const background = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>()
  const purge = openOrganizationPurge({ organizations, store, log: platform.log })
  let syncing = false
  const statusChanged = (): void => emit('app.changed', { what: 'status' })

  const closing = new Map<string, Promise<void>>()
  let isClosed = false

  /** While one session of an organization closes no other opens: it would end what the first still does. */
  const closeSession = (id: string): Promise<void> => {
    const entry = open.get(id)
    open.delete(id)
    background.get(id)?.stop.abort()
    background.delete(id)
    const closed = Promise.all([closing.get(id), entry?.session.catch(() => null)]).then(([, session]) =>
      session?.close(),
    )
    closing.set(
      id,
      closed.catch(() => undefined),
    )
    return closed
  }

  const begin = async (organization: Organization): Promise<Session> => {
    const session = await openSession(shared, organization)
    session.sync.onProgress(() => {
      if (!session.sync.state().running) warmAfterSync(session)
    })
    return session
  }

  const of = async (organization: Organization): Promise<Session> => {
    const profile = JSON.stringify([
      profileOf(organization),
      await organizations.budgetScope(organization.id),
    ])
    if (isClosed) throw new Failed({ kind: 'cancelled' })
    const previous = open.get(organization.id)
    if (previous?.profile === profile) return previous.session
    const session = closeSession(organization.id).then(() => begin(organization))
    const entry: OpenSession = { profile, session, opened: null }
    open.set(organization.id, entry)
    try {
      entry.opened = await entry.session
      return entry.opened
    } catch (error) {
      if (open.get(organization.id) === entry) open.delete(organization.id)
      throw error
    }
  }

  const currentOrganization = (): Promise<Organization> => known(currentOrNone)
  const current = async (): Promise<Session> => of(await currentOrganization())

  const syncEveryInMs = async (): Promise<number> =>
    (await shared.workbook.preferences()).syncEveryInMinutes * 60_000

  /**
   * Reads everything and then, in the background, the documents a technician needs without a connection.
   * Failures are part of the state of the sync.
   */
  const syncCurrent = async (): Promise<void> => {
    const session = await current()
    session.sync.schedule(await syncEveryInMs())
    if (!session.sync.state().running) await session.sync.run()
  }

  /** Firmware, notes, the definition version and pictures of the fleet's products, on the lowest lane. */
  const warm = async (session: Session, signal: AbortSignal): Promise<void> => {
    const { nothingPublished } = await session.compareFleet(signal)
    if (nothingPublished === true) return statusChanged()
    const { id, vendorId } = session.organization
    const isContentThere = await session.releaseNotes.warm({ signal })
    const common = await shared.devices.commonFirmware(id, definitionsAhead)
    const counts = isContentThere ? await shared.devices.countsByProduct(id) : new Map<number, number>()
    await Promise.all([
      session.definitions.warm({
        queries: common.map(({ productId, variantType, firmwareVersion }) => ({
          vendorId,
          productId,
          variantType,
          firmwareVersion,
        })),
        signal,
      }),
      session.pictures.warm(
        [...counts.keys()].map((productId) => ({ vendorId, productId })),
        signal,
      ),
    ])
  }

  const warmQuietly = (session: Session): void => {
    const { id } = session.organization
    const stop = new AbortController()
    background.get(id)?.stop.abort()
    const ended = warm(session, stop.signal).catch((error: unknown) => {
      if (!(error instanceof Failed))
        platform.log.write('error', 'reading documents in advance ended unexpectedly', {
          error: String(error),
        })
    })
    background.set(id, { stop, ended })
  }

  /**
   * After every complete sync: new products and new releases would otherwise remain unknown. Fresh documents
   * are not requested again.
   */
  const warmedAfter = new WeakMap<Session, number>()
  const warmAfterSync = (session: Session): void => {
    const { completeAt, last } = session.sync.state()
    if (!syncing || completeAt === null || last?.complete !== true || warmedAfter.get(session) === completeAt)
      return
    warmedAfter.set(session, completeAt)
    warmQuietly(session)
  }

  const openWithJobs = async (): Promise<void> => {
    const rows = await shared.workbook.query(
      `SELECT DISTINCT organization_id FROM job WHERE state <> 'ended'`,
      [],
    )
    const ids = new Set(rows.map((row) => String(row['organization_id'])))
    for (const organization of (await organizations.list()).organizations) {
      if (!ids.has(organization.id)) continue
      try {
        await of(organization)
        emit('jobs.changed', { ids: [] })
      } catch (error) {
        platform.log.write('warn', 'The jobs of an organization cannot be watched', { error: String(error) })
      }
    }
  }

  const reconcile = async (): Promise<void> => {
    try {
      // Rejects if the organization that was named for this run is removed.
      const organization = await currentOrNone()
      for (const [id, entry] of open) if (id !== organization?.id) entry.opened?.sync.schedule(0)
      if (organization === null || !syncing) return
      await of(organization)
      statusChanged()
      await syncCurrent()
    } catch (error) {
      if (!(error instanceof Failed))
        platform.log.write('error', 'sync ended unexpectedly', { error: String(error) })
      statusChanged()
    }
  }

  return {
    currentOrganization,
    current,
    of,
    budgets: () =>
      [...open.values()].flatMap(({ opened }) => (opened === null ? [] : [opened.budget.state()])),
    activeJobs() {
      const counts = [...open.values()].flatMap(({ opened }) =>
        opened === null ? [] : [opened.jobs.active()],
      )
      return {
        running: counts.reduce((total, { running }) => total + running, 0),
        waiting: counts.flatMap(({ waiting }) => waiting),
      }
    },
    comparing: async (organizationId) => (await open.get(organizationId)?.opened?.comparing()) ?? null,
    async jobsBut(organizationId) {
      const lists = await Promise.all(
        [...open].map(async ([id, { opened }]) =>
          opened === null || id === organizationId
            ? []
            : (await opened.jobs.list({ start: 0, count: watchedJobs })).jobs,
        ),
      )
      return lists.flat().filter((job) => job.state !== 'ended' || job.missed === 'in-this-run')
    },
    startSyncing: () => {
      syncing = true
      void reconcile()
      openWithJobs().catch((error: unknown) =>
        platform.log.write('error', 'Jobs of other organizations cannot be read', { error: String(error) }),
      )
    },
    async reschedule() {
      const organization = await currentOrNone()
      const entry = organization === null ? undefined : open.get(organization.id)
      if (syncing && entry?.opened) entry.opened.sync.schedule(await syncEveryInMs())
    },
    async forgetCatalogue(clear) {
      for (const { stop } of background.values()) stop.abort()
      await Promise.all([...background.values()].map(({ ended }) => ended))
      await clear()
      await shared.pictures.clear()
      emit('pictures.changed', { count: 0 })
      for (const { opened } of open.values()) await opened?.recomputeCompliance()
      const organization = await currentOrNone()
      const entry = organization === null ? undefined : open.get(organization.id)
      if (syncing && entry?.opened) warmQuietly(entry.opened)
    },
    lockWrites: (which) => {
      for (const { opened } of open.values()) opened?.lockWrites(which)
    },
    followPolicy: () => {
      for (const { opened } of open.values()) opened?.followPolicy()
    },
    reconcile,
    finishPurges: (tasks) => purge.resume(tasks),
    async forget(organizationId, task) {
      await closeSession(organizationId).catch((error: unknown) =>
        platform.log.write('error', 'A session did not close', { error: String(error) }),
      )
      await purge.finish(organizationId, task)
      shared.devices.changed(organizationId)
      shared.rooms.changed(organizationId)
    },
    async close() {
      isClosed = true
      await purge.close()
      for (const id of [...open.keys()]) await closeSession(id)
    },
  }
}

/** The newest jobs of an organization, among which those that have not ended are found: the maximum of a list. */
const watchedJobs = 500

async function known(find: () => Promise<Organization | null>): Promise<Organization> {
  const organization = await find()
  if (organization === null) throw Failed.invalid('organization', 'There is no organization yet.')
  return organization
}

/** The same sessions for one client: its organization is the current one, and it has its own writes. */
export function sessionsForClient(
  sessions: Sessions,
  find: () => Promise<Organization | null>,
  who: string,
): Sessions {
  const own = new Map<Session, Session>()
  let closed = false
  const of = async (organization: Organization): Promise<Session> => {
    const session = await sessions.of(organization)
    const mine = own.get(session) ?? session.forClient(who)
    own.set(session, mine)
    if (closed) void mine.close()
    return mine
  }
  const currentOrganization = (): Promise<Organization> => known(find)
  return {
    ...sessions,
    currentOrganization,
    of,
    current: async () => of(await currentOrganization()),
    async close() {
      closed = true
      await Promise.all([...own.values()].map((session) => session.close()))
    },
  }
}

/**
 * Variants and firmware versions whose definitions are read in advance: three documents each. Raise it if
 * definitions are often missing offline.
 */
const definitionsAhead = 40

/** The members on which a session depends; other members of an organization may change while it is open. */
const profileOf = (one: Organization): unknown => [
  one.preset,
  one.managementUrl,
  one.metadataUrl,
  one.managementVersion,
  one.metadataVersion,
  one.family,
  one.vendorId,
  one.definitionLimit,
  one.templates,
  one.rebootBy,
  one.assumed,
  one.includeStages,
]
