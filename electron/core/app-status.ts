import type { AppStatus, AppProblem } from '../contract/api/app.ts'
import type { Handlers } from '../contract/rpc-client.ts'
import type { SyncState } from '../contract/api/sync.ts'
import { Failed } from '../contract/failure.ts'
import { methods, type Client } from './feature.ts'
import { KeychainError } from './platform.ts'
import type { Connection } from './session-clients.ts'
import type { SharedDeps } from './core-features.ts'
import { managementLimits, type CallBudget } from './call-budget/call-budget.ts'
import type { Sessions } from './sessions.ts'
import type { Sync } from './sync/sync.ts'
import type { Writes } from './writes/writes.ts'

/** What the status says of the current session. */
interface StatusSession {
  readonly connection: () => Connection
  readonly sync: Pick<Sync, 'state'>
  readonly metadataNotes: () => readonly string[]
  readonly approvalNotes: () => readonly string[]
  readonly budget: Pick<CallBudget, 'state'>
  readonly writes: Pick<Writes, 'lock'>
}

export const appMethods = methods(({ shared, sessions }: Client<SharedDeps, StatusSession>) => ({
  app: appHandlers(shared, sessions),
}))

function appHandlers(shared: SharedDeps, sessions: Sessions<StatusSession>): Handlers<'app'> {
  const { platform, workbook, connections } = shared
  const since = platform.clock.now()
  const setup: readonly AppProblem[] = platform.unsafeSetup.map((failure) => ({
    id: `unsafe-setup ${failure.detail}`,
    failure,
    since,
    done: null,
  }))
  /** When the problem of the data folder was first seen. */
  let folderSince: number | null = null
  const folderProblems = (): readonly AppProblem[] => {
    const failure = platform.dataFolder.problem()
    folderSince = failure === null ? null : (folderSince ?? platform.clock.now())
    return failure === null || folderSince === null
      ? []
      : [{ id: 'data-folder', failure, since: folderSince, done: null }]
  }
  let lockedSince: number | null = null
  const policyProblems = (): readonly AppProblem[] => {
    const failure = shared.policy.refusal('locked')
    lockedSince = failure === null ? null : (lockedSince ?? platform.clock.now())
    return failure === null || lockedSince === null
      ? []
      : [{ id: 'policy', failure, since: lockedSince, done: null }]
  }
  const proxyProblems = (): readonly AppProblem[] => {
    const via = platform.proxySignIn?.wanted() ?? null
    if (via === null) return []
    const call = { operation: 'CONNECT', host: null }
    const reason = 'sign-in-wanted'
    const failure = { kind: 'offline', call, message: '', via, reason, sent: false } as const
    return [{ id: 'proxy-sign-in', failure, since: platform.clock.now(), done: null }]
  }
  const problems = (): readonly AppProblem[] => [
    ...setup,
    ...folderProblems(),
    ...policyProblems(),
    ...proxyProblems(),
    ...shared.fileProblems(),
    ...shared.organizations.problems(),
  ]
  return {
    about: async () => platform.about,
    status: () => status(shared, sessions, problems()),
    problems: async () => problems(),
    preferences: () => workbook.preferences(),
    setPreferences: async (changed) => {
      const saved = await workbook.setPreferences(changed)
      if (changed.syncEveryInMinutes !== undefined) await sessions.reschedule()
      return saved
    },
    openOutside: async ({ url }) => {
      if (await platform.desktop.openOutside(url, await connections.wasOutside(url))) connections.outside(url)
    },
    copy: ({ text }) => platform.desktop.copy(text),
    signInToProxy: async (signIn) => {
      try {
        await platform.proxySignIn?.give(signIn)
      } catch (error) {
        if (!(error instanceof KeychainError)) throw error
        const { reason, message } = error
        throw new Failed({ kind: 'keychain-unavailable', reason, message })
      }
    },
  }
}

const noSync: SyncState = {
  running: false,
  progress: { done: 0, total: null },
  startedAt: null,
  devicesRead: 0,
  roomsRead: 0,
  pages: 0,
  waitingFor: null,
  last: null,
  lastFailure: null,
  completeAt: null,
  notes: [],
  nextAt: null,
  held: null,
}

/**
 * The app status that the layout shows. Opens the current session so that the budget reflects its history,
 * but never fails if that is impossible.
 */
async function status(
  { devices, rooms, unconfirmedWrites, policy, newerVersions }: SharedDeps,
  sessions: Sessions<StatusSession>,
  general: readonly AppProblem[],
): Promise<AppStatus> {
  const problems = [...general]
  const organization = await sessions.currentOrganization().catch(() => null)
  const session = organization === null ? null : await sessions.of(organization).catch(() => null)
  const id = organization?.id ?? null
  if (id !== null) problems.push(...unconfirmedWrites.problems(id))
  const nothing = { count: 0, asOf: null }
  const [deviceTotals, roomTotals] =
    id === null ? [nothing, nothing] : await Promise.all([devices.totals(id), rooms.totals(id)])
  const sync = session?.sync.state() ?? noSync
  const { published } = managementLimits
  return {
    organizationId: id,
    deviceCount: deviceTotals.count,
    roomCount: roomTotals.count,
    unreadableCount: (sync.last?.devices.unreadable ?? 0) + (sync.last?.rooms.unreadable ?? 0),
    asOf: oldest(deviceTotals.asOf, roomTotals.asOf),
    ...(session?.connection() ?? { connection: 'unknown', connectionAt: null }),
    sync:
      session === null
        ? sync
        : { ...sync, notes: [...sync.notes, ...session.metadataNotes(), ...session.approvalNotes()] },
    budget: session?.budget.state() ?? {
      second: { used: 0, limit: published.perSecond },
      fiveMinutes: { used: 0, limit: published.perWindow },
      waiting: 0,
      pausedUntil: null,
      heldUntilAt: null,
      waitReason: null,
      history: null,
    },
    writeLock: session?.writes.lock() ?? { unlocked: false, untilAt: null },
    policy: policy.state(),
    problems,
    newer: newerVersions.known(),
  }
}

const oldest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
