import type { AllHandlers } from '../contract/rpc-client.ts'
import { appHandlers } from './app-status.ts'
import { changeHandlers } from './changes/changes.ts'
import { definitionHandlers } from './definitions/definitions.ts'
import { deviceHandlers } from './devices/devices.ts'
import { downloadHandlers, type Downloads, type Waiting } from './downloads/downloads.ts'
import type { Emit } from './event-bus.ts'
import { explorerHandlers } from './explorer/explorer.ts'
import { exportHandlers, type OpenExports } from './exports/exports.ts'
import { firmwareHandlers } from './firmware/firmware.ts'
import { goldenProfileHandlers } from './golden-profiles/golden-profiles.ts'
import { jobHandlers } from './jobs/jobs.ts'
import { journalHandlers } from './journal/journal.ts'
import { kitHandlers } from './kits/kits.ts'
import { metadataHandlers } from './metadata/metadata-handlers.ts'
import { offlineHandlers } from './offline/offline.ts'
import { organizationHandlers } from './organizations/organizations.ts'
import { overviewHandlers } from './overview/overview.ts'
import { pictureHandlers } from './pictures/pictures.ts'
import { releaseNoteHandlers } from './release-notes/release-notes.ts'
import { roomHandlers } from './rooms/rooms.ts'
import { savedViewHandlers } from './saved-views/saved-views.ts'
import type { Sessions } from './sessions.ts'
import { settingHandlers } from './settings/settings.ts'
import type { SharedDeps } from './core-modules.ts'
import { syncHandlers } from './sync/sync.ts'
import { tagHandlers } from './tags/tags.ts'
import { taskHandlers, type Tasks } from './tasks.ts'
import { webhookHandlers } from './webhooks/webhooks.ts'
import { writeHandlers } from './writes/writes.ts'

/** The client for whom handlers work. */
interface HandlersFor {
  readonly sessions: Sessions
  readonly downloads: Downloads
  /** The name in the journal. */
  readonly who: string
  readonly waiting: Waiting
  readonly tasks: Tasks
  readonly opened: OpenExports
}

/** Each module registers the methods for its clients. */
export function handlersOf(
  shared: SharedDeps,
  { sessions, downloads, who, waiting, tasks, opened }: HandlersFor,
  emit: Emit,
): AllHandlers {
  const { workbook, documents, devices, rooms, changes, store } = shared
  const session = sessions.current
  const current = sessions.currentOrganization
  const currentId = async (): Promise<string> => (await current()).id
  return {
    app: appHandlers(shared, sessions),
    budget: {
      states: async () => sessions.budgets(),
      tryNow: async ({ reference }) => {
        const trial = await (await session()).tryDuringHold(reference)
        if (trial.outcome === 'lifted') void sessions.reconcile()
        return trial
      },
    },
    changes: changeHandlers(changes, currentId, () => {
      emit('changes.changed', { count: 0 })
      emit('app.changed', { what: 'status' })
    }),
    connections: { list: () => shared.connections.list() },
    definitions: definitionHandlers(session),
    devices: {
      ...deviceHandlers({ devices, tags: shared.tags, changes, currentId, session }),
      ...settingHandlers({ devices, store, currentId, session, tasks }),
      firmware: async ({ id }) => (await session()).firmwareOf(id),
    },
    downloads: downloadHandlers(downloads, {
      currentId,
      who,
      waiting,
      tasks,
      chooseFolder: () => shared.platform.desktop.chooseFolder(),
    }),
    explorer: explorerHandlers(current, session, tasks),
    exports: exportHandlers(shared.exported, opened, async () => {
      const { id, name } = await current()
      return { organizationId: id, organizationName: name, session }
    }),
    firmware: {
      ...firmwareHandlers(devices, session, () => emit('firmware.changed', { count: 1 })),
      comparing: async () => sessions.comparing(await currentId()),
    },
    goldenProfiles: goldenProfileHandlers(session, tasks),
    jobs: jobHandlers(session, tasks, async () => sessions.jobsBut((await current()).id)),
    journal: journalHandlers(shared.journal, currentId),
    kits: kitHandlers(
      async () => ({
        devices,
        rooms,
        downloads,
        folders: shared.platform.folders,
        clock: shared.platform.clock,
        ...(await session()),
      }),
      { who, tasks },
    ),
    metadata: metadataHandlers({ documents, session, forgetCatalogue: sessions.forgetCatalogue }),
    offline: offlineHandlers(async () => ({ devices, documents, ...(await session()) }), tasks),
    organizations: organizationHandlers(shared.organizations, {
      current,
      keyWorks: async (organization, slot) => (await sessions.of(organization)).keyWorks(slot),
      reconcile: sessions.reconcile,
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
        const { approvals, notCompared, comparing } = await session()
        return {
          with: (await approvals.decisions()).comparesWith,
          not: await notCompared(),
          comparing: await comparing(),
        }
      },
    }),
    pictures: pictureHandlers(session),
    releaseNotes: releaseNoteHandlers(session),
    rooms: roomHandlers({
      rooms,
      changes,
      currentId,
      session,
      changed: () => emit('rooms.changed', { count: 0 }),
    }),
    sync: syncHandlers(session, tasks),
    ...tagHandlers(shared.tags, currentId, tasks),
    tasks: taskHandlers(tasks),
    views: savedViewHandlers(shared.savedViews),
    webhooks: webhookHandlers(shared.webhooks),
    writes: writeHandlers(session, shared.journal),
  }
}
