import { z } from 'zod'
import {
  byId,
  count,
  id,
  jobItemSort,
  jobSort,
  nothing,
  typed,
  selection,
  settingChanges,
  start,
  text,
  version,
  where,
} from '../argument-parts.ts'
import type { SortBy } from '../fields/field.ts'
import type { JobSortColumn } from '../fields/job.ts'
import type { JobItemSortColumn } from '../fields/job-item.ts'
import { jobItemShows, watchedAtMostInMinutes } from '../job.ts'
import { event, method, write } from '../method.ts'
import { ticketAtMost } from '../note.ts'
import type { DeviceSelection } from './devices.ts'
import type { ProductId } from './firmware.ts'
import type { Failure, FailureOf } from '../failure.ts'
import type { SettingChange } from './settings.ts'
import type { CallCost, UnansweredReboot, WriteLock } from './writes.ts'

/**
 * What a job does. The filter of a selection of rooms uses the vocabulary of rooms, that of a selection of
 * devices the vocabulary of devices.
 */
export type JobWork =
  /**
   * `of: 'devices'`: the rooms of these devices. Each room once, even if several of its ids or devices were
   * named.
   */
  | {
      readonly kind: 'reboot-rooms'
      readonly of: 'rooms' | 'devices'
      readonly selection: DeviceSelection
      /** Rooms with a device in a job that has not ended are left out (`in-other-job`); missing: they are rebooted. */
      readonly withoutOthers?: true
      /** Rooms in these zones of JobPlan are left out (`in-use`); missing: they are rebooted. */
      readonly withoutZones?: readonly string[]
    }
  /** One request for each device, with all changes; devices that already match are not written to. */
  | {
      readonly kind: 'change-settings'
      readonly selection: DeviceSelection
      readonly changes: readonly SettingChange[]
    }
  /** One request for each device, then watched until it reports the version. */
  | {
      readonly kind: 'update-firmware'
      /** The devices of these rooms; missing: these devices. */
      readonly of?: 'rooms'
      readonly selection: DeviceSelection
      /** A release of each device's product, or of it `latest`, `approved`, or `advised`: the approved one, else the latest. */
      readonly version: string
      /**
       * The technician confirms an older version, if the catalogue allows one, and devices whose version is
       * not known.
       */
      readonly allowDowngrade: boolean
      /** Devices that are offline are left out (`offline`); missing: they are written to, and may apply it when they return. */
      readonly withoutOffline?: true
      readonly watchForInMinutes: number
    }
export type JobKind = JobWork['kind']

/**
 * When a job may start items. Times of a window are minutes after midnight; a window with `from` above `to`
 * crosses midnight. A time without a zone is that of each room if its record names one (a device's: that of its
 * room), so one job may start items at different moments.
 */
export interface JobTiming {
  /**
   * Earliest start; null: now. With a zone it is a local time: each room starts when its own clock shows what
   * a clock in `timeZone` shows at this moment. Without one it is this moment for all.
   */
  readonly startAt: number | null
  readonly window: { readonly from: number; readonly to: number } | null
  /**
   * IANA name of the zone in which both were chosen, and in which they count for rooms without a zone;
   * missing: a start time is a moment, and a window counts in the preferences' zone.
   */
  readonly timeZone?: string
}

/** Devices whose rooms' records name the same zone. */
export interface ZoneCount {
  /** IANA name; `local`: their records name none. By name, `local` last. */
  readonly zone: string
  /** Devices. */
  readonly count: number
  /** Rooms, or devices that are written to. */
  readonly items: number
  /** When their start time is; null: no start time. */
  readonly startAt: number | null
}

/** When and how a job runs what was planned; they do not change the plan. */
export interface JobTerms extends JobTiming {
  /**
   * The technician allowed a retry of writes refused with 429, which had no effect. Nothing else is ever
   * retried.
   */
  readonly keepTrying: boolean
  /**
   * Only the first room, or the first device of each product, at first: watched until it is back or reports its
   * version; then the others of it. One that ends otherwise pauses the job. Not for settings.
   */
  readonly canary: boolean
  /** Its ticket, also on each line of the journal; missing: none. */
  readonly ticket?: string
}

