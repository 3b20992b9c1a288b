import {
  notificationKinds,
  type Message,
  type MessageCount,
  type NotificationKind,
  type Place,
  type SingleMessage,
} from '../../contract/notification.ts'
import type { RoomHealth } from '../../contract/api/rooms.ts'

/** Minimum time between two notifications about the same room. Raise it if unstable rooms still disturb. */
const sameRoomAgainAfterInMs = 3_600_000
/**
 * More messages than this at once are combined into one: a site outage needs one look. Change it if people
 * want single ones.
 */
const singlyAtMost = 3
/**
 * Facts that did not occur for this time are deleted when all facts of the organization are read. Raise it if
 * a notification is repeated.
 */
const forgottenAfterInMs = 30 * 24 * 3_600_000
/**
 * Firmware that was revoked before Headroom knew the organization is not reported: its catalogue is read
 * within the hour. Raise it if the first read takes longer.
 */
const knownFromTheStartInMs = 3_600_000
/**
 * Messages stored until the end of the quiet hours; the oldest are dropped first. Raise it if messages are
 * missing in the morning.
 */
const delayedAtMost = 1_000

/** A fact: it is reported once. */
export interface Fact {
  /** Identifies it permanently: another day, version or job is another fact. */
  readonly key: string
  readonly message: Exclude<SingleMessage, { readonly kind: 'room-down' | 'room-back' }>
}

interface RoomFact {
  readonly id: string
  readonly name: string | null
  readonly health: RoomHealth
}

/** The facts of one organization. */
export interface Facts {
  readonly organizationId: string
  /** False: it is not the current one, so only its jobs that have not ended were read. */
  readonly whole: boolean
  /** As observed by one sync; null: there was no sync, or one is running. */
  readonly rooms: { readonly observedAt: number; readonly all: readonly RoomFact[] } | null
  readonly facts: readonly Fact[]
  /** Keys of facts that certainly ended: if they occur again, they are reported again. */
  readonly over: readonly string[]
}

interface KnownRoom {
  /** When it was first seen down; null: it is up. */
  readonly downAt: number | null
  /** When it was first seen up again after a notification; null: not yet. */
  readonly backAt: number | null
  /** `known`: it was down before notifications were turned on. */
  readonly state: 'waiting' | 'told' | 'known'
  readonly toldAt: number | null
}

interface KnownOrganization {
  /** When all of its facts were first observed; null: only those of its jobs were. */
  readonly since: number | null
  /** null: no sync was observed. */
  readonly rooms: Readonly<Record<string, KnownRoom>> | null
  /** Keys of facts, and when each last occurred. */
  readonly facts: Readonly<Record<string, number>>
}

/** The earlier notifications and observations: plain JSON, kept across restarts. */
export interface Memory {
  readonly organizations: Readonly<Record<string, KnownOrganization>>
  /** Messages from within the quiet hours. */
  readonly held: readonly SingleMessage[]
}
export const nothingKnown: Memory = { organizations: {}, held: [] }

export interface Wanted {
  readonly kinds: readonly NotificationKind[]
  readonly roomDownAfterInMs: number
  readonly isQuiet: boolean
}

/**
 * The notifications to show now, and the state to store: it is stored before anything is shown, so that no
 * fact is reported twice.
 */
export function decide(
  memory: Memory,
  { organizationId, whole, rooms, facts, over }: Facts,
  wanted: Wanted,
  now: number,
): { readonly memory: Memory; readonly messages: readonly Message[] } {
  const previous = Object.hasOwn(memory.organizations, organizationId)
    ? memory.organizations[organizationId]
    : undefined
  const knownSince = previous?.since ?? null
  const since = knownSince ?? (whole ? now : null)
  const met = new Map(Object.entries(previous?.facts ?? {}).filter(([key]) => !over.includes(key)))
  const fresh = facts.filter(({ key }) => !met.has(key))
  for (const { key } of facts) met.set(key, now)
  // A fact that was not read now may still be true.
  const isComplete = whole && rooms !== null
  for (const [key, at] of met) if (isComplete && now - at >= forgottenAfterInMs) met.delete(key)
  /**
   * Facts from before the first observation are not reported. The exceptions are a refused key, because it
   * stops everything, and a job that waits for a person.
   */
  const isNews = (message: SingleMessage): boolean => {
    if (message.kind === 'key-refused') return true
    if (message.kind === 'job-news') return message.news !== 'due' || previous !== undefined
    if (knownSince === null) return false
    return message.kind !== 'firmware-withdrawn' || now - knownSince >= knownFromTheStartInMs
  }
  const news = fresh.map(({ message }) => message).filter(isNews)
  const seen =
    rooms === null
      ? { rooms: previous?.rooms ?? null, messages: [] }
      : roomsSeen(previous?.rooms ?? null, rooms, organizationId, wanted)
  const isWanted = ({ kind }: SingleMessage): boolean =>
    wanted.kinds.includes(kind === 'room-back' ? 'room-down' : kind === 'job-news' ? 'job-ended' : kind)
  const held = memory.held.filter(isWanted)
  const due = [...held, ...seen.messages, ...news.filter(isWanted)]
  const organizations = {
    ...memory.organizations,
    [organizationId]: { since, rooms: seen.rooms, facts: Object.fromEntries(met) },
  }
  if (wanted.isQuiet) return { memory: { organizations, held: due.slice(-delayedAtMost) }, messages: [] }
  return {
    memory: { organizations, held: [] },
    messages: held.length > 1 || due.length > singlyAtMost ? [together(due)] : due,
  }
}

