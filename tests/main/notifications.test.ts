import { EventEmitter } from 'node:events'
import { expect, it, test } from 'vitest'
import type { Message } from '../../electron/contract/notification.ts'
import { notificationText } from '../../electron/main/notification-text.ts'
import { showOver } from '../../electron/main/notifications.ts'

const place = { organizationId: 'org', page: 'rooms', id: 'room-1' } as const
const counts = {
  done: 11,
  failed: 1,
  'not-found': 0,
  'not-supported': 0,
  unknown: 0,
  'not-confirmed': 0,
  'not-sent': 0,
}

it.each<readonly [Message, string, string]>([
  [
    { kind: 'room-down', name: 'Aarhus 3', place },
    'Aarhus 3 is down',
    'All devices of the room are offline.',
  ],
  [
    { kind: 'room-down', name: 'A\u202eb\u001b[0m', place },
    'A\\u202eb\\u001b[0m is down',
    'All devices of the room are offline.',
  ],
  [
    { kind: 'room-back', name: null, place },
    'A room without a name is back',
    'The devices of the room are no longer all offline.',
  ],
  [
    { kind: 'job-ended', work: 'reboot-rooms', target: null, asked: 12, counts, place },
    'Ended: reboot 12 rooms',
    '11 done, 1 failed.',
  ],
  [
    {
      kind: 'job-ended',
      work: 'change-settings',
      target: 'Anne',
      asked: 1,
      counts: { ...counts, done: 0, 'not-confirmed': 28, 'not-sent': 102 },
      place,
    },
    'Ended: change settings of Anne',
    '1 failed, 28 not confirmed, 102 not sent.',
  ],
  [
    {
      kind: 'job-news',
      news: 'missed',
      work: 'reboot-rooms',
      target: null,
      asked: 12,
      organizationId: 'org',
      organization: 'Nordlys',
      place,
    },
    'Nordlys: reboot 12 rooms',
    'It missed its start time. Nothing was sent.',
  ],
  [
    { kind: 'firmware-withdrawn', product: 'Jabra Evolve2 65', version: '2.8.1', devices: 13, place },
    'Jabra Evolve2 65: firmware 2.8.1 was revoked',
    '13 devices run it.',
  ],
  [
    { kind: 'approval-expired', product: 'Jabra Evolve2 65', version: '2.8.1', place },
    'Jabra Evolve2 65: the approval of 2.8.1 has expired',
    'Its devices are compared with the latest version.',
  ],
  [
    { kind: 'key-refused', organizationId: 'org', organization: 'Nordlys', place },
    'Nordlys: the service refused the key',
    'Nothing is read until you enter a valid key.',
  ],
  [
    {
      kind: 'several',
      counts: [
        { kind: 'room-down', count: 3 },
        { kind: 'job-ended', count: 1 },
      ],
      place,
    },
    'Headroom',
    '3 rooms went down.\n1 job ended.',
  ],
])('%j has the title %s', (message, title, body) => {
  expect(notificationText(message)).toEqual({ title, body })
})

test('a notification is shown, and a click brings the window to the front and opens its page', () => {
  const made: (EventEmitter & { show: () => void })[] = []
  const happened: string[] = []
  const show = showOver(
    ({ title }) => {
      const one = Object.assign(new EventEmitter(), { show: () => void happened.push(`shown: ${title}`) })
      made.push(one)
      return one
    },
    () => happened.push('to the front'),
  )
  show({ kind: 'room-down', name: 'Aarhus 3', place }, () => happened.push('opened'))
  made[0]?.emit('click')
  expect(happened).toEqual(['shown: Aarhus 3 is down', 'to the front', 'opened'])
})