export interface JobDraft extends JobTerms {
  readonly work: JobWork
  /**
   * Ids of rooms or devices that a technician wants to try first: they are first in the plan, in this order. Missing: the
   * plan decides. Ids that are not in the plan do nothing.
   */
  readonly first?: readonly string[]
}

/** What one item would do, according to current data. */
export interface PlannedItem {
  readonly target: { readonly of: 'room' | 'device'; readonly id: string; readonly name: string | null }
  /** The devices that go down with the room, or the device that is written to. */
  readonly devices: readonly PlannedDevice[]
  /** The earliest start by the one-minute rule of its devices; null: now. */
  readonly earliestAt: number | null
  /**
   * Settings: the current and the new value of each; `allowed` false: the device or its feature model does
   * not accept it, and why.
   */
  readonly changes: readonly PlannedChange[]
  /** Why nothing is sent for it; null: it will be sent. */
  readonly skipped: SkipReason | null
  /** IANA name of the zone that its record names; missing: none, or an unknown one. */
  readonly timeZone?: string
  /** Name of the item that is tried before it, if the terms say so; missing: none, as for the first. */
  readonly after?: string
  /** Id of the oldest job of `JobPlan.alsoIn` with one of its devices; missing: none. */
  readonly alsoIn?: string
  /** Plan of one room: its last reboot, if its result is unknown; missing: known, or not queried. */
  readonly unanswered?: UnansweredReboot
}
export interface PlannedDevice {
  readonly id: string
  readonly name: string
  readonly status: string
  /** The product whose drawing is shown; missing: not known. */
  readonly productName?: string
  /**
   * Plan of one room: the service no longer lists the device in the room, where it was known before, so it
   * may go down as well.
   */
  readonly listedNow?: false
}
export interface PlannedChange {
  readonly name: string
  /** As displayed; null: not available or not read yet. */
  readonly now: string | null
  readonly new: string
  readonly allowed: boolean
  readonly reason: string | null
  /** null: not stated. */
  readonly restarts: boolean | null
}
/**
 * `nothing-online`, `members-unknown`, `in-other-job`, `in-use`: rooms. `no-room`: devices outside rooms. `as-wanted`, `not-allowed`,
 * `settings-unknown`: settings. `offline`: updates. `gone`: all.
 */
export type SkipReason =
  | 'nothing-online'
  | 'members-unknown'
  | 'no-room'
  | 'in-other-job'
  | 'in-use'
  | 'as-wanted'
  | 'not-allowed'
  | 'settings-unknown'
  | 'gone'
  | 'offline'
  | FirmwareRefusal
/** Why a device is not updated. */
export type FirmwareRefusal =
  /**
   * No release of its product has this version; or there is no latest or approved one, whichever was
   * requested.
   */
  | 'no-release'
  | 'revoked'
  /** It runs a newer version, and the catalogue does not say that a downgrade is allowed. */
  | 'no-downgrade'
  /** It runs a newer version: possible after confirmation. */
  | 'downgrade'
  /** It may run a newer version: possible after confirmation. */
  | 'version-unknown'
  /** Its product is unknown, or the releases of the product cannot be read. */
  | 'releases-unknown'

/** Devices of one product that a firmware job updates to one version. */
export interface PlannedProduct extends ProductId {
  readonly name: string
  readonly version: string
  /** When its release list was last read. */
  readonly listedAt: number
  readonly deviceIds: readonly string[]
  /** The versions they run, as last read, most frequent first; null: not known. */
  readonly from: readonly { readonly version: string | null; readonly devices: number }[]
  /** Name of its device that is tried first, if the terms say so. */
  readonly first: string
  readonly firstStatus: string
}

/**
 * A plan as displayed. It is stored for a while under its id. Starting a job names this id, so that exactly
 * the displayed plan is executed.
 */
