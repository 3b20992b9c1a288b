import type { Trouble } from '../contract/api/app.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { Progress } from '../contract/progress.ts'
import { changeHandlers, openChanges, type Changes } from './changes/changes.ts'
import { openConnections, type Connections } from './connections/connections.ts'
import {
  downloadHandlers,
  downloadSource,
  openDownloads,
  type Downloads,
  type Waiting,
} from './downloads/downloads.ts'
import { deviceHandlers, deviceRows, openDevices, type Devices } from './devices/devices.ts'
import { jobHandlers, openListedJobs, type ActiveJobs } from './jobs/jobs.ts'
import { exportHandlers, openExports, type Exports } from './exports/exports.ts'
import type { Cancel, Database, Platform } from './platform.ts'
import { kitHandlers } from './kits/kits.ts'
import { journalHandlers, openJournal, operatingSystemUser, type Journal } from './journal/journal.ts'
import { openDocumentCache, type DocumentCache } from './metadata/document-cache.ts'
import { metadataHandlers } from './metadata/metadata.ts'
import { openNotifications, type ShowMessage } from './notifications/notifications.ts'
import { offlineHandlers } from './offline/offline.ts'
import { organizationHandlers, openOrganizations, type Organizations } from './organizations/organizations.ts'
import { overviewHandlers, openOverview, type OverviewReader } from './overview/overview.ts'
import { roomHandlers, openRooms, roomRows, type Rooms } from './rooms/rooms.ts'
import { openKeptPictures, pictureHandlers, type KeptPictures } from './pictures/pictures.ts'
import { savedViewHandlers, openSavedViews, type SavedViews } from './saved-views/saved-views.ts'
import { failureOf, replaced } from './storage/file-failure.ts'
import { emptiedFiles, openLedger } from './storage/opened-files.ts'
import { settingHandlers, hideKeptValues } from './settings/settings.ts'
import { openStore, type Store } from './storage/store.ts'
import { openWorkbook, type Workbook } from './storage/workbook.ts'
import { openWriteSlots, type WriteSlots } from './storage/write-slots.ts'
import { tagHandlers, openTags, type Tags } from './tags/tags.ts'
import { openTasks, taskHandlers, type Tasks } from './tasks.ts'
import { webhookHandlers, openWebhooks, type Webhooks } from './webhooks/webhooks.ts'
import { openEndedUnknown, type EndedUnknown } from './writes/ended-unknown.ts'

import type { AllHandlers } from '../contract/rpc-client.ts'
import { openEventBus, type Emit } from './event-bus.ts'
import { appHandlers } from './app-status.ts'
import type { CallLimits } from './call-budget/call-budget.ts'
import { definitionHandlers } from './definitions/definitions.ts'
import { explorerHandlers } from './explorer/explorer.ts'
import { firmwareHandlers } from './firmware/firmware.ts'
import { goldenProfileHandlers } from './golden-profiles/golden-profiles.ts'
import { releaseNoteHandlers } from './release-notes/release-notes.ts'
import { syncHandlers } from './sync/sync.ts'
import { writeHandlers, type Actor } from './writes/writes.ts'
import { refusingKeys } from './key-guard.ts'
import { openBudgets } from './session.ts'
import { openSessions, sessionsForCommand, type Sessions } from './sessions.ts'

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
   * Locks the writes of every organization: the screen was locked or the computer sleeps. `starting`: nobody
   * is present yet; confirmed jobs continue.
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
   * Progress of rebuilding tables after an update of the program, if that takes a while: no call is answered
   * meanwhile.
   */
  readonly rebuilding?: (progress: Progress) => void
}

/** Shared by all organizations: opened once by the core. */
export interface SharedDeps {
  readonly platform: Platform
  readonly organizations: Organizations
  readonly store: Store
  readonly ledger: Database
  /** Problems with the files of this home, to show until they are solved. */
  readonly fileTroubles: () => readonly Trouble[]
  /**
   * Why no write may be sent: its journal line or its write slot could not be stored on disk. null: both can.
   */
  readonly unkept: () => Failure | null
  readonly documents: DocumentCache
  readonly workbook: Workbook
  readonly devices: Devices
  readonly rooms: Rooms
  readonly changes: Changes
  readonly journal: Journal
  readonly writeSlots: WriteSlots
  readonly endedUnknown: EndedUnknown
  readonly tags: Tags
  readonly savedViews: SavedViews
  readonly exported: Exports
  readonly connections: Connections
  readonly pictures: KeptPictures
  readonly overview: OverviewReader
  readonly webhooks: Webhooks
  /** Closes them in reverse order. */
  readonly close: () => Promise<void>
}

