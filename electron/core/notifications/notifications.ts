import type { Message, Place } from '../../contract/notification.ts'
import { Failed } from '../../contract/failure.ts'
import { quoted } from '../../contract/filter/filter-reader.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import { systemTimeZone } from '../../contract/time-zone.ts'
import { withdrawnInUse } from '../firmware/firmware.ts'
import { heldBack } from '../held-back.ts'
import { localWindow } from '../jobs/jobs.ts'
import type { Cancel, Database, Platform } from '../platform.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Session } from '../session.ts'
import type { Workbook } from '../storage/workbook.ts'
import { decide, nothingKnown, type Fact, type Facts, type Memory } from './decide.ts'

/** Shows one; `opened` is to be called when it is clicked. */
export type ShowMessage = (message: Message, opened: () => void) => void

export interface NotificationParts {
  readonly platform: Pick<Platform, 'clock' | 'log'>
  readonly workbook: Workbook
  readonly rooms: Pick<Rooms, 'listed'>
  readonly database: Database
  readonly current: () => Promise<Organization>
  readonly session: (organization: Organization) => Promise<Session>
  /** Names of events of the contract as they are announced. */
  readonly listen: (listener: (event: string) => void) => () => void
  readonly show: ShowMessage
  readonly opened: (place: Place) => void
}

/** What happens within a second is looked at once. Chosen. */
const lookAfterInMs = 1_000
/** Jobs looked through for those that ended. Chosen. */
const newestJobs = 100
/** After these, something may be so that is told. */
const telling: readonly string[] = [
  'rooms.changed',
  'jobs.changed',
  'firmware.changed',
  'organizations.changed',
]

/** Looks at the current organization whenever something changed, and has shown what was chosen in the preferences. */
export function openNotifications(parts: NotificationParts): { readonly close: () => Promise<void> } {
  const { clock, log } = parts.platform
  let memory: Memory | null = null
  let afterQuiet: Cancel = () => undefined
  let looking: Promise<void> = Promise.resolve()
  let closed = false

  async function look(): Promise<void> {
    if (closed) return
    const preferences = await parts.workbook.preferences()
    memory ??= memoryIn(await parts.workbook.remembered('notified'))
    if (preferences.notifications.length === 0) {
      // Nobody asked: nothing is read, which costs with every start, and what is so when somebody does is no news.
      if (JSON.stringify(memory) !== JSON.stringify(nothingKnown))
        await parts.workbook.remember('notified', nothingKnown)
      memory = nothingKnown
      return
    }
    const facts = await readFacts(parts)
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
    // First kept, then shown: what cannot be kept would be shown again and again.
    if (JSON.stringify(decided.memory) !== JSON.stringify(memory))
      await parts.workbook.remember('notified', decided.memory)
    memory = decided.memory
    afterQuiet()
    if (isQuiet && memory.held.length > 0) {
      const awake = localWindow({ from: quietHours.to, to: quietHours.from }, zone)
      afterQuiet = clock.after(awake.opensAt(now) - now, lookSoon.happened)
    }
    for (const message of decided.messages) parts.show(message, () => parts.opened(message.place))
  }
  const lookSoon = heldBack(clock, lookAfterInMs, () => {
    looking = looking.then(look).catch((error: unknown) => {
      if (!(error instanceof Failed))
        log.write('error', 'Notifications could not be decided', { error: String(error) })
    })
  })
  const end = parts.listen((event) => {
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

/** Of an altered file nothing is taken. */
function memoryIn(value: unknown): Memory {
  const { organizations, held } = (value ?? {}) as Partial<Memory>
  return typeof organizations === 'object' && Array.isArray(held) ? (value as Memory) : nothingKnown
}

/** What is so in the current organization, from what is kept: nothing is asked of a service. Rejects with Failed. */
async function readFacts({ current, session, rooms, database }: NotificationParts): Promise<Facts> {
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
  // After a restart nothing is stopped, and the key is still refused until it worked.
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