export interface JobPlan {
  readonly id: string
  /** Its organization, named in every confirmation. */
  readonly organization: { readonly id: string; readonly name: string }
  readonly draft: JobDraft
  readonly madeAt: number
  /** Number of items, without skipped ones. */
  readonly items: number
  readonly skipped: readonly { readonly reason: SkipReason; readonly count: number }[]
  /** Devices that go down or are written to. */
  readonly devices: number
  /** Devices that are offline, counted in `devices` if they are written to: in a room that restarts they do not go down. */
  readonly offline: number
  /** Jobs with items of the same devices that have not ended, oldest first. */
  readonly alsoIn: readonly {
    readonly job: Job
    /** Of the plan. */
    readonly devices: number
    /** The plan's items with these devices, and the names of the first three. */
    readonly items: number
    readonly first: readonly string[]
  }[]
  /** Exact if there are no faults. */
  readonly cost: CallCost
  /**
   * Maximum of further calls to watch accepted items: rooms that come back, settings that are applied later.
   */
  readonly watchingAtMost: number
  /** Calls saved by reading settings of many devices in pages; null: not possible or no gain. */
  readonly savedCalls: number | null
  /** Number to type before it starts: the count of items, if above five; null: a click is enough. */
  readonly typeNumber: number | null
  readonly lock: WriteLock
  readonly zones: readonly ZoneCount[]
  /** The one item of a plan of one; null: several or none. */
  readonly target: PlannedItem['target'] | null
  /** Firmware: number of devices of each product, by name; missing: a job of another kind. */
  readonly products?: readonly PlannedProduct[]
}

export interface JobStart {
  /** Of a JobPlan. */
  readonly plan: string
  /** The technician unlocked actions inside the confirmation. */
  readonly unlock: boolean
  /** The typed number, if the plan requires it. */
  readonly typed: number | null
  /** Chosen while the plan was displayed; missing: as in its draft. */
  readonly terms?: JobTerms
  /** It continues when the client that starts it has gone; missing: it pauses then. */
  readonly detached?: boolean
}

/**
 * How an item ended. The counts of all outcomes always add up to the number of items. `unknown`: sent, and
 * the result cannot be known.
 */
export type JobOutcome = 'done' | 'failed' | 'not-found' | 'not-supported' | 'unknown'
export type JobCounts = { readonly [O in JobOutcome]: number }

/**
 * `waiting`: for its start time or window. `unarmed`: scheduled, but it does not start unless it is resumed
 * and unlocked: the program was restarted since, or everything was locked. A start time that passes meanwhile
 * is missed. `paused`: by a technician, or because the program ended; continues when resumed (after a
 * restart, when unlocked again). `stopping`: cancelled, while items in flight end. `ended`: every item has an
 * outcome.
 */
export type JobState = 'waiting' | 'unarmed' | 'running' | 'paused' | 'stopping' | 'ended'

/**
 * Why a job, or an item of it, cannot continue now. `key`: the subscription key is refused, missing or
 * unavailable.
 */
export type WaitReason =
  | 'start-time'
  | 'window'
  | 'paused'
  | 'locked'
  /** An administrator's policy does not allow it. */
  | 'policy'
  | 'key'
  | 'canary'
  | 'device-minute'
  | 'call-budget'
  | 'rate-limited'
  | 'offline'
  /** A release list cannot be read: it is asked again each minute, or the job is paused. */
  | 'releases'

export interface Job extends JobTiming {
  readonly id: string
  readonly organizationId: string
  readonly kind: JobKind
  /** The operating system's user. */
  readonly who: string
  /** The one item of a job of one; null: it has several. */
  readonly target: PlannedItem['target'] | null
  readonly state: JobState
  /** As in JobPlan; missing: it has neither a start time nor a window. */
  readonly zones?: readonly ZoneCount[]
  /** When a missed start time was noticed, in this run or an earlier one; null: not missed. */
  readonly missed: 'in-this-run' | 'earlier' | null
  readonly waitsFor: WaitReason | null
  /** When the wait may end, if known. */
  readonly waitsUntil: number | null
  /** For `releases`: which list, and its age. Missing: another reason. */
  readonly unreadReleases?: FailureOf<'releases-unread'>
  /** Possible passwords and codes are shown as dots. */
  readonly changes: readonly SettingChange[]
  readonly keepTrying: boolean
  readonly canary: boolean
  /** Missing: none. */
  readonly ticket?: string
  readonly asked: number
  readonly counts: JobCounts
  /**
   * Of those done: accepted, but no success was seen (`did-not-come-back`, `not-watched`, `applies-later`).
   */
  readonly unseen: number
  /** Of those failed: nothing was sent (`cancelled`, `missed`). */
  readonly notSent: number
  /** Not ended yet: sent and watched, or being sent. */
  readonly underWay: number
  readonly callsUsed: number
  /** Cost of the plan, without watching. */
  readonly callsPlanned: number
  /** Further calls to watch accepted items. */
  readonly watchingAtMost: number
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Estimated remaining time in ms; `canary`: the most it takes; null: not known (paused, waiting, within a window). */
  readonly leftInMs: number | null
  /** The job whose failed items it retries; null: none. */
  readonly retryOf: string | null
  /** Items that may be retried: `failed`, cancelled ones too; never `unknown`. */
  readonly retryable: number
}

