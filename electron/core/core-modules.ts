import type { AppProblem } from '../contract/api/app.ts'
import { isKind, type Failure } from '../contract/failure.ts'
import type { Progress } from '../contract/progress.ts'
import { openChanges, type Changes } from './changes/changes.ts'
import { openConnections, type Connections } from './connections/connections.ts'
import { deviceRows, openDevices, type Devices } from './devices/devices.ts'
import type { Emit } from './event-bus.ts'
import { openExports, type Exports } from './exports/exports.ts'
import { openListedJobs } from './jobs/jobs.ts'
import { openJournal, operatingSystemUser, type Journal } from './journal/journal.ts'
import { openDocumentCache, type DocumentCache } from './metadata/document-cache.ts'
import { openOrganizations, type Organizations } from './organizations/organizations.ts'
import { openOverview, type OverviewReader } from './overview/overview.ts'
import { openCachedPictures, type CachedPictures } from './pictures/pictures.ts'
import type { Platform } from './platform.ts'
import { openRooms, roomRows, type Rooms } from './rooms/rooms.ts'
import { openSavedViews, type SavedViews } from './saved-views/saved-views.ts'
import { noteLostHistory } from './storage/lost-history.ts'
import { emptiedFiles } from './storage/opened-files.ts'
import { openStore, type Store } from './storage/store.ts'
import { openWorkbook, type Workbook } from './storage/workbook.ts'
import { openTags, type Tags } from './tags/tags.ts'
import { openWebhooks, type Webhooks } from './webhooks/webhooks.ts'
import { openUnconfirmedWrites, type UnconfirmedWrites } from './writes/unconfirmed-writes.ts'
import { openWriteSlots, type MayUnlock, type WriteSlots } from './writes/writes.ts'

/** Shared by all organizations: opened once by the core. */
export interface SharedDeps {
  readonly platform: Platform
  readonly organizations: Organizations
  readonly store: Store
  /** Problems with the files of this data folder, to show until they are solved. */
  readonly fileProblems: () => readonly AppProblem[]
  /** Why no write may be sent: its journal line could not be stored on disk. null: it can. */
  readonly storageProblem: () => Failure | null
  /** Of the window. */
  readonly mayUnlock: MayUnlock
  readonly documents: DocumentCache
  readonly workbook: Workbook
  readonly devices: Devices
  readonly rooms: Rooms
  readonly changes: Changes
  readonly journal: Journal
  readonly writeSlots: WriteSlots
  readonly unconfirmedWrites: UnconfirmedWrites
  readonly tags: Tags
  readonly savedViews: SavedViews
  readonly exported: Exports
  readonly connections: Connections
  readonly pictures: CachedPictures
  readonly overview: OverviewReader
  readonly webhooks: Webhooks
  /** Closes them in reverse order. */
  readonly close: () => Promise<void>
}

/** Opens what all organizations share and emits its change events. Rejects with Failed `cache-unusable`. */
export async function openSharedDeps(
  platform: Platform,
  emit: Emit,
  {
    organization,
    rebuilding,
    mayUnlock = async () => 'yes',
  }: {
    readonly organization: string | null
    readonly rebuilding?: (progress: Progress) => void
    readonly mayUnlock?: MayUnlock
  },
): Promise<SharedDeps> {
  const { clock, newId } = platform
  const statusChanged = (): void => emit('app.changed', { what: 'status' })
  const emptiedProblems = emptiedFiles(platform)
  const isNew = platform.databases.found('workbook') !== 'filled'
  const workbook = await openWorkbook(platform)
  const organizations = await openOrganizations(platform, workbook, organization)
  const store = await openStore(platform, [roomRows, deviceRows], rebuilding)
  if (isNew || isDamaged(workbook.problem)) {
    const rows = await store.database.query('SELECT 1 FROM raw_record LIMIT 1')
    if (rows.length > 0) await noteLostHistory(workbook, clock.now())
  }
  const journal = openJournal({
    workbook,
    clock,
    who: operatingSystemUser(),
    keyScrubber: () => organizations.keyScrubber(),
  })
  const writeSlots = openWriteSlots(clock)
  const unconfirmedWrites = await openUnconfirmedWrites({
    workbook,
    clock,
    journal,
    slots: writeSlots,
    log: platform.log,
    changed: statusChanged,
  })
  const devices = openDevices({ store, clock })
  const rooms = openRooms({ store, workbook, clock })
  const changes = openChanges({ store, workbook, clock })
  const connections = openConnections({ workbook, clock, log: platform.log, nameOf: organizations.nameOf })
  const tags = openTags({
    workbook,
    store,
    clock,
    newId,
    selected: (id, selection) => devices.selected(id, selection),
  })
  const exported = openExports({
    devices,
    rooms,
    changes,
    journal,
    jobs: openListedJobs(workbook, clock),
    desktop: platform.desktop,
    files: platform.files,
    clock,
    log: platform.log,
    newId,
  })
  const disposers = [
    organizations.onChange((ids) => {
      emit('organizations.changed', { ids })
      statusChanged()
    }),
    store.onProblems(statusChanged),
    journal.onChange(() => emit('journal.changed', { count: 1 })),
    changes.onChange(() => {
      emit('changes.changed', { count: 1 })
      statusChanged()
    }),
    () => unconfirmedWrites.close(),
    tags.onChange((id) => {
      devices.changed(id)
      changes.changed(id)
      emit('tags.changed', { count: 1 })
      emit('devices.changed', { count: 0 })
    }),
    exported.onChange(() => emit('exports.changed', { count: 1 })),
  ]
  return {
    platform,
    organizations,
    store,
    fileProblems: () =>
      [...emptiedProblems, workbook.problem, ...store.problems()]
        .filter((problem) => problem !== null)
        .filter((problem) => !isLookedAt(platform) || !isReadOnly(problem)),
    storageProblem: () => platform.dataFolder.problem() ?? workbook.storageProblem(),
    documents: openDocumentCache({ database: store.database, clock, log: platform.log }),
    mayUnlock,
    workbook,
    devices,
    rooms,
    changes,
    journal,
    writeSlots,
    unconfirmedWrites,
    tags,
    savedViews: openSavedViews({ workbook, clock }),
    exported,
    connections,
    pictures: openCachedPictures(store.database),
    overview: openOverview({ store, rooms, changes, clock }),
    webhooks: openWebhooks({ platform, workbook, connections }),
    close: async () => {
      await exported.close()
      for (const end of disposers) end()
      await connections.close()
      await store.close()
      await organizations.close()
      await workbook.close()
    },
  }
}
/** The folder cannot be owned: its own problem covers all files in it. */
const isLookedAt = ({ dataFolder }: Platform): boolean =>
  ['read-only', 'unreliable'].includes(dataFolder.problem()?.reason ?? '')
const isDamaged = (problem: AppProblem | null): boolean =>
  isKind(problem?.failure, 'cache-unusable') && problem.failure.reason === 'damaged'
const isReadOnly = ({ failure }: AppProblem): boolean =>
  isKind(failure, 'cache-unusable') && failure.reason === 'read-only'
