import {
  notificationKinds,
  type Message,
  type MessageCount,
  type NotificationKind,
  type Place,
  type SingleMessage,
} from '../../contract/notification.ts'
import type { RoomHealth } from '../../contract/api/rooms.ts'

/** A room that goes on and off is told of once in so long. Chosen. */
const sameRoomAgainAfterInMs = 3_600_000
/** More than so many at once are one message: an outage of a site is one thing to look at. Chosen. */
const singlyAtMost = 3
/** Facts that were not met for so long are forgotten. Chosen: nothing that is told of lasts unseen for a month. */
const forgottenAfterInMs = 30 * 24 * 3_600_000
/** Firmware that was withdrawn before Headroom knew the organization is no news. Chosen: its catalogue is read within the hour. */
const knownFromTheStartInMs = 3_600_000
/** Messages kept for the end of the quiet hours; the oldest go first. Chosen. */
const heldAtMost = 1_000

/** Something that is told once. */
export interface Fact {
  /** Names it for good: another day, version or job is another fact. */
  readonly key: string
  readonly message: Exclude<SingleMessage, { readonly kind: 'room-down' | 'room-back' }>
}

export interface RoomFact {
  readonly id: string
  readonly name: string | null
  readonly health: RoomHealth
}

/** What is so in one organization. */
export interface Facts {
  readonly organizationId: string
  /** As one sync saw them; null: none did, or one is running. */
  readonly rooms: { readonly observedAt: number; readonly all: readonly RoomFact[] } | null
  readonly facts: readonly Fact[]
  /** Keys of what was so and surely is not any more: if it is so again, it is told again. */
  readonly over: readonly string[]
}

interface KnownRoom {
  /** First seen down; null: it is up. */
  readonly downAt: number | null
  /** First seen up again after it was told. */
  readonly backAt: number | null
  /** `known`: it was down before anybody wanted to be told. */
  readonly state: 'waiting' | 'told' | 'known'
  readonly toldAt: number | null
}

interface KnownOrganization {
  readonly since: number
  /** null: no sync was seen. */
  readonly rooms: Readonly<Record<string, KnownRoom>> | null
  /** Keys of facts, and when each was last met. */
  readonly facts: Readonly<Record<string, number>>
}

/** What was told and seen before: plain JSON, kept over restarts. */
export interface Memory {
  readonly organizations: Readonly<Record<string, KnownOrganization>>
  /** What fell into the quiet hours. */
  readonly held: readonly SingleMessage[]
}
export const nothingKnown: Memory = { organizations: {}, held: [] }

export interface Wanted {
  readonly kinds: readonly NotificationKind[]
  readonly roomDownAfterInMs: number
  readonly isQuiet: boolean
}

/** What is to be shown now, and what to remember: it is kept before anything is shown, so that no fact is told twice. */
export function decide(
  memory: Memory,
  { organizationId, rooms, facts, over }: Facts,
  wanted: Wanted,
  now: number,
): { readonly memory: Memory; readonly messages: readonly Message[] } {
  const before = Object.hasOwn(memory.organizations, organizationId)
    ? memory.organizations[organizationId]
    : undefined
  const since = before?.since ?? now
  const met = new Map(
    Object.entries(before?.facts ?? {}).filter(
      ([key, at]) => !over.includes(key) && now - at < forgottenAfterInMs,
    ),
  )
  const fresh = facts.filter(({ key }) => !met.has(key))
  for (const { key } of facts) met.set(key, now)
  /** What was so before anybody looked is no news; a key that is refused stops everything, whenever it is found. */
  const isNews = ({ kind }: SingleMessage): boolean =>
    kind === 'key-refused' ||
    (before !== undefined && !(kind === 'firmware-withdrawn' && now - since < knownFromTheStartInMs))
  const news = fresh.map(({ message }) => message).filter(isNews)
  const seen =
    rooms === null
      ? { rooms: before?.rooms ?? null, messages: [] }
      : roomsSeen(before?.rooms ?? null, rooms, organizationId, wanted)
  const isWanted = ({ kind }: SingleMessage): boolean =>
    wanted.kinds.includes(kind === 'room-back' ? 'room-down' : kind)
  const held = memory.held.filter(isWanted)
  const due = [...held, ...seen.messages, ...news.filter(isWanted)]
  const organizations = {
    ...memory.organizations,
    [organizationId]: { since, rooms: seen.rooms, facts: Object.fromEntries(met) },
  }
  if (wanted.isQuiet) return { memory: { organizations, held: due.slice(-heldAtMost) }, messages: [] }
  return {
    memory: { organizations, held: [] },
    messages: held.length > 1 || due.length > singlyAtMost ? [together(due)] : due,
  }
}

/** `before` null: what is down now was so before anybody looked. */
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
    const isTold = was?.toldAt != null && observedAt - was.toldAt < sameRoomAgainAfterInMs
    if (one.health === 'unknown') return was
    if (one.health === 'down') {
      const downAt = was?.downAt ?? observedAt
      if (before === null || (!isWanted && was?.state !== 'told'))
        return { downAt, backAt: null, state: 'known', toldAt: was?.toldAt ?? null }
      if (was !== null && was.downAt !== null && was.state !== 'waiting') return { ...was, backAt: null }
      if (isTold || observedAt - downAt < roomDownAfterInMs)
        return { downAt, backAt: null, state: 'waiting', toldAt: was?.toldAt ?? null }
      messages.push({ kind: 'room-down', name: one.name, place })
      return { downAt, backAt: null, state: 'told', toldAt: observedAt }
    }
    if (was?.state === 'told' && was.downAt !== null) {
      const backAt = was.backAt ?? observedAt
      if (observedAt - backAt < roomDownAfterInMs) return { ...was, backAt }
      if (isWanted) messages.push({ kind: 'room-back', name: one.name, place })
    }
    return isTold ? { downAt: null, backAt: null, state: 'waiting', toldAt: was?.toldAt ?? null } : null
  }
  // A room that is not listed any more is neither down nor back.
  const rooms = all.flatMap((one) => {
    const now = next(one)
    return now === null ? [] : [[one.id, now] as const]
  })
  return { rooms: Object.fromEntries(rooms), messages }
}

const kindsInOrder: readonly MessageCount['kind'][] = [
  'room-down',
  'room-back',
  ...notificationKinds.slice(1),
]
const whereOf: { readonly [P in Place['page']]?: string } = { rooms: 'health:down', devices: 'fw:revoked' }

/** How many of each kind. It leads to the page that all of them are on, else to the overview. */
function together(messages: readonly SingleMessage[]): Message {
  const counts = kindsInOrder.flatMap((kind): readonly MessageCount[] => {
    const count = messages.filter((one) => one.kind === kind).length
    return count === 0 ? [] : [{ kind, count }]
  })
  const [first, ...others] = messages.map(({ place: { organizationId, page } }) => ({ organizationId, page }))
  const isOne = others.every(
    ({ organizationId, page }) => organizationId === first?.organizationId && page === first?.page,
  )
  const where = first && whereOf[first.page]
  const place: Place =
    first === undefined || !isOne
      ? { organizationId: null, page: 'overview' }
      : { ...first, ...(where === undefined ? {} : { where }) }
  return { kind: 'several', counts, place }
}