/**
 * `checking`: reads back after the write. `watching`: waits until the room is back or the device reports its
 * version.
 */
export type JobItemState = 'queued' | 'sending' | 'checking' | 'watching' | 'ended'

export interface JobItem {
  readonly id: number
  readonly jobId: string
  readonly target: PlannedItem['target']
  readonly deviceIds: readonly string[]
  /** As PlannedItem. */
  readonly timeZone?: string
  readonly state: JobItemState
  readonly waitsFor: WaitReason | null
  /** Earliest time of its request, by the one-minute rule or its window; null: now, or not known. */
  readonly earliestAt: number | null
  readonly outcome: JobOutcome | null
  /**
   * Detail of the outcome: `back-online`, `did-not-come-back`, `verified`, `applies-later`, `as-wanted`,
   * `conflict`, `cancelled`, `nothing-online`; null: see `failure`.
   */
  readonly detail: JobDetail | null
  readonly failure: Failure | null
  readonly callsUsed: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** The journal line of its write; null: no write was begun. */
  readonly journalId: number | null
  /** Another job tries it again; missing: none. */
  readonly retried?: true
  /** The versions of an update as planned; `from` null: not known. Missing: no update. */
  readonly firmware?: { readonly from: string | null; readonly to: string }
}
/** Items that were not sent yet and wait for the same. */
export interface JobWait {
  /** null: nothing delays them but the items before them. */
  readonly reason: WaitReason | null
  /** When the wait may end, if known. */
  readonly until: number | null
  /** `canary`: the item that is tried first. */
  readonly after?: PlannedItem['target']
  readonly count: number
  /** The first of them, at most 100. */
  readonly targets: readonly PlannedItem['target'][]
}
export type JobDetail =
  /** Rooms: watched until every device that went down was online again. */
  | 'back-online'
  /** Rooms: accepted, and not back within the time watched. */
  | 'did-not-come-back'
  /** Accepted, result not known: watching was ended early or saw no restart, or settings were not read back. */
  | 'not-watched'
  /** Settings: the values that were read back match. Firmware: the device reports the version. */
  | 'verified'
  /** Firmware: accepted, and the device did not report the version within the time watched. */
  | 'not-reported'
  /** Settings: accepted, but the device still reports the old values: it may apply them later. */
  | 'applies-later'
  /** Settings, firmware: the device already matched; nothing was sent. */
  | 'as-wanted'
  /** Settings, firmware: a read before the write differed from the plan; nothing was sent. */
  | 'conflict'
  | 'cancelled'
  /** The start time passed while the job was not armed or the computer slept: nothing was sent. */
  | 'missed'
  | 'nothing-online'
  | 'members-unknown'

/** A room that an item of a job is restarting. */
export interface RoomRestart {
  readonly roomId: string
  readonly jobId: string
  readonly state: 'sending' | 'watching'
  /** When the service accepted it; null: not yet. */
  readonly sentAt: number | null
}

export type JobSort = SortBy<JobSortColumn>
export type JobItemSort = SortBy<JobItemSortColumn>

export interface JobQuery {
  /** A filter over `jobVocabulary` (vocabularies.ts); missing: all jobs. One with problems is refused with `invalid`, field `where`. */
  readonly where?: string
  /** Missing: newest first. */
  readonly sort?: JobSort
  readonly start: number
  /** At most 500. */
  readonly count: number
}
export interface JobPage {
  readonly jobs: readonly Job[]
  readonly total: number
}
export interface JobItemQuery {
  readonly id: string
  /**
   * `attention`: ended otherwise than done, or done without a success that was seen; `not-sent`: cancelled or missed; `done`: the
   * other ones that ended. `open`: not ended; `under-way`: of these the ones that were begun. null: all.
   */
  readonly show: (typeof jobItemShows)[number] | null
  /** Missing: in the order of the plan. */
  readonly sort?: JobItemSort
  readonly start: number
  /** At most 500. */
  readonly count: number
}
export interface JobItemPage {
  readonly items: readonly JobItem[]
  readonly total: number
}

