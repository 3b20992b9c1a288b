import { Failed } from '../contract/failure.ts'
import type { Organization } from '../contract/api/organizations.ts'
import type { Progress } from '../contract/progress.ts'
import type { AllHandlers } from '../contract/rpc-client.ts'
import { serverOver, type Server } from '../contract/rpc-server.ts'
import type { CallLimits } from './call-budget/call-budget.ts'
import { openDownloads, type Downloads, type DownloadWaiter } from './downloads/downloads.ts'
import { downloadSource } from './downloads/feature.ts'
import { onlyChosenFolders } from './chosen-folders.ts'
import { openEventBus } from './event-bus.ts'
import type { ActiveJobs } from './jobs/jobs.ts'
import { operatingSystemUser } from './journal/journal.ts'
import { refusingKeys } from './key-guard.ts'
import type { Organizations } from './organizations/organizations.ts'
import { openNotifications, type ShowMessage } from './notifications/notifications.ts'
import type { Cancel, Platform } from './platform.ts'
import { handlersUnderPolicy, openPolicy, platformUnderPolicy } from './policy/policy.ts'
import { openSessions, sessionsForClient, type Sessions } from './sessions.ts'
import { openSharedDeps, sharedFeatures, type SharedDeps } from './core-features.ts'
import { sessionFeatures } from './session.ts'
import type { Client } from './feature.ts'
import type { Session } from './session.ts'
import type { MayUnlock } from './writes/writes.ts'
import { openTasks, type Tasks } from './tasks.ts'

/** One client of the core: its unlock, its tasks and what it waits for belong to it and end with it. */
export interface Connection {
  readonly handlers: AllHandlers
  /** The same methods by name, for a client in another process or without trust. */
  readonly server: Server
  /** Returns the function that ends it. */
  readonly onEvent: (listener: (event: string, payload: unknown) => void) => () => void
  /** Cancels what was not sent; its jobs pause unless they are detached. */
  readonly close: () => Promise<void>
}

/** The running core, and the connection of its window. */
export interface Core extends Connection {
  readonly shared: SharedDeps
  readonly sessions: Sessions
  readonly downloads: Downloads
  /** Long work that the window waits for. */
  readonly tasks: Tasks
  readonly connect: (client: ClientGiven) => Connection
  /**
   * Syncs the current organization now and every 15 minutes, also when another becomes current later;
   * unfinished downloads resume.
   */
  readonly startSyncing: () => void
  /**
   * From now on `show` is called for the notifications selected in the preferences. Call it once; a platform
   * without notifications does not call it.
   */
  readonly startNotifying: (show: ShowMessage) => void
  /**
   * Locks the writes of every organization: the screen was locked or the computer sleeps. `starting`: no
   * person is present yet; confirmed jobs continue.
   */
  readonly lockWrites: (which?: 'everything' | 'starting') => void
  /** Jobs that run without a person, now or at their time: a platform asks before it ends them. */
  readonly activeJobs: () => ActiveJobs
  /** From now on it is asked once a day for a newer version of this program. */
  readonly startAskingForNewer: () => void
  /** Writes a bug to the log; returns the reference that finds it there. */
  readonly noteBug: (error: unknown, where: string) => string
  readonly close: () => Promise<void>
}

/** A client besides the window. */
interface ClientGiven {
  /** Name or id of its organization, which it keeps; null: the one that is current now. */
  readonly organization: string | null
  /** For the journal, after the operating system's user; null: the user alone. */
  readonly name: string | null
}

export interface CoreOptions {
  /** Name or id of the organization to work for; null: the current one. */
  readonly organization: string | null
  /** A service with other limits than the specification's, such as a demonstration with smaller windows. */
  readonly limits?: CallLimits
  /**
   * Progress of rebuilding tables after an update of the program, if that takes a while: calls wait until it
   * is done.
   */
  readonly rebuilding?: (progress: Progress) => void
  /** For the window; missing: its word suffices, as in tests. */
  readonly mayUnlock?: MayUnlock
}

