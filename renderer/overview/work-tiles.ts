import type { Job } from '../../electron/contract/api/jobs.ts'
import type { Overview } from '../../electron/contract/api/overview.ts'
import { text } from '../locales/i18n.ts'
import { formatWhen } from '../parts/format.ts'
import type { MarkKind } from '../parts/status-kind.ts'
import {
  allJobs,
  changesOf,
  devicesOf,
  goneLately,
  neverSeen,
  notSeenFor,
  readBetween,
  roomsOf,
  type PlaceAlone,
  type PlaceWithFilter,
} from './overview-links.ts'

export interface Work<Place = PlaceWithFilter> {
  readonly key: 'changes' | 'rooms' | 'firmware' | 'silent' | 'data' | 'jobs'
  readonly title: string
  readonly count: number
  readonly kind: MarkKind
  readonly to: Place | null
  readonly note: string
  readonly parts: readonly { readonly label: string; readonly count: number; readonly to: Place | null }[]
}

const DAY = 86_400_000
/** A device that nobody saw for a week is worth a look (chosen). */
const SILENT_IN_MS = 7 * DAY
/** Kinds counted one by one, the rest together, so that the parts add up to the sum. Chosen. */
const KINDS = 3

/** What there is to do, each number with the list it leads to. `staleAfterInMs`: the limit of the preferences. */
export function workOf(overview: Overview, nowAt: number, staleAfterInMs: number): readonly Work[] {
  const { changes, rooms, firmware, lastSeen } = overview
  const { health } = rooms
  const { words } = firmware
  const others = changes.kinds.slice(KINDS).reduce((sum, { count }) => sum + count, 0)
  const seen = (inMs: number): number => lastSeen.find((one) => one.atLeastInMs === inMs)?.count ?? 0
  return [
    {
      key: 'changes',
      title: text('overview.work.changes.title'),
      count: changes.total,
      kind: 'busy',
      to: changesOf(null),
      note:
        changes.since === null
          ? text('overview.work.changes.never')
          : text('overview.work.changes.since', { when: formatWhen(changes.since, nowAt) }),
      parts: [
        ...changes.kinds
          .slice(0, KINDS)
          .map(({ word, count }) => ({ label: text(`changes.kinds.${word}`), count, to: changesOf(word) })),
        ...(others > 0
          ? [{ label: text('overview.work.changes.others'), count: others, to: changesOf(null) }]
          : []),
      ],
    },
    {
      key: 'rooms',
      title: text('overview.work.rooms.title'),
      count: health.down + health.trouble,
      kind: health.down + health.trouble === 0 && health.unknown > 0 ? 'unknown' : 'warn',
      to: roomsOf('trouble', 'down'),
      note: text('overview.work.rooms.note'),
      parts: (['down', 'trouble', 'unknown'] as const).map((word) => ({
        label: text(`rooms.health.${word}`),
        count: health[word],
        to: roomsOf(word),
      })),
    },
    {
      key: 'firmware',
      title: text('overview.work.firmware.title'),
      count: words.behind + words.revoked,
      kind: words.revoked > 0 ? 'bad' : words.behind === 0 && words.unknown > 0 ? 'unknown' : 'warn',
      to: devicesOf('behind', 'revoked'),
      note: text('overview.work.firmware.note'),
      parts: (['revoked', 'behind', 'unknown'] as const).map((word) => ({
        label: text(`overview.firmwareWords.${word}`),
        count: words[word],
        to: devicesOf(word),
      })),
    },
    {
      key: 'silent',
      title: text('overview.work.silent.title'),
      count: seen(SILENT_IN_MS),
      kind: 'warn',
      to: notSeenFor(SILENT_IN_MS),
      note: text('overview.work.silent.note'),
      parts: [
        ...lastSeen
          .filter((one) => one.atLeastInMs > SILENT_IN_MS)
          .map(({ atLeastInMs, count }) => ({
            label: text('overview.work.silent.over', { n: Math.round(atLeastInMs / DAY) }),
            count,
            to: notSeenFor(atLeastInMs),
          })),
        { label: text('overview.work.silent.never'), count: overview.neverSeen, to: neverSeen },
      ],
    },
    {
      key: 'data',
      title: text('overview.work.data.title'),
      count: overview.stale,
      kind: 'warn',
      to: readBetween(staleAfterInMs, null),
      note: text('overview.work.data.note', { n: Math.round(staleAfterInMs / 3_600_000) }),
      parts: [
        { label: text('overview.work.data.gone'), count: overview.goneLately, to: goneLately },
        { label: text('overview.work.data.unreadable'), count: overview.unreadable, to: null },
      ],
    },
  ]
}

/** Jobs that have not ended: what is being changed now. */
export function jobsTile(open: readonly Job[]): Work<PlaceAlone> {
  const count = (...states: readonly Job['state'][]): number =>
    open.filter((job) => states.includes(job.state)).length
  return {
    key: 'jobs',
    title: text('overview.work.jobs.title'),
    count: open.length,
    kind: 'busy',
    to: allJobs,
    note: text('overview.work.jobs.note'),
    parts: [
      { label: text('overview.work.jobs.running'), count: count('running', 'stopping'), to: allJobs },
      { label: text('overview.work.jobs.waiting'), count: count('waiting', 'unarmed'), to: allJobs },
      { label: text('overview.work.jobs.paused'), count: count('paused'), to: allJobs },
    ],
  }
}
