import type { HoldTrial } from '../contract/api/budget.ts'
import { Failed, isKind, type Failure } from '../contract/failure.ts'
import type { CallBudget } from './call-budget/call-budget.ts'
import { feature, type Client } from './feature.ts'
import type { Clock, WireResponse } from './platform.ts'
import type { Journal, JournalEnd } from './journal/journal.ts'
import type { Management } from './management/management.ts'
import type { SessionClients } from './session-clients.ts'
import type { SessionBase } from './session.ts'
import type { SharedDeps } from './core-features.ts'
import { statedMoment, type ServiceClient } from './service-client/service-client.ts'

export interface HoldTrialOptions {
  readonly budget: CallBudget
  readonly clock: Clock
  readonly journal: Pick<Journal, 'begin' | 'end'>
  readonly organization: { readonly id: string; readonly name: string }
  /** Name of the operation that lists devices. */
  readonly operation: string
  /** A call with the key in use, allowed in spite of the hold. */
  readonly client: () => ServiceClient
  readonly managementOver: (client: ServiceClient) => Management
}

/**
 * The one call that a person may request during a hold: one device list of page size 1, one attempt, with its
 * journal line written before it is sent. A 2xx lifts the hold; any other response renews it by its own
 * `Retry-After`; without one the hold is unchanged. Two simultaneous requests share one call, with the first
 * one's reference. Rejects with Failed if no line can be stored (`cache-unusable`), or if the reference has
 * one already (`invalid`): then nothing was sent.
 */
export function openHoldTrial(options: HoldTrialOptions): (reference: string | null) => Promise<HoldTrial> {
  let running: Promise<HoldTrial> | null = null
  return (reference) =>
    (running ??= tryOnce(options, reference).finally(() => {
      running = null
    }))
}

export const holdTrialFeature = feature({
  open: ({
    shared: { platform, journal, organizations },
    organization,
    budget,
    clients,
  }: SessionBase & { readonly clients: SessionClients }) => ({
    gives: {
      /** The one call that a person requests during a hold. Rejects with Failed `cache-unusable`. */
      tryDuringHold: openHoldTrial({
        budget,
        clock: platform.clock,
        journal,
        organization,
        managementOver: clients.managementOver,
        operation: organization.managementVersion === 1 ? 'ListDevicesV1' : 'ListDevices',
        client: () => {
          const { id, keyInUse } = organizations.get(organization.id)
          return clients.management(organizations.slotRing(id, keyInUse), { exception: 'hold' })
        },
      }),
    },
    onRowsChanged: null,
    close: null,
  }),
  handlers: ({
    sessions,
    session,
  }: Client<SharedDeps, { readonly tryDuringHold: (reference: string | null) => Promise<HoldTrial> }>) => ({
    budget: {
      states: async () => sessions.budgets(),
      tryNow: async ({ reference }: { readonly reference: string | null }) => {
        const trial = await (await session()).tryDuringHold(reference)
        if (trial.outcome === 'lifted') void sessions.reconcile()
        return trial
      },
    },
  }),
})

async function tryOnce(
  { budget, clock, journal, organization, operation, client, managementOver }: HoldTrialOptions,
  reference: string | null,
): Promise<HoldTrial> {
  const before = budget.state().heldUntilAt
  if (before === null) return { outcome: 'not-held', failure: null, heldUntilAt: null, journalId: null }
  const journalId = await journal.begin({
    organization,
    operation,
    target: { of: 'organization', id: organization.id, name: organization.name },
    deviceIds: [],
    before: holdText(before),
    after: null,
    reference,
  })
  let answered: WireResponse | null = null
  const failure = await managementOver(observed(client(), (answer) => (answered = answer)))
    .devicePage({ stream: 'MeetingRoom', token: null, pageSize: 1, lane: 'interactive', signal: null })
    .then(() => null, failureOf)
  const { status, lifted } = renew(answered, budget, clock)
  const heldUntilAt = budget.state().heldUntilAt
  const reported =
    lifted || failure === null
      ? null
      : isKind(failure, 'rate-limited')
        ? { ...failure, untilAt: heldUntilAt, held: true as const }
        : failure
  const end: JournalEnd = lifted
    ? { outcome: 'accepted', status, message: null }
    : {
        outcome: 'refused',
        status,
        message: [reported?.kind, heldUntilAt === null ? null : holdText(heldUntilAt)]
          .filter(Boolean)
          .join(', '),
      }
  await journal.end(journalId, end)
  return { outcome: lifted ? 'lifted' : 'held', failure: reported, heldUntilAt, journalId }
}

/** One attempt; every status is returned as a response. */
const observed = (client: ServiceClient, observe: (answer: WireResponse) => void): ServiceClient => ({
  send: (request) => client.send({ ...request, once: true, observe }),
  onReach: (listener) => client.onReach(listener),
  retrying: () => client.retrying(),
})

/** The effect of the response on the hold; null: there was no response. */
function renew(
  answer: WireResponse | null,
  budget: CallBudget,
  clock: Clock,
): { readonly status: number | null; readonly lifted: boolean } {
  if (answer === null) return { status: null, lifted: false }
  const { status, headers } = answer
  const lifted = status >= 200 && status < 300
  const until = lifted
    ? null
    : statedMoment(headers['retry-after'] ?? null, headers['date'] ?? null, clock.now())
  if (lifted || until !== null) budget.renewHold(until)
  return { status, lifted }
}

const holdText = (untilAt: number): string => `held until ${new Date(untilAt).toISOString()}`

function failureOf(error: unknown): Failure {
  if (error instanceof Failed) return error.failure
  throw error
}
