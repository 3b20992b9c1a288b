import type { Message, Place } from '../../contract/notification.ts'
import { Failed } from '../../contract/failure.ts'
import { quoted } from '../../contract/filter/filter-reader.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import { systemTimeZone } from '../../contract/time-zone.ts'
import { withdrawnInUse } from '../firmware/firmware.ts'
import { throttle } from '../throttle.ts'
import { localWindow } from '../jobs/jobs.ts'
import type { Cancel, Database, Platform } from '../platform.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Session } from '../session.ts'
import type { Workbook } from '../storage/workbook.ts'
import { decide, nothingKnown, type Fact, type Facts, type Memory } from './decide.ts'

/** Shows a notification; `opened` is called when it is clicked. */
export type ShowMessage = (message: Message, opened: () => void) => void

export interface NotificationDeps {
  readonly platform: Pick<Platform, 'clock' | 'log'>
  readonly workbook: Workbook
  readonly rooms: Pick<Rooms, 'listed'>
  readonly database: Database
  readonly current: () => Promise<Organization>
  readonly session: (organization: Organization) => Promise<Session>
  /** Names of contract events as emitted. */
  readonly listen: (listener: (event: string) => void) => () => void
  readonly show: ShowMessage
  readonly opened: (place: Place) => void
}

/** Events within a second are evaluated together. Raise it if evaluations cost time. */
const waitInMs = 1_000
/** Jobs searched for ended ones. Raise it if many jobs end at once. */
const newestJobs = 100
/** Events after which there may be something to report. */
const telling: readonly string[] = [
  'rooms.changed',
  'jobs.changed',
  'firmware.changed',
  'organizations.changed',
]

/**
 * Evaluates the current organization after each change, and shows the notifications selected in the
 * preferences.
 */
export function openNotifications(deps: NotificationDeps): { readonly close: () => Promise<void> } {
  const { clock, log } = deps.platform
  let memory: Memory | null = null
  let afterQuiet: Cancel = () => undefined
  let looking: Promise<void> = Promise.resolve()
  let closed = false

  async function look(): Promise<void> {
    if (closed) return
    const preferences = await deps.workbook.preferences()
    memory ??= memoryIn(await deps.workbook.remembered('notified'))
    if (preferences.notifications.length === 0) {
      // No notification is selected: nothing is read, which would cost time at every start, and facts of this
      // time are not reported later.
      if (JSON.stringify(memory) !== JSON.stringify(nothingKnown))
        await deps.workbook.remember('notified', nothingKnown)
      memory = nothingKnown
      return
    }
    const facts = await queryFacts(deps)
    const { quietHours, timeZone } = preferences
    const now = clock.now()
    const zone = timeZone ?? systemTimeZone()
    const isQuiet =
      quietHours !== null && quietHours.from !== quietHours.to && localWindow(quietHours, zone).isOpen(now)
    const decided = decide(
      memory,
      facts,
      {
        kinds: preferences.notifications,
        roomDownAfterInMs: preferences.roomDownAfterInMinutes * 60_000,
        isQuiet,
      },
      now,
    )
    // Stored first, then shown: state that cannot be stored would cause repeated notifications.
    if (JSON.stringify(decided.memory) !== JSON.stringify(memory))
      await deps.workbook.remember('notified', decided.memory)
    memory = decided.memory
    afterQuiet()
    if (isQuiet && memory.held.length > 0) {
      const awake = localWindow({ from: quietHours.to, to: quietHours.from }, zone)
      afterQuiet = clock.after(awake.opensAt(now) - now, lookSoon.happened)
    }
    for (const message of decided.messages) deps.show(message, () => deps.opened(message.place))
  }
  const lookSoon = throttle(clock, waitInMs, () => {
    looking = looking.then(look).catch((error: unknown) => {
      if (!(error instanceof Failed))
        log.write('error', 'Notifications could not be determined', { error: String(error) })
    })
  })
  const end = deps.listen((event) => {
    if (telling.includes(event)) lookSoon.happened()
  })
  lookSoon.happened()
  return {
    close: async () => {
      closed = true
      end()
      lookSoon.close()
      afterQuiet()
      await looking
    },
  }
}

/** An altered file is ignored completely. */
function memoryIn(value: unknown): Memory {
  const { organizations, held } = (value ?? {}) as Partial<Memory>
  return typeof organizations === 'object' && Array.isArray(held) ? (value as Memory) : nothingKnown
}

/** The facts of the current organization, from stored data; sends no request. Rejects with Failed. */
async function queryFacts({ current, session, rooms, database }: NotificationDeps): Promise<Facts> {
  const organization = await current()
  const { id: organizationId, name, stoppedBecause, keys, keyInUse } = organization
  const { sync, jobs, approvals } = await session(organization)
  const { running, completeAt } = sync.state()
  const isSeen = !running && completeAt !== null
  const [listed, withdrawn, ended, approved] = await Promise.all([
    isSeen ? rooms.listed(organizationId, { where: '', sort: [] }) : [],
    isSeen ? withdrawnInUse(database, organizationId) : [],
    jobs.list({ start: 0, count: newestJobs }),
    approvals.list(),
  ])
  const keyFact = `key-refused ${organizationId}`
  const key = keys.find(({ slot }) => slot === keyInUse)
  const facts: readonly Fact[] = [
    ...(stoppedBecause === null
      ? []
      : [
          {
            key: keyFact,
            message: {
              kind: 'key-refused' as const,
              organization: name,
              place: { organizationId: null, page: 'organizations' as const },
            },
          },
        ]),
    ...ended.jobs
      .filter(({ state }) => state === 'ended')
      .map(({ id, kind, target, asked, counts }): Fact => ({
        key: `job-ended ${id}`,
        message: {
          kind: 'job-ended',
          work: kind,
          target: target?.name ?? null,
          asked,
          counts,
          place: { organizationId, page: 'jobs', id },
        },
      })),
    ...withdrawn.map(({ product, version, devices }): Fact => ({
      key: `firmware-withdrawn ${JSON.stringify([product, version])}`,
      message: {
        kind: 'firmware-withdrawn',
        product,
        version,
        devices,
        place: {
          organizationId,
          page: 'devices',
          where: `fw:revoked product:=${quoted(product)} fw:${quoted(version)}`,
        },
      },
    })),
    ...approved.approvals
      .filter(({ state }) => state === 'expired')
      .map(({ product, variant, version, expiresAt }): Fact => ({
        key: `approval-expired ${JSON.stringify([product.productId, variant, version, expiresAt])}`,
        message: {
          kind: 'approval-expired',
          product: variant === null ? product.name : `${product.name}, variant ${variant}`,
          version,
          place: { organizationId, page: 'firmware' },
        },
      })),
  ]
  // After a restart no calls are stopped, but the key counts as refused until a call succeeds.
  const works = stoppedBecause === null && (key?.lastUsedAt ?? 0) > (key?.lastRefusedAt ?? 0)
  return {
    organizationId,
    rooms: isSeen
      ? {
          observedAt: completeAt,
          all: listed.map((room) => ({ id: room.id, name: room.name, health: room.health })),
        }
      : null,
    facts,
    over: works ? [keyFact] : [],
  }
}
