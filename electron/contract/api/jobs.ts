import { z } from 'zod'
import {
  byId,
  count,
  id,
  jobItemSort,
  jobSort,
  nothing,
  selection,
  settingChanges,
  start,
  text,
  version,
} from '../argument-parts.ts'
import type { SortBy } from '../fields/field.ts'
import type { JobSortColumn } from '../fields/job.ts'
import type { JobItemSortColumn } from '../fields/job-item.ts'
import { jobOutcomes, watchedAtMostInMinutes } from '../job.ts'
import { event, method } from '../method.ts'
import { ticketAtMost } from '../note.ts'
import type { DeviceSelection } from './devices.ts'
import type { ProductId } from './firmware.ts'
import type { Failure } from '../failure.ts'
import type { SettingChange } from './settings.ts'
import type { CallCost, UnansweredReboot, WriteLock } from './writes.ts'

/** What a job does. A selection of rooms reads its filter by the vocabulary of rooms, one of devices by that of devices. */
export type JobWork =
  /** `of: 'devices'`: the rooms these devices stand in. Each room once, whichever of its ids or devices were named. */
  | { readonly kind: 'reboot-rooms'; readonly of: 'rooms' | 'devices'; readonly selection: DeviceSelection }
  /** One request for each device, with all changes; a device whose settings are so already is not written to. */
  | {
      readonly kind: 'change-settings'
      readonly selection: DeviceSelection
      readonly changes: readonly SettingChange[]
    }
  /** One request for each device, then watched until it reports the version. */
  | {
      readonly kind: 'update-firmware'
      readonly selection: DeviceSelection
      /** A release of each device's product, or of it `latest`, `approved`, or `advised`: the approved one, else the latest. */
      readonly version: string
      /** The technician confirms an older version, where the catalogue allows one, and devices whose version is not known. */
      readonly allowDowngrade: boolean
      readonly watchForInMinutes: number
    }
export type JobKind = JobWork['kind']

/**
 * When a job may start items. Times of a window are minutes after midnight, `from` above `to` goes over midnight; they count in the time zone
 * of each room, where its record names one, so that one job may start items at different moments.
 */
export interface JobTiming {
  /** Not before; null: now. */
  readonly startAt: number | null
  readonly window: { readonly from: number; readonly to: number } | null
  /** IANA name of the zone in which both were chosen and are shown, and in which a window counts for rooms that name none; missing: the preferences'. */
  readonly timeZone?: string
}

/** When and how a job does what was planned: nothing of it changes the plan. */
export interface JobTerms extends JobTiming {
  /** The technician asked to try again what the service refused with 429: surely not done. Nothing else is ever tried again. */
  readonly keepTrying: boolean
  /** The first room or device alone, watched until it is back or reports its version; the others only then. Not of settings. */
  readonly canary: boolean
  /** The ticket it is for, on each line of the journal too; missing: none. */
  readonly ticket?: string
}

export interface JobDraft extends JobTerms {
  readonly work: JobWork
}

/** What one item would do, from what is known now. */
export interface PlannedItem {
  readonly target: { readonly of: 'room' | 'device'; readonly id: string; readonly name: string | null }
  /** Devices that go down (a room), or the one that is written to. */
  readonly devices: readonly PlannedDevice[]
  /** The earliest start by the minute of its devices; null: now. */
  readonly earliestAt: number | null
  /** Settings: what each is now and what it would be; `allowed` false: the device or its feature model does not take it, and why. */
  readonly changes: readonly PlannedChange[]
  /** Why nothing is sent for it; null: something is. */
  readonly skipped: SkipReason | null
  /** IANA name of the zone its record names; missing: it names none, or none that is known here. */
  readonly timeZone?: string
  /** A plan of one room: its last reboot, when nobody knows how that ended; missing: known, or not looked up. */
  readonly unanswered?: UnansweredReboot
}
export interface PlannedDevice {
  readonly id: string
  readonly name: string
  readonly status: string
  /** A plan of one room: the service does not list it in the room now, but it was known there, so it may go down as well. */
  readonly listedNow?: false
}
export interface PlannedChange {
  readonly name: string
  /** For people; null: not available or not read yet. */
  readonly now: string | null
  readonly new: string
  readonly allowed: boolean
  readonly reason: string | null
  /** null: not said. */
  readonly restarts: boolean | null
}
/** `nothing-online`, `members-unknown`: rooms. `no-room`: devices that stand in no room. `as-wanted`, `not-allowed`, `settings-unknown`: settings. `gone`: both. */
export type SkipReason =
  | 'nothing-online'
  | 'members-unknown'
  | 'no-room'
  | 'as-wanted'
  | 'not-allowed'
  | 'settings-unknown'
  | 'gone'
  | FirmwareRefusal