/** More than products in any fleet. */
const triedFirstAtMost = 1_000
/** There are fewer time zones. */
const zonesAtMost = 1_000
const terms = {
  startAt: start.nullable(),
  window: z.strictObject({ from: z.int().min(0).max(1_439), to: z.int().min(0).max(1_439) }).nullable(),
  timeZone: text(100).exactOptional(),
  keepTrying: z.boolean(),
  canary: z.boolean(),
  ticket: text(ticketAtMost).exactOptional(),
}
const draft = z.strictObject({
  work: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('reboot-rooms'),
      of: z.enum(['rooms', 'devices']),
      selection,
      withoutOthers: z.literal(true).exactOptional(),
      withoutZones: z.array(text(100)).max(zonesAtMost).readonly().exactOptional(),
    }),
    z.strictObject({ kind: z.literal('change-settings'), selection, changes: settingChanges }),
    z.strictObject({
      kind: z.literal('update-firmware'),
      of: z.literal('rooms').exactOptional(),
      selection,
      version,
      allowDowngrade: z.boolean(),
      withoutOffline: z.literal(true).exactOptional(),
      watchForInMinutes: z.int().min(1).max(watchedAtMostInMinutes),
    }),
  ]),
  ...terms,
  first: z.array(id).max(triedFirstAtMost).readonly().exactOptional(),
})
/** Which items of a job, and their order. */
export const jobItems = {
  id,
  show: z.enum(jobItemShows).nullable(),
  sort: jobItemSort.exactOptional(),
}

export const jobs = {
  /** Requests only the data that the draft needs. Plans are stored for 30 minutes, at most 20 of them. */
  plan: method(draft).returns<JobPlan>(),
  /** Items of a plan, followed by the skipped ones. `product`: only those of one, by its place in JobPlan. */
  planned: method(z.strictObject({ plan: id, start, count, product: start.exactOptional() })).returns<{
    readonly items: readonly PlannedItem[]
    readonly total: number
  }>(),
  /** Once: the id of the job is its plan's, so `get` tells a client without an answer whether it was started. */
  start: write(
    z.strictObject({
      plan: id,
      unlock: z.boolean(),
      typed: z.int().min(0).max(1_000_000).nullable(),
      terms: z.strictObject(terms).exactOptional(),
      detached: z.boolean().exactOptional(),
    }),
  ).returns<Job>(),
  list: method(
    z.strictObject({ where: where.exactOptional(), sort: jobSort.exactOptional(), start, count }),
  ).returns<JobPage>(),
  get: method(byId).returns<Job>(),
  /** By its id or the beginning of one. `not-found`; `invalid` for several. */
  find: method(typed).returns<Job>(),
  items: method(z.strictObject({ ...jobItems, start, count })).returns<JobItemPage>(),
  /** What the items that were not sent yet wait for, the largest group first. */
  waits: method(byId).returns<readonly JobWait[]>(),
  /**
   * Rooms that jobs of the organization are restarting now, from the request to the end of the watch: at most
   * 1,000.
   */
  restarts: method(nothing).returns<readonly RoomRestart[]>(),
  /**
   * Jobs of the other organizations, newest first within each: those that have not ended, and those that
   * missed their start time in this run.
   */
  elsewhere: method(nothing).returns<readonly Job[]>(),
  pause: method(byId).returns<Job>(),
  resume: write(z.strictObject({ id, unlock: z.boolean() })).returns<Job>(),
  /** Items not sent yet will not be sent; items in flight end normally. */
  cancel: method(byId).returns<Job>(),
  /** A plan of the failed items, or of one of them, started like any other. */
  retry: method(z.strictObject({ id, item: start.exactOptional() })).returns<JobPlan>(),
  /** Checks the result of an item that ended as unknown: a read, never the write again. */
  check: method(z.strictObject({ item: start })).returns<JobItemPage>(),
  changed: event<{ readonly ids: readonly string[] }>(),
}
