import { withUnseenEscaped } from '../contract/unseen.ts'
import type { JobKind } from '../contract/api/jobs.ts'
import type { JobNews } from '../contract/job-news.ts'
import type { JobResult } from '../contract/job-result.ts'
import type { Message, MessageCount } from '../contract/notification.ts'

export interface NotificationText {
  readonly title: string
  readonly body: string
}

/** A longer name is cut here, because systems cut without an ellipsis. Raise it if systems show more. */
const nameAtMost = 80

/**
 * Names written by a service or a person appear only in the title: some systems interpret markup in the body.
 */
export function notificationText(message: Message): NotificationText {
  const { title, body } = plainText(message)
  return { title: withUnseenEscaped(title), body }
}

function plainText(message: Message): NotificationText {
  switch (message.kind) {
    case 'room-down':
      return { title: `${roomName(message.name)} is down`, body: 'All devices of the room are offline.' }
    case 'room-back':
      return {
        title: `${roomName(message.name)} is back`,
        body: 'The devices of the room are no longer all offline.',
      }
    case 'job-ended':
      return {
        title: `Ended: ${jobTitle(message.work, message.target, message.asked)}`,
        body: outcomes(message.counts),
      }
    case 'job-news':
      return {
        title: `${cut(message.organization)}: ${jobTitle(message.work, message.target, message.asked)}`,
        body: newsTexts[message.news],
      }
    case 'firmware-withdrawn':
      return {
        title: `${cut(message.product)}: firmware ${cut(message.version)} was revoked`,
        body: `${counted(message.devices, 'device runs', 'devices run')} it.`,
      }
    case 'approval-expired':
      return {
        title: `${cut(message.product)}: the approval of ${cut(message.version)} has expired`,
        body: 'Its devices are compared with the latest version.',
      }
    case 'key-refused':
      return {
        title: `${cut(message.organization)}: the service refused the key`,
        body: 'Nothing is read until you enter a valid key.',
      }
    case 'several':
      return { title: 'Headroom', body: message.counts.map(countText).join('\n') }
  }
}

const newsTexts: Readonly<Record<JobNews, string>> = {
  unarmed: 'It is scheduled, but does not start until it is resumed.',
  missed: 'It missed its start time. Nothing was sent.',
  paused: 'It is paused.',
  due: 'It has begun.',
}

const countText = ({ kind, count }: MessageCount): string => `${counted(count, ...countLabels[kind])}.`
const countLabels: Readonly<Record<MessageCount['kind'], readonly [one: string, more: string]>> = {
  'room-down': ['room went down', 'rooms went down'],
  'room-back': ['room is back', 'rooms are back'],
  'job-ended': ['job ended', 'jobs ended'],
  'job-news': ['job began or needs you', 'jobs began or need you'],
  'firmware-withdrawn': ['firmware version was revoked', 'firmware versions were revoked'],
  'approval-expired': ['approval has expired', 'approvals have expired'],
  'key-refused': ['subscription key was refused', 'subscription keys were refused'],
}

const cut = (name: string): string => (name.length > nameAtMost ? `${name.slice(0, nameAtMost)}…` : name)
const roomName = (name: string | null): string => (name === null ? 'A room without a name' : cut(name))
const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

function jobTitle(work: JobKind, target: string | null, asked: number): string {
  const one = work === 'reboot-rooms' ? 'room' : 'device'
  const of = target === null ? counted(asked, one, `${one}s`) : cut(target)
  return work === 'reboot-rooms'
    ? `reboot ${of}`
    : `${work === 'change-settings' ? 'change settings' : 'update firmware'} of ${of}`
}

const outcomes = (counts: Readonly<Record<JobResult, number>>): string =>
  `${(Object.entries(counts) as [JobResult, number][])
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count.toLocaleString('en')} ${outcomeLabels[outcome]}`)
    .join(', ')}.`
const outcomeLabels: { readonly [R in JobResult]: string } = {
  done: 'done',
  failed: 'failed',
  'not-found': 'not found',
  'not-supported': 'not supported',
  unknown: 'unknown, check',
  'not-confirmed': 'not confirmed',
  'not-sent': 'not sent',
}
