import type { AllHandlers } from '../contract/rpc-client.ts'
import { openAnnouncer } from './announcer.ts'
import { answersOf } from './answers.ts'
import type { CallLimits } from './call-budget/call-budget.ts'
import { openBudgets } from './desk.ts'
import { openDesks, type Desks } from './desks.ts'
import type { Host } from './host.ts'
import { refusingKeys } from './key-guard.ts'
import type { JobsGoingOn } from './jobs/jobs.ts'
import { openSharedParts, type SharedParts } from './console-parts.ts'

/** The opened core. A view talks to `answers`; the command line also takes a desk by the hand. */
export interface Console {
  readonly answers: AllHandlers
  readonly shared: SharedParts
  readonly desks: Desks
  /** Returns the function that ends it. */
  readonly onAnnouncement: (listener: (event: string, payload: unknown) => void) => () => void
  /** Syncs the current organization now and every 15 minutes, and whichever becomes current later. */
  readonly startSyncing: () => void
  /** Locks the writes of every organization: the screen was locked, the computer sleeps; `starting`: nobody is there, confirmed jobs go on. */
  readonly lockWrites: (which?: 'everything' | 'starting') => void
  /** Jobs that go on by themselves, now or at their time: a host asks before it ends them. */
  readonly jobsGoingOn: () => JobsGoingOn
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
export async function openConsole(
  host: Host,
  options: ConsoleOptions = { organization: null },
): Promise<Console> {
  const announcer = openAnnouncer(host.clock)
  const shared = await openSharedParts(host, announcer.announce, options.organization)
  const { organizations, workbook } = shared
  const budgets = openBudgets(shared, options.limits ?? null)
  const desks = openDesks(shared, budgets, announcer.announce, () => organizations.find(options.organization))
  return {
    answers: refusingKeys(
      answersOf(shared, workbook, desks, () => {
        announcer.announce('changes.changed', { count: 0 })
        announcer.announce('app.changed', { what: 'standing' })
      }),
      organizations,
    ),
    shared,
    desks,
    onAnnouncement: (listener) => announcer.listen(listener),
    startSyncing: () => desks.startSyncing(),
    lockWrites: (which) => desks.lockWrites(which),
    jobsGoingOn: () => desks.jobsGoingOn(),
    noteBug: (error, where) => {
      const reference = host.newId().slice(0, 8)
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
      host.log.write('error', 'bug', { reference, where, error: `${name}: ${message}`, stack: stack ?? '' })
      return reference
    },
    close: async () => {
      announcer.close()
      await desks.close()
      await budgets.close()
      await shared.close()
    },
  }
}