/** Why a device is not updated. */
export type FirmwareRefusal =
  /** No release of its product has this version, or none is the latest or approved. */
  | 'no-release'
  | 'revoked'
  /** It runs a newer one, and the catalogue does not say that it may be set back. */
  | 'no-downgrade'
  /** It runs a newer one: possible when it is confirmed. */
  | 'downgrade'
  /** It may run a newer one: possible when it is confirmed. */
  | 'version-unknown'
  /** Its product is not known, or the releases of it cannot be read. */
  | 'releases-unknown'

/** Devices of one product that a firmware job updates to one version. */
export interface PlannedProduct extends ProductId {
  readonly name: string
  readonly version: string
  readonly devices: number
  /** What they run, as last read, most devices first; null: not known. */
  readonly from: readonly { readonly version: string | null; readonly devices: number }[]
}

/** A plan as it was shown. It is kept for a while under its id; starting names it, so that what was shown is what is done. */
export interface JobPlan {
  readonly id: string
  readonly draft: JobDraft
  readonly madeAt: number
  /** Items the job would have; what is skipped is none of them. */
  readonly items: number
  readonly skipped: readonly { readonly reason: SkipReason; readonly count: number }[]
  /** Devices that go down or are written to. */
  readonly devices: number
  /** Exact without faults. */
  readonly cost: CallCost
  /** Further calls for looking after what was accepted, at most: rooms that come back, settings that are applied later. */
  readonly watchingAtMost: number
  /** What reading settings of many devices by pages saves; null: not possible or no gain. */
  readonly savedCalls: number | null
  /** Number to be typed before it starts: the items, where they are more than five; null: a click is enough. */
  readonly typeNumber: number | null
  readonly lock: WriteLock
  /** Each zone its items lie in, once (IANA names, in order); null among them: some name none. */
  readonly timeZones: readonly (string | null)[]
  /** The one item of a plan of one; null: it has several, or none. */
  readonly target: PlannedItem['target'] | null
  /** Firmware: how many of each product, by name; missing: another kind. */
  readonly products?: readonly PlannedProduct[]
}

export interface JobStart {
  /** Of a JobPlan. */
  readonly plan: string
  /** The technician unlocked writes inside the confirmation. */
  readonly unlock: boolean
  /** What was typed, where the plan asks for it. */
  readonly typed: number | null
  /** Chosen while the plan was looked at; missing: those of its draft. */
  readonly terms?: JobTerms
}

/** How an item ended. Their sum is always what was asked. `unknown`: sent, and nobody can say what became of it. */
export type JobOutcome = 'done' | 'failed' | 'not-found' | 'not-supported' | 'unknown'
export type JobCounts = { readonly [O in JobOutcome]: number }

/**
 * `waiting`: for its start time or window. `unarmed`: scheduled, and it will not start unless it is resumed with unlocking: the program
 * was restarted since, or everything was locked. A start time that passes meanwhile is missed. `paused`: by a technician, or since the
 * program ended; goes on when resumed (which needs unlocking again after a restart). `stopping`: cancelled, and what is under way is
 * waited for. `ended`: every item has an outcome.
 */
export type JobState = 'waiting' | 'unarmed' | 'running' | 'paused' | 'stopping' | 'ended'

/** Why a job, or an item of it, does not go on now. `key`: the subscription key is refused, missing or cannot be had. */
export type WaitReason =
  | 'start-time'
  | 'window'
  | 'paused'
  | 'locked'
  | 'key'
  | 'canary'
  | 'device-minute'
  | 'call-budget'
  | 'rate-limited'
  | 'offline'

export interface Job extends JobTiming {
  readonly id: string
  readonly organizationId: string
  readonly kind: JobKind
  /** The operating system's user. */
  readonly who: string
  /** The one item of a job of one; null: it has several. */
  readonly target: PlannedItem['target'] | null
  readonly state: JobState
  /** Each zone in which its window counts, as in JobPlan; missing: it has no window. */
  readonly timeZones?: JobPlan['timeZones']
  /** Its start time passed and nothing was sent: found out in this run of the program, or in one before; null: it did not. */
  readonly missed: 'in-this-run' | 'earlier' | null
  readonly waitsFor: WaitReason | null
  /** When that may be over, where it is known. */
  readonly waitsUntil: number | null
  /** What may be a password or a code is dots. */
  readonly changes: readonly SettingChange[]
  readonly keepTrying: boolean
  readonly canary: boolean
  /** Missing: none. */
  readonly ticket?: string
  readonly asked: number
  readonly counts: JobCounts
  /** Of those done: accepted, and not seen to have worked (`did-not-come-back`, `not-watched`, `applies-later`). */
  readonly unseen: number
  /** Not ended yet: sent and watched, or being sent. */
  readonly underWay: number
  readonly callsUsed: number
  /** The plan's cost, and watching at most. */
  readonly callsPlanned: number
  readonly watchingAtMost: number
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** About how long it still takes, ms; null: nobody can say (paused, waiting). */
  readonly leftInMs: number | null
  /** The job whose failed items it tries again; null: none. */
  readonly retryOf: string | null
  /** Items that may be tried again: `failed`, cancelled ones too; never `unknown`. */
  readonly retryable: number
}