/** `before` null: this is the first observation, so rooms that are down now were down before it. */
function roomsSeen(
  before: Readonly<Record<string, KnownRoom>> | null,
  { observedAt, all }: NonNullable<Facts['rooms']>,
  organizationId: string,
  { kinds, roomDownAfterInMs }: Wanted,
): { readonly rooms: Readonly<Record<string, KnownRoom>>; readonly messages: readonly SingleMessage[] } {
  const messages: SingleMessage[] = []
  const known = new Map(Object.entries(before ?? {}))
  const isWanted = kinds.includes('room-down')
  const next = (one: RoomFact): KnownRoom | null => {
    const was = known.get(one.id) ?? null
    const place: Place = { organizationId, page: 'rooms', id: one.id }
    const isReported = was?.toldAt != null && observedAt - was.toldAt < sameRoomAgainAfterInMs
    if (one.health === 'unknown') return was
    if (one.health === 'down') {
      const downAt = was?.downAt ?? observedAt
      if (before === null || (!isWanted && was?.state !== 'told'))
        return { downAt, backAt: null, state: 'known', toldAt: was?.toldAt ?? null }
      if (was !== null && was.downAt !== null && was.state !== 'waiting') return { ...was, backAt: null }
      if (isReported || observedAt - downAt < roomDownAfterInMs)
        return { downAt, backAt: null, state: 'waiting', toldAt: was?.toldAt ?? null }
      messages.push({ kind: 'room-down', name: one.name, place })
      return { downAt, backAt: null, state: 'told', toldAt: observedAt }
    }
    if (was?.state === 'told' && was.downAt !== null) {
      const backAt = was.backAt ?? observedAt
      if (observedAt - backAt < roomDownAfterInMs) return { ...was, backAt }
      if (isWanted) messages.push({ kind: 'room-back', name: one.name, place })
    }
    return isReported ? { downAt: null, backAt: null, state: 'waiting', toldAt: was?.toldAt ?? null } : null
  }
  // A room that is no longer listed is neither down nor back.
  const rooms = all.flatMap((one) => {
    const now = next(one)
    return now === null ? [] : [[one.id, now] as const]
  })
  return { rooms: Object.fromEntries(rooms), messages }
}

const kindsInOrder: readonly MessageCount['kind'][] = [
  'room-down',
  'room-back',
  'job-news',
  ...notificationKinds.slice(1),
]
const whereOf: { readonly [K in MessageCount['kind']]?: string } = {
  'room-down': 'health:down',
  'firmware-withdrawn': 'fw:revoked',
}

/** Counts of each kind. A click opens the page that contains all of them, else the overview. */
function together(messages: readonly SingleMessage[]): Message {
  const counts = kindsInOrder.flatMap((kind): readonly MessageCount[] => {
    const count = messages.filter((one) => one.kind === kind).length
    return count === 0 ? [] : [{ kind, count }]
  })
  const [first, ...others] = messages.map(({ place: { organizationId, page } }) => ({ organizationId, page }))
  const isOne = others.every(
    ({ organizationId, page }) => organizationId === first?.organizationId && page === first?.page,
  )
  const [kind, another] = counts.map((one) => one.kind)
  const where = kind !== undefined && another === undefined ? whereOf[kind] : undefined
  const place: Place =
    first === undefined || !isOne
      ? { organizationId: null, page: 'overview' }
      : { ...first, ...(where === undefined ? {} : { where }) }
  return { kind: 'several', counts, place }
}
