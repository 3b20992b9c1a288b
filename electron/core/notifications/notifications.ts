import type { Message, Place } from '../../contract/notification.ts'
import { Failed } from '../../contract/failure.ts'
import { quoted } from '../../contract/filter/filter-reader.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import { systemTimeZone } from '../../contract/time-zone.ts'
import { newsOf } from '../../contract/job-news.ts'
import { jobResultCounts } from '../../contract/job-result.ts'
import type { Job } from '../../contract/api/jobs.ts'
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
  /** Jobs of the other opened organizations that have not ended, or missed their start time in this run. */
  readonly jobsBut: (organizationId: string) => Promise<readonly Job[]>
  /** The present name of an organization; null: it was removed. */
  readonly nameOf: (id: string) => string | null
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
  /** Keys of the news of jobs told in this run: each start tells them again. */
  const toldNews = new Set<string>()

  /** Per organization, the current one first, so that its facts come before the news of others. */
  async function gather(): Promise<readonly Facts[]> {
    const facts = await queryFacts(deps)
    const others = new Map<string, Fact[]>()
    for (const job of await deps.jobsBut(facts.organizationId)) {
      const { organizationId } = job
      others.set(organizationId, [...(others.get(organizationId) ?? []), ...newsFact(job, deps.nameOf)])
    }
    const all = [
      facts,
      ...[...others].map(([organizationId, news]): Facts => ({
        organizationId,
        whole: false,
        rooms: null,
        facts: news,
        over: [],
      })),
    ]
    const now = new Set(
      all
        .flatMap((one) => one.facts)
        .flatMap(({ key, message }) => (message.kind === 'job-news' ? [key] : [])),
    )
    const over = [...toldNews, ...now].filter((key) => !toldNews.has(key) || !now.has(key))
    toldNews.clear()
    for (const key of now) toldNews.add(key)
    return all.map((one) => ({ ...one, over: [...one.over, ...over] }))
  }

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
    const everyones = await gather()
    const { quietHours, timeZone } = preferences
    const now = clock.now()
    const zone = timeZone ?? systemTimeZone()
    const isQuiet =
      quietHours !== null && quietHours.from !== quietHours.to && localWindow(quietHours, zone).isOpen(now)
    const wanted = {
      kinds: preferences.notifications,
      roomDownAfterInMs: preferences.roomDownAfterInMinutes * 60_000,
      isQuiet,
    }
    let decided: Memory = memory
    const due: Message[] = []
    for (const facts of everyones) {
      const next = decide(decided, facts, wanted, now)
      decided = next.memory
      due.push(...next.messages)
    }
    // Stored first, then shown: state that cannot be stored would cause repeated notifications.
    if (JSON.stringify(decided) !== JSON.stringify(memory)) await deps.workbook.remember('notified', decided)
    memory = decided
    afterQuiet()
    if (isQuiet && memory.held.length > 0) {
      const awake = localWindow({ from: quietHours.to, to: quietHours.from }, zone)
      afterQuiet = clock.after(awake.opensAt(now) - now, lookSoon.happened)
    }
    for (const message of due) {
      const shown = underPresentName(message)
      if (shown !== null) deps.show(shown, () => deps.opened(shown.place))
    }
  }
  /** A message may have waited for hours. null: its organization was removed. */
  const underPresentName = (message: Message): Message | null => {
    if (message.kind !== 'key-refused' && message.kind !== 'job-news') return message
    const organization = deps.nameOf(message.organizationId)
    return organization === null ? null : { ...message, organization }
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

function newsFact(job: Job, nameOf: NotificationDeps['nameOf']): readonly Fact[] {
  const news = newsOf(job)
  const { id, organizationId, kind: work, target, asked } = job
  if (news === null) return []
  return [
    {
      key: `job-news ${id} ${news}`,
      message: {
        kind: 'job-news',
        news,
        work,
        target: target?.name ?? null,
        asked,
        organizationId,
        organization: nameOf(organizationId) ?? '',
        place: { organizationId, page: 'jobs', id },
      },
    },
  ]
}

/** The facts of the current organization, from stored data; sends no request. Rejects with Failed. */
async function queryFacts({ current, session, rooms, database, nameOf }: NotificationDeps): Promise<Facts> {
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
              organizationId,
              organization: name,
              place: { organizationId: null, page: 'organizations' as const },
            },
          },
        ]),
    ...ended.jobs
      .filter(({ state }) => state === 'ended')
      .map((job): Fact => ({
        key: `job-ended ${job.id}`,
        message: {
          kind: 'job-ended',
          work: job.kind,
          target: job.target?.name ?? null,
          asked: job.asked,
          counts: jobResultCounts(job),
          place: { organizationId, page: 'jobs', id: job.id },
        },
      })),
    ...ended.jobs.flatMap((job) => newsFact(job, nameOf)),
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
    whole: true,
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