/** Opens the modules in order; `close` closes them in reverse. Rejects with Failed `cache-unusable`. */
export async function createCore(
  platform: Platform,
  options: CoreOptions = { organization: null },
): Promise<Core> {
  const eventBus = openEventBus(platform.clock)
  const { emit } = eventBus
  const shared = await openSharedParts(platform, emit, options)
  const { organizations } = shared
  const budgets = openBudgets(shared, options.limits ?? null)
  const sessions = openSessions(shared, budgets, emit, () => organizations.find(options.organization))
  const folder = watchDataFolder(platform, () => {
    sessions.lockWrites()
    emit('app.changed', { what: 'standing' })
  })
  const downloads = openDownloads({
    ...{ platform, workbook: shared.workbook, journal: shared.journal, connections: shared.connections },
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
          platform.log.write('error', 'downloads did not go on', { error: String(error) })
      })
    },
    startNotifying: (show) => {
      notifications = openNotifications({
        ...{ platform, workbook: shared.workbook, rooms: shared.rooms, database: shared.store.database },
        current: sessions.currentOrganization,
        session: sessions.of,
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
  void sessions.finishRemovals(core.tasks)
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
    const failure = dataFolder.trouble()
    if (failure === null) {
      cancel = clock.after(lookAtFolderEveryInMs, look)
      return
    }
    log.write('error', 'The data folder is not owned any more', { reason: failure.reason })
    lost()
  }
  if (dataFolder.trouble() === null) cancel = clock.after(lookAtFolderEveryInMs, look)
  return { close: () => cancel() }
}

/** The folder cannot be owned: its own problem covers all files in it. */
const isLookedAt = ({ dataFolder }: Platform): boolean =>
  ['read-only', 'unreliable'].includes(dataFolder.trouble()?.reason ?? '')
const isReadOnly = ({ failure }: Trouble): boolean =>
  failure.kind === 'cache-unusable' && failure.reason === 'read-only'

/** The client for whom handlers work. */
interface HandlersFor {
  readonly sessions: Sessions
  readonly downloads: Downloads
  /** The name in the journal. */
  readonly who: string
  readonly waiting: Waiting
  readonly tasks: Tasks
}

/** Each module registers the methods for its clients. */
function handlersOf(
  shared: SharedDeps,
  { sessions, downloads, who, waiting, tasks }: HandlersFor,
  emit: Emit,
): AllHandlers {
  const { workbook, documents, devices, rooms, changes, store } = shared
  const session = sessions.current
  const current = sessions.currentOrganization
  const currentId = async (): Promise<string> => (await current()).id
  return {
    app: appHandlers(shared, sessions),
    budget: {
      tryNow: async () => {
        const trial = await (await session()).tryHeld()
        if (trial.outcome === 'lifted') void sessions.agree()
        return trial
      },
    },
    changes: changeHandlers(changes, currentId, () => {
      emit('changes.changed', { count: 0 })
      emit('app.changed', { what: 'standing' })
    }),
    connections: { list: () => shared.connections.list() },
    definitions: definitionHandlers(session),
    devices: {
      ...deviceHandlers({ devices, tags: shared.tags, changes, currentId }),
      ...settingHandlers({ devices, store, currentId, session, tasks }),
      firmware: async ({ id }) => (await session()).firmwareOf(id),
    },
    downloads: downloadHandlers(downloads, {
      ...{ currentId, who, waiting, tasks },
      chooseFolder: () => shared.platform.desktop.chooseFolder(),
    }),
    explorer: explorerHandlers(session, tasks),
    exports: exportHandlers(shared.exported, current, session),
    firmware: firmwareHandlers(devices, session, () => emit('firmware.changed', { count: 1 })),
    goldenProfiles: goldenProfileHandlers(session, tasks),
    jobs: jobHandlers(session, tasks),
    journal: journalHandlers(shared.journal, currentId),
    kits: kitHandlers(
      async () => ({
        ...{ devices, rooms, downloads, folders: shared.platform.folders, clock: shared.platform.clock },
        ...(await session()),
      }),
      { who, tasks },
    ),
    metadata: metadataHandlers({ documents, session, forgetCatalogue: sessions.forgetCatalogue }),
    offline: offlineHandlers(async () => ({ devices, documents, ...(await session()) }), tasks),
    organizations: organizationHandlers(shared.organizations, {
      keyWorks: async (organization, slot) => (await sessions.of(organization)).keyWorks(slot),
      agree: sessions.agree,
      forget: (id) =>
        tasks.run('removal', async (task) => {
          await downloads.forget(id)
          await sessions.forget(id, task)
        }),
    }),
    overview: overviewHandlers({
      overview: shared.overview,
      workbook,
      currentId,
      compared: async () => {
        const { approvals, notCompared } = await session()
        return { with: (await approvals.decisions()).comparesWith, not: await notCompared() }
      },
    }),
    pictures: pictureHandlers(session),
    releaseNotes: releaseNoteHandlers(session),
    rooms: roomHandlers({
      ...{ rooms, changes, currentId, session },
      changed: () => emit('rooms.changed', { count: 0 }),
    }),
    sync: syncHandlers(session),
    ...tagHandlers(shared.tags, currentId, tasks),
    tasks: taskHandlers(tasks),
    views: savedViewHandlers(shared.savedViews),
    webhooks: webhookHandlers(shared.webhooks),
    writes: writeHandlers(session),
  }
}

/** Opens what all organizations share and emits its change events. Rejects with Failed `cache-unusable`. */
async function openSharedParts(
  platform: Platform,
  emit: Emit,
  { organization, rebuilding }: CoreOptions,
): Promise<SharedDeps> {
  const { clock, newId } = platform
  const standing = (): void => emit('app.changed', { what: 'standing' })
  const emptiedTroubles = emptiedFiles(platform)
  const workbook = await openWorkbook(platform)
  const organizations = await openOrganizations(platform, workbook, organization)
  const store = await openStore(platform, [roomRows, deviceRows], hideKeptValues, rebuilding)
  const { database: ledger, trouble: ledgerTrouble } = await openLedger(platform)
  const journal = openJournal({
    workbook,
    clock,
    who: operatingSystemUser(),
    keyScrubber: () => organizations.keyScrubber(),
  })
  const writeSlots = openWriteSlots({ database: ledger, clock, newId })
  const endedUnknown = await openEndedUnknown({
    journal,
    slots: writeSlots,
    log: platform.log,
    clock,
    changed: standing,
  })
  const devices = openDevices({ store, clock })
  const rooms = openRooms({ store, workbook, clock })
  const changes = openChanges({ store, workbook, clock })
  const connections = openConnections({ workbook, clock, log: platform.log })
  const tags = await openTags({
    workbook,
    store,
    clock,
    newId,
    selected: (id, selection) => devices.selected(id, selection),
  })
  const exported = openExports({
    ...{ devices, rooms, changes, journal, jobs: openListedJobs(workbook) },
    ...{ desktop: platform.desktop, files: platform.files, clock, log: platform.log, newId },
  })
  const ends = [
    organizations.onChange((ids) => {
      emit('organizations.changed', { ids })
      standing()
    }),
    store.onTroubles(standing),
    journal.onChange(() => emit('journal.changed', { count: 1 })),
    changes.onChange(() => {
      emit('changes.changed', { count: 1 })
      standing()
    }),
    () => endedUnknown.close(),
    tags.onChange((id) => {
      devices.changed(id)
      emit('tags.changed', { count: 1 })
      emit('devices.changed', { count: 0 })
    }),
    exported.onChange(() => emit('exports.changed', { count: 1 })),
  ]
  return {
    platform,
    organizations,
    store,
    ledger,
    fileTroubles: () =>
      [...emptiedTroubles, workbook.trouble, ...store.troubles(), ledger.durable ? null : ledgerTrouble]
        .filter((trouble) => trouble !== null)
        .filter((trouble) => !isLookedAt(platform) || !isReadOnly(trouble)),
    unkept: () =>
      platform.dataFolder.trouble() ??
      workbook.unkept() ??
      (ledger.durable ? null : (ledgerTrouble?.failure ?? failureOf(replaced('ledger')))),
    documents: openDocumentCache({ database: store.database, clock, log: platform.log }),
    workbook,
    devices,
    rooms,
    changes,
    journal,
    writeSlots,
    endedUnknown,
    tags,
    savedViews: openSavedViews({ workbook, clock }),
    exported,
    connections,
    pictures: openKeptPictures(store.database),
    overview: openOverview({ store, rooms, changes, clock }),
    webhooks: openWebhooks({ platform, workbook, connections }),
    close: async () => {
      await exported.close()
      for (const end of ends) end()
      await connections.close()
      await ledger.close()
      await store.close()
      await organizations.close()
      await workbook.close()
    },
  }
}
