import type { JobKind } from './api/jobs.ts'
import type { JobNews } from './job-news.ts'
import type { JobResult } from './job-result.ts'

/** The events for which the operating system may show a notification. */
export const notificationKinds = [
  'room-down',
  'job-ended',
  'firmware-withdrawn',
  'approval-expired',
  'key-refused',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/**
 * Minutes after local midnight; a range with `from` above `to` crosses midnight, equal values mean no time at
 * all.
 */
export interface QuietHours {
  readonly from: number
  readonly to: number
}

/** The target of a click. `where`: a filter of that list. */
export interface Place {
  /** null: the current one. */
  readonly organizationId: string | null
  readonly page: 'overview' | 'rooms' | 'devices' | 'jobs' | 'firmware' | 'organizations'
  readonly id?: string
  readonly where?: string
}

/**
 * One fact, or the count of each kind. Plain JSON, because notifications that wait for the end of quiet hours
 * are stored. Names are as a service or a person wrote them.
 */
export type Message = { readonly place: Place } & (
  | { readonly kind: 'room-down' | 'room-back'; readonly name: string | null }
  | {
      readonly kind: 'job-ended'
      readonly work: JobKind
      readonly target: string | null
      readonly asked: number
      readonly counts: Readonly<Record<JobResult, number>>
    }
  | {
      readonly kind: 'job-news'
      readonly news: JobNews
      readonly work: JobKind
      readonly target: string | null
      readonly asked: number
      readonly organizationId: string
      readonly organization: string
    }
  | {
      readonly kind: 'firmware-withdrawn'
      readonly product: string
      readonly version: string
      readonly devices: number
    }
  | { readonly kind: 'approval-expired'; readonly product: string; readonly version: string }
  | {
      readonly kind: 'key-refused'
      readonly organizationId: string
      /** Its present name when it is shown. */
      readonly organization: string
    }
  | { readonly kind: 'several'; readonly counts: readonly MessageCount[] }
)
export interface MessageCount {
  readonly kind: SingleMessage['kind']
  readonly count: number
}
export type SingleMessage = Exclude<Message, { readonly kind: 'several' }>
