import { Failed } from '../contract/failure.ts'
import type { Progress } from '../contract/progress.ts'
import type { AllHandlers } from '../contract/rpc-client.ts'
import { openBudgets } from './budgets.ts'
import type { CallLimits } from './call-budget/call-budget.ts'
import { downloadSource, openDownloads, type Downloads, type Waiting } from './downloads/downloads.ts'
import { openEventBus } from './event-bus.ts'
import { handlersOf } from './handlers.ts'
import type { ActiveJobs } from './jobs/jobs.ts'
import { operatingSystemUser } from './journal/journal.ts'
import { refusingKeys } from './key-guard.ts'
import { openNotifications, type ShowMessage } from './notifications/notifications.ts'
import type { Cancel, Platform } from './platform.ts'
import { openSessions, sessionsForCommand, type Sessions } from './sessions.ts'
import { openSharedDeps, type SharedDeps } from './core-modules.ts'
import { openTasks, type Tasks } from './tasks.ts'
import type { Actor } from './writes/writes.ts'

/** The running core. Clients use `handlers`; the command line also uses a session directly. */
export interface Core {
  readonly handlers: AllHandlers
  readonly shared: SharedDeps
  readonly sessions: Sessions
  readonly downloads: Downloads
  /** Long work that clients of these handlers wait for. */
  readonly tasks: Tasks
  /**
   * The same core as one command uses it: with its organization, and with writes unlocked only for it.
   * `close` cancels what it did not send.
   */
  readonly forCommand: (command: CommandGiven) => Core
  /** Returns the function that ends it. */
  readonly onEvent: (listener: (event: string, payload: unknown) => void) => () => void
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
  /** Writes a bug to the log; returns the reference that finds it there. */
  readonly noteBug: (error: unknown, where: string) => string
  readonly close: () => Promise<void>
}

export interface CommandGiven {
  /** Name or id of its organization; null: the current one. */
  readonly organization: string | null
  readonly actor: Actor
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
}

/** Opens the modules in order; `close` closes them in reverse. Rejects with Failed `cache-unusable`. */
export async function createCore(
  platform: Platform,
  options: CoreOptions = { organization: null },
): Promise<Core> {
  const eventBus = openEventBus(platform.clock)
  const { emit } = eventBus
  const shared = await openSharedDeps(platform, emit, options)
  const { organizations } = shared
  const budgets = openBudgets(shared, options.limits ?? null)
  const sessions = openSessions(shared, budgets, emit, () => organizations.find(options.organization))
  const folder = watchDataFolder(platform, () => {
    sessions.lockWrites()
    emit('app.changed', { what: 'status' })
  })
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
  downloads.onChange((ids) => emit('downloads.changed', { ids }))
  /** `who` is the client that waits for its downloads. */
  const coreOf = (
    through: Sessions,
    who: string,
    waiting: Waiting,
  ): Pick<Core, 'handlers' | 'sessions' | 'tasks'> => {
    const tasks = openTasks(platform)
    return {
      handlers: refusingKeys(
        handlersOf(shared, { sessions: through, downloads, who, waiting, tasks }, emit),
        organizations,
      ),
      sessions: through,
      tasks,
    }
  }
  const window: Waiting = {}
  let notifications: { readonly close: () => Promise<void> } | null = null
  const core: Core = {
    ...coreOf(sessions, operatingSystemUser(), window),
    shared,
    downloads,
    forCommand({ organization, actor }) {
      const own = sessionsForCommand(sessions, () => organizations.find(organization), actor)
      const command: Waiting = {}
      const itsOwn = coreOf(own, actor.who, command)
      return {
        ...core,
        ...itsOwn,
        close: async () => {
          itsOwn.tasks.close()
          await own.close()
          await downloads.leave(command)
        },
      }
    },
    onEvent: (listener) => eventBus.listen(listener),
    startSyncing: () => {
      sessions.startSyncing()
      downloads.resumeAll(window).catch((error: unknown) => {
        if (!(error instanceof Failed))
          platform.log.write('error', 'Downloads could not be resumed', { error: String(error) })
      })
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
    noteBug: (error, where) => {
      const reference = platform.newId().slice(0, 8)
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
      platform.log.write('error', 'bug', {
        reference,
        where,
        error: `${name}: ${message}`,
        stack: stack ?? '',
      })
      return reference
    },
    close: async () => {
      folder.close()
      eventBus.close()
      await notifications?.close()
      core.tasks.close()
      await downloads.close()
      await sessions.close()
      await budgets.close()
      await shared.close()
    },
  }
  core.tasks.onChange((id) => emit('tasks.changed', { ids: [id] }))
  void sessions.finishPurges(core.tasks)
  return core
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
