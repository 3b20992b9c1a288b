import type { Organization } from '../contract/organization.ts'
import { Failed } from '../contract/failure.ts'
import type { Answers, Channel } from '../contract/wire.ts'
import { openAnnouncer } from './announcer.ts'
import { answersOf } from './answers.ts'
import type { CallLimits } from './call-budget/call-budget.ts'
import { openChanges } from './changes/changes.ts'
import { openBudgets, type SharedParts } from './desk.ts'
import { openDesks, type Desks } from './desks.ts'
import { deviceRows, openDevices } from './devices/devices.ts'
import { DatabaseError, type Database, type Host } from './host.ts'
import { openJournal, operatingSystemUser } from './journal/journal.ts'
import { openDocumentCache } from './metadata/document-cache.ts'
import { openOrganizations } from './organizations/organizations.ts'
import { openRooms, roomRows } from './rooms/rooms.ts'
import { openStore } from './storage/store.ts'
import { openWorkbook } from './storage/workbook.ts'
import { openWriteSlots } from './storage/write-slots.ts'
import { openEndedUnknown } from './write-gate/ended-unknown.ts'

/** The opened core. A view talks to `answers`; the command line also takes a desk by the hand. */
export interface Console {
  readonly answers: Answers
  readonly shared: SharedParts
  readonly desks: Desks
  /** Returns the function that ends it. */
  readonly onAnnouncement: (listener: (channel: Channel, payload: unknown) => void) => () => void
  /** Syncs the current organization now and every 15 minutes, and whichever becomes current later. */
  readonly startSyncing: () => void
  /** Locks the writes of every organization: the screen was locked, the computer sleeps, nobody is there. */
  readonly lockWrites: () => void
  /** Writes our own mistake to the log; answers the reference under which it is found there. */
  readonly noteBug: (error: unknown, where: string) => string
  readonly close: () => Promise<void>
}

export interface ConsoleOptions {
  /** Name or id of the organization to work for; null: the current one. */
  readonly organization: string | null
  /** A service that allows something else than the specification says, such as a demonstration with smaller windows. */
  readonly limits?: CallLimits
}

/** Opens the features in order; `close` closes them in reverse. Rejects with Failed `cache-unusable`. */
export async function openConsole(host: Host, options: ConsoleOptions = { organization: null }): Promise<Console> {
  const workbook = await openWorkbook(host)
  const organizations = await openOrganizations(host, workbook)
  const store = await openStore(host, [roomRows, deviceRows])
  const ledger = await openLedger(host)
  const documents = openDocumentCache({ database: store.database, clock: host.clock, log: host.log })
  const announcer = openAnnouncer(host.clock)
  const standing = (): void => announcer.announce('app', 'changed', { what: 'standing' })
  const journal = openJournal({ workbook, clock: host.clock, who: operatingSystemUser() })
  const writeSlots = openWriteSlots({ database: ledger, clock: host.clock, newId: host.newId })
  const endedUnknown = await openEndedUnknown({ journal, slots: writeSlots, log: host.log, now: host.clock.now(), changed: standing })
  const shared: SharedParts = {
    host,
    organizations,
    store,
    ledger,
    documents,
    workbook,
    devices: openDevices({ store, clock: host.clock }),
    rooms: openRooms({ store }),
    changes: openChanges({ store }),
    journal,
    writeSlots,
    endedUnknown,
  }
  const budgets = openBudgets(host, ledger, options.limits ?? null)
  const desks = openDesks(
    shared,
    budgets,
    announcer.announce,
    named(() => organizations.list(), options.organization),
  )
  const ends = [
    organizations.onChange((ids) => {
      announcer.announce('organizations', 'changed', { ids })
      standing()
    }),
    store.onTroubles(standing),
    journal.onChange(() => announcer.announce('journal', 'changed', { count: 1 })),
    () => endedUnknown.close(),
  ]

  return {
    answers: answersOf(shared, workbook, desks),
    shared,
    desks,
    onAnnouncement: (listener) => announcer.listen(listener),
    startSyncing: () => desks.startSyncing(),
    lockWrites: () => desks.lockWrites(),
    noteBug: (error, where) => {
      const reference = host.newId().slice(0, 8)
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
      host.log.write('error', 'bug', { reference, where, error: `${name}: ${message}`, stack: stack ?? '' })
      return reference
    },
    close: async () => {
      announcer.close()
      for (const end of ends) end()
      await desks.close()
      await budgets.close()
      await ledger.close()
      await store.close()
      await organizations.close()
      await workbook.close()
    },
  }
}

/** A ledger that is lost is begun anew; budgets then take their windows as full. One that cannot be kept lives in memory. */
async function openLedger(host: Host): Promise<Database> {
  try {
    return await host.databases.open('ledger')
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    host.log.write('warn', 'The call ledger cannot be used', { reason: error.reason })
    if (error.reason !== 'damaged') return host.databases.open('ledger', 'in-memory')
    await host.databases.setAside('ledger', host.clock.now())
    return host.databases.open('ledger')
  }
}

/** The organization the command line was told to use, else the current one. */
function named(list: () => Promise<{ readonly organizations: readonly Organization[] }>, name: string | null): () => Promise<Organization | null> {
  return async () => {
    const { organizations } = await list()
    if (name === null) return organizations.find((one) => one.current) ?? null
    const found = organizations.find((one) => one.name === name || one.id === name)
    if (found === undefined) throw new Failed({ kind: 'invalid', field: 'organization', message: `There is no organization "${name}".` })
    return found
  }
}