/** Opens the modules in order; `close` closes them in reverse. Rejects with Failed `cache-unusable`. */
export async function createCore(
  given: Platform,
  options: CoreOptions = { organization: null },
): Promise<Core> {
  const eventBus = openEventBus(given.clock)
  const { emit } = eventBus
  const policy = await openPolicy(given)
  const followProxy = (): void => given.useProxy?.(policy.settings().proxy ?? null)
  followProxy()
  const platform = platformUnderPolicy(given, policy)
  const shared = await openSharedDeps({
    platform,
    policy,
    emit,
    named: options.organization,
    limits: options.limits ?? null,
    rebuilding: options.rebuilding ?? (() => undefined),
    mayUnlock: options.mayUnlock ?? (async () => 'yes'),
  }).catch((error: unknown) => {
    policy.close()
    throw error
  })
  const { organizations } = shared
  const sessions = openSessions(shared, () => organizations.find(options.organization))
  const folder = watchDataFolder(platform, () => {
    sessions.lockWrites()
    emit('app.changed', { what: 'status' })
  })
  const stopHearingProxy = platform.proxySignIn?.onChange(() => emit('app.changed', { what: 'status' }))
  const downloads = openDownloads({
    platform,
    workbook: shared.workbook,
    journal: shared.journal,
    connections: shared.connections,
    source: async (id) =>
      downloadSource(
        await sessions.of(organizations.get(id)),
        (await organizations.addresses(id)).metadataUrl,
      ),
  })
  const isLocked = (): boolean => policy.refusal('locked') !== null
  const continueDownloads = (): void => {
    const work = isLocked() ? downloads.pauseAll() : downloads.resumeAll(windowWaiting)
    work.catch((error: unknown) => {
      if (!(error instanceof Failed))
        platform.log.write('error', 'Downloads could not be resumed or paused', { error: String(error) })
    })
  }
  policy.onChange(() => {
    followProxy()
    emit('app.changed', { what: 'status' })
    sessions.followPolicy()
    if (isLocked()) continueDownloads()
  })
  downloads.onChange((ids) => emit('downloads.changed', { ids }))
  const noteBug = (error: unknown, where: string): string => {
    const reference = platform.newId().slice(0, 8)
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    platform.log.write('error', 'bug', {
      reference,
      where,
      error: `${name}: ${message}`,
      stack: stack ?? '',
    })
    return reference
  }
  const clientOf = (through: Sessions, who: string, isWindow: boolean) => {
    const waiting: DownloadWaiter = {}
    const tasks = openTasks(platform)
    const opened = shared.exported.forClient()
    const client: Client<SharedDeps, Session> = {
      shared,
      session: through.current,
      sessions: through,
      current: through.currentOrganization,
      currentId: async () => (await through.currentOrganization()).id,
      who,
      downloads,
      waiting,
      tasks,
      opened,
    }
    // A method of the contract without a handler does not compile.
    const handlers: AllHandlers = refusingKeys(
      handlersUnderPolicy(
        { ...sharedFeatures.handlers(client), ...sessionFeatures.handlers(client) },
        policy,
      ),
      organizations,
    )
    const leave = async (): Promise<void> => {
      tasks.close()
      await opened.close()
      await downloads.leave(waiting)
    }
    const server = serverOver(isWindow ? onlyChosenFolders(handlers) : handlers, noteBug, isWindow)
    return { handlers, server, tasks, waiting, leave }
  }
  const {
    waiting: windowWaiting,
    leave: closeWindow,
    ...window
  } = clientOf(sessions, operatingSystemUser(), true)
  let notifications: { readonly close: () => Promise<void> } | null = null
  const core: Core = {
    ...window,
    shared,
    sessions,
    downloads,
    connect({ organization, name }) {
      const user = operatingSystemUser()
      const who = name === null ? user : `${user}, ${name}`
      const own = sessionsForClient(sessions, keeping(organizations, organization), who)
      const { handlers, server, leave } = clientOf(own, who, false)
      return {
        handlers,
        server,
        onEvent: core.onEvent,
        close: async () => {
          await Promise.all([own.close(), leave()])
        },
      }
    },
    onEvent: (listener) => eventBus.listen(listener),
    startSyncing: () => {
      sessions.startSyncing()
      continueDownloads()
    },
    startNotifying: (show) => {
      notifications = openNotifications({
        platform,
        workbook: shared.workbook,
        rooms: shared.rooms,
        database: shared.store.database,
        current: sessions.currentOrganization,
        session: sessions.of,
        jobsBut: sessions.jobsBut,
        nameOf: shared.organizations.nameOf,
        listen: (listener) => eventBus.listen(listener),
        show,
        opened: (place) => emit('app.opened', place),
      })
    },
    lockWrites: (which) => sessions.lockWrites(which),
    activeJobs: () => sessions.activeJobs(),
    startAskingForNewer: () => void shared.newerVersions.start(),
    noteBug,
    close: async () => {
      folder.close()
      policy.close()
      stopHearingProxy?.()
      eventBus.close()
      await notifications?.close()
      await closeWindow()
      await downloads.close()
      await sessions.close()
      await shared.close()
    },
  }
  core.tasks.onChange((id) => emit('tasks.changed', { ids: [id] }))
  void sessions.finishPurges(core.tasks)
  return core
}

/** A client keeps the organization it began with, by its id: it may be renamed, or another become current. */
function keeping(
  organizations: Pick<Organizations, 'find'>,
  named: string | null,
): () => Promise<Organization | null> {
  let found = organizations.find(named)
  // Failed is for the one who asks.
  found.catch(() => undefined)
  return async () => {
    const organization = await found
    found = organizations.find(organization?.id ?? named)
    return found
  }
}

/**
 * Whether this process still owns the folder is checked before every write and at this interval between
 * writes. One check is one `stat`; lower it if the notice appears too late.
 */
const lookAtFolderEveryInMs = 5_000

/** `lost`: called once, when nothing may be sent any more. */
function watchDataFolder(
  { clock, dataFolder, log }: Platform,
  lost: () => void,
): { readonly close: () => void } {
  let cancel: Cancel = () => undefined
  const look = (): void => {
    const failure = dataFolder.problem()
    if (failure === null) {
      cancel = clock.after(lookAtFolderEveryInMs, look)
      return
    }
    log.write('error', 'This process no longer owns the data folder', { reason: failure.reason })
    lost()
  }
  if (dataFolder.problem() === null) cancel = clock.after(lookAtFolderEveryInMs, look)
  return { close: () => cancel() }
}
