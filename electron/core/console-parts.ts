import type { Trouble } from '../contract/app.ts'
import type { Failure } from '../contract/failure.ts'
import type { Announce } from './announcer.ts'
import { openChanges, type Changes } from './changes/changes.ts'
import { openConnections, type Connections } from './connections/connections.ts'
import { deviceRows, openDevices, type Devices } from './devices/devices.ts'
import { openJobItems } from './jobs/jobs.ts'
import { openExports, type Exports } from './exports/exports.ts'
import { DatabaseError, type Database, type Host } from './host.ts'
import { openJournal, operatingSystemUser, type Journal } from './journal/journal.ts'
import { openDocumentCache, type DocumentCache } from './metadata/document-cache.ts'
import { openOrganizations, type Organizations } from './organizations/organizations.ts'
import { openOverview, type OverviewReader } from './overview/overview.ts'
import { openRooms, roomRows, type Rooms } from './rooms/rooms.ts'
import { openSavedViews, type SavedViews } from './saved-views/saved-views.ts'
import { emptied, failedBy, failureOf, openedLater, replaced } from './storage/file-failure.ts'
import { prepareLedger } from './storage/ledger-migrations.ts'
import { hideKeptValues } from './settings/settings.ts'
import { openStore, type Store } from './storage/store.ts'
import { openWorkbook, type Workbook } from './storage/workbook.ts'
import { openWriteSlots, type WriteSlots } from './storage/write-slots.ts'
import { openTags, type Tags } from './tags/tags.ts'
import { openWebhooks, type Webhooks } from './webhooks/webhooks.ts'
import { openEndedUnknown, type EndedUnknown } from './write-gate/ended-unknown.ts'

/** What all organizations share: opened once by the console. */
export interface SharedParts {
  readonly host: Host
  readonly organizations: Organizations
  readonly store: Store
  readonly ledger: Database
  /** What is wrong with the files of this home, to show until it is put right. */
  readonly fileTroubles: () => readonly Trouble[]
  /** Why no write may be sent: its journal line or its write slot could not be kept on the disk. null: both can. */
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
  readonly overview: OverviewReader
  readonly webhooks: Webhooks
  /** Closes them in reverse. */
  readonly close: () => Promise<void>
}

/**
 * Opens what all organizations share and tells what changes in it. `organization`: the one that the command line was told to use. Rejects
 * with Failed `cache-unusable`.
 */
export async function openSharedParts(
  host: Host,
  announce: Announce,
  organization: string | null,
): Promise<SharedParts> {
  const { clock, newId } = host
  const standing = (): void => announce('app.changed', { what: 'standing' })
  const emptiedTroubles = emptiedFiles(host)
  const workbook = await openWorkbook(host)
  const organizations = await openOrganizations(host, workbook, organization)
  const store = await openStore(host, [roomRows, deviceRows], hideKeptValues)
  const { database: ledger, trouble: ledgerTrouble } = await openLedger(host)
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
    log: host.log,
    clock,
    changed: standing,
  })
  const devices = openDevices({ store, clock })
  const rooms = openRooms({ store, clock })
  const changes = openChanges({ store, workbook, clock })
  const connections = openConnections({ workbook, clock, log: host.log })
  const tags = await openTags({
    workbook,
    store,
    clock,
    newId,
    selected: (id, selection) => devices.selected(id, selection),
  })
  const exported = openExports({
    ...{ devices, rooms, changes, journal, jobItems: openJobItems(workbook) },
    ...{ desktop: host.desktop, files: host.files, clock, log: host.log, newId },
  })
  const ends = [
    organizations.onChange((ids) => {
      announce('organizations.changed', { ids })
      standing()
    }),
    store.onTroubles(standing),
    journal.onChange(() => announce('journal.changed', { count: 1 })),
    changes.onChange(() => {
      announce('changes.changed', { count: 1 })
      standing()
    }),
    () => endedUnknown.close(),
    tags.onChange((id) => {
      devices.changed(id)
      announce('tags.changed', { count: 1 })
      announce('devices.changed', { count: 0 })
    }),
    exported.onChange(() => announce('exports.changed', { count: 1 })),
  ]
  return {
    host,
    organizations,
    store,
    ledger,
    fileTroubles: () =>
      [
        ...emptiedTroubles,
        workbook.trouble,
        ...store.troubles(),
        ledger.durable ? null : ledgerTrouble,
      ].filter((trouble) => trouble !== null),
    unkept: () =>
      workbook.unkept() ??
      (ledger.durable ? null : (ledgerTrouble?.failure ?? failureOf(replaced('ledger')))),
    documents: openDocumentCache({ database: store.database, clock, log: host.log }),
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
    overview: openOverview({ store, rooms, changes, clock }),
    webhooks: openWebhooks({ host, workbook, connections }),
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

/**
 * A ledger that is damaged is begun anew. One that cannot be opened is tried again whenever it is needed: until then budgets leave half of their
 * limits to others, and no write is sent, for its slots would be seen by no other program. Rejects with Failed `newer`.
 */
async function openLedger({
  databases,
  clock,
  log,
}: Host): Promise<{ readonly database: Database; readonly trouble: Trouble | null }> {
  const prepared = async (): Promise<Database> => {
    const database = await databases.open('ledger')
    try {
      await prepareLedger(database)
    } catch (error) {
      // What cannot be brought to this format now is when it is first written.
      if (!(error instanceof DatabaseError) || error.reason === 'newer') {
        await database.close()
        throw error
      }
    }
    return database
  }
  const open = async (): Promise<Database> => {
    try {
      return await prepared()
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.reason !== 'damaged') throw error
      log.write('warn', 'The call ledger is damaged and begun anew', {})
      await databases.setAside('ledger', clock.now())
      return prepared()
    }
  }
  try {
    return { database: await open(), trouble: null }
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.reason === 'newer') throw failedBy(error)
    log.write('warn', 'The call ledger cannot be used', { reason: error.reason })
    const done =
      'Nothing is sent that changes devices, and other calls wait for up to five minutes before the first.'
    return {
      database: openedLater(open),
      trouble: { id: 'ledger', failure: failureOf(error), since: clock.now(), done },
    }
  }
}

/** Never in silence: a file that was emptied beside others that stand. The history of calls is told by the budget. */
function emptiedFiles({ databases, clock, log }: Host): readonly Trouble[] {
  const files = ['workbook', 'store', 'ledger'] as const
  const found = files.map((file) => ({ file, is: databases.found(file) }))
  const told = {
    workbook:
      'A new one was begun: organizations, jobs and the journal are gone, unless you put a copy in its place.',
    store: 'It is read anew.',
  }
  return found.flatMap(({ file, is }) => {
    if (
      is !== 'empty' ||
      file === 'ledger' ||
      found.every((other) => other.file === file || other.is === 'missing')
    )
      return []
    log.write('warn', 'A file was empty', { file })
    return [{ id: `${file}-empty`, failure: emptied(file), since: clock.now(), done: told[file] }]
  })
}