/** `checking`: read back after the write. `watching`: waits for the room to come back, or for the device to report its version. */
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
  /** When it may be sent at the earliest, by the minute of its devices or by its window; null: now, or nobody knows. */
  readonly earliestAt: number | null
  readonly outcome: JobOutcome | null
  /** More about the outcome: `back-online`, `did-not-come-back`, `verified`, `applies-later`, `as-wanted`, `conflict`, `cancelled`, `nothing-online`; null: see `failure`. */
  readonly detail: JobDetail | null
  readonly failure: Failure | null
  readonly callsUsed: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** The journal's line of its write; null: nothing was about to be sent. */
  readonly journalId: number | null
}
export type JobDetail =
  /** Rooms: watched until every device that went down was online again. */
  | 'back-online'
  /** Rooms: accepted, and not back within the time watched. */
  | 'did-not-come-back'
  /** Rooms, firmware: accepted, and nobody can tell: watching was ended before, or saw no restart. */
  | 'not-watched'
  /** Settings: read back, and so. Firmware: the device reports the version. */
  | 'verified'
  /** Firmware: accepted, and the device did not report the version within the time watched. */
  | 'not-reported'
  /** Settings: accepted, and the device still tells the old values: it may apply them later. */
  | 'applies-later'
  /** Settings, firmware: it was so already; nothing was sent. */
  | 'as-wanted'
  /** Settings, firmware: read again before writing, it was not what the plan showed; nothing was sent. */
  | 'conflict'
  | 'cancelled'
  /** The start time passed while the job was not armed, or the computer slept: nothing was sent. */
  | 'missed'
  | 'nothing-online'
  | 'members-unknown'

/** A room that an item of a job is restarting. */
export interface RoomRestart {
  readonly roomId: string
  readonly jobId: string
  readonly state: 'sending' | 'watching'
  /** When the service accepted it; null: it did not yet. */
  readonly sentAt: number | null
}

export type JobSort = SortBy<JobSortColumn>
export type JobItemSort = SortBy<JobItemSortColumn>

export interface JobQuery {
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
  /** `open`: not ended. null: all. */
  readonly show: JobOutcome | 'open' | null
  /** Missing: as they were planned. */
  readonly sort?: JobItemSort
  readonly start: number
  /** At most 500. */
  readonly count: number
}
export interface JobItemPage {
  readonly items: readonly JobItem[]
  readonly total: number
}

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
    z.strictObject({ kind: z.literal('reboot-rooms'), of: z.enum(['rooms', 'devices']), selection }),
    z.strictObject({ kind: z.literal('change-settings'), selection, changes: settingChanges }),
    z.strictObject({
      kind: z.literal('update-firmware'),
      selection,
      version,
      allowDowngrade: z.boolean(),
      watchForInMinutes: z.int().min(1).max(watchedAtMostInMinutes),
    }),
  ]),
  ...terms,
})
/** Which items of a job, and their order. */
export const jobItems = {
  id,
  show: z.enum([...jobOutcomes, 'open']).nullable(),
  sort: jobItemSort.exactOptional(),
}

export const jobs = {
  /** Reads what the draft needs and nothing else; the plan is kept for 30 minutes, at most 20 of them. */
  plan: method(draft).returns<JobPlan>(),
  /** Items of a plan, and after them those that would be skipped. */
  planned: method(z.strictObject({ plan: id, start, count })).returns<{
    readonly items: readonly PlannedItem[]
    readonly total: number
  }>(),
  start: method(
    z.strictObject({
      plan: id,
      unlock: z.boolean(),
      typed: z.int().min(0).max(1_000_000).nullable(),
      terms: z.strictObject(terms).exactOptional(),
    }),
  ).returns<Job>(),
  list: method(z.strictObject({ sort: jobSort.exactOptional(), start, count })).returns<JobPage>(),
  get: method(byId).returns<Job>(),
  items: method(z.strictObject({ ...jobItems, start, count })).returns<JobItemPage>(),
  /** Rooms that jobs of the organization are restarting now, from being sent until they were watched: at most 1,000. */
  restarts: method(nothing).returns<readonly RoomRestart[]>(),
  pause: method(byId).returns<Job>(),
  resume: method(z.strictObject({ id, unlock: z.boolean() })).returns<Job>(),
  /** What was not sent is not sent any more; what is in flight ends. */
  cancel: method(byId).returns<Job>(),
  /** A plan of what failed, to be started as any other. */
  retry: method(byId).returns<JobPlan>(),
  /** Looks at what became of an item that ended unknown: a read, never the write again. */
  check: method(z.strictObject({ item: start })).returns<JobItemPage>(),
  changed: event<{ readonly ids: readonly string[] }>(),
}
