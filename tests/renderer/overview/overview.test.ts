// @vitest-environment happy-dom
import { mount, type VueWrapper } from '@vue/test-utils'
import { expect, test } from 'vitest'
import type { Overview, SiteRooms } from '../../../electron/contract/api/overview.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import OverviewSentence from '../../../renderer/overview/OverviewSentence.vue'
import RoomsBySite from '../../../renderer/overview/RoomsBySite.vue'
import { createPages } from '../../../renderer/router.ts'
import { textIn } from '../page.ts'

const calm: Overview = {
  asOf: 0,
  deviceCount: 100,
  roomCount: 10,
  stale: 0,
  silent: 0,
  changes: { since: null, total: 0, kinds: [] },
  rooms: {
    health: { ok: 10, trouble: 0, down: 0, unknown: 0 },
    trouble: { offline: 0, revoked: 0, disconnected: 0, fault: 0 },
    sites: [],
    otherSites: { count: 0, rooms: 0 },
    worst: [],
  },
  firmware: {
    words: { current: 90, behind: 0, ahead: 0, revoked: 0, unknown: 10 },
    products: [],
    others: 0,
  },
}
const global = { plugins: [i18n, createPages(() => true)] }
function visible(page: VueWrapper) {
  return {
    words: textIn(page.element),
    links: page
      .findAll('a')
      .map((one) => [
        one.text() || one.attributes('aria-label'),
        decodeURIComponent(one.attributes('href')!),
      ]),
    marks: page.findAll('a.mark').map((one) => one.findAll('svg').length),
  }
}
const sentence = (overview: Overview, isPartly = false) =>
  visible(mount(OverviewSentence, { props: { overview, isPartly, staleAfterInHours: 24 }, global }))

test('the sentence says how far a comparison is in place of its numbers', () => {
  const firmware = {
    ...calm.firmware,
    words: { current: 3, behind: 20, ahead: 1, revoked: 4, unknown: 72 },
    comparing: { done: 8, total: 33 },
  }
  const { words, links } = sentence({ ...calm, firmware })
  expect([words, links]).toEqual(['Comparing firmware, 8 of 33 products', []])
})

test('the work to do is a sentence about rooms and one about devices, each number with a link to its list', () => {
  const { words, links } = sentence({
    ...calm,
    stale: 1_200,
    silent: 9,
    rooms: {
      ...calm.rooms,
      health: { ok: 2, trouble: 7, down: 1, unknown: 2 },
      trouble: { offline: 4, revoked: 2, disconnected: 1, fault: 0 },
    },
    firmware: { ...calm.firmware, words: { current: 60, behind: 20, ahead: 1, revoked: 4, unknown: 15 } },
  })
  expect([words, links]).toEqual([
    '1 room is down , 4 have a device offline , 2 more have revoked firmware and 1 more is reported as disconnected . 20 devices are behind and 4 run revoked firmware . 2 rooms have an unknown status . 9 devices have not been seen for a week . 1,200 devices were read over 24 h ago .',
    [
      ['1 room is down', '#/rooms?where=health:down'],
      ['4 have a device offline', '#/rooms?where=health:trouble+offline:>=1'],
      ['2 more have revoked firmware', '#/rooms?where=health:trouble+!offline:>=1+fw:revoked'],
      [
        '1 more is reported as disconnected',
        '#/rooms?where=health:trouble+!offline:>=1+!fw:revoked+status:disconnected',
      ],
      ['20 devices are behind', '#/devices?where=fw:behind'],
      ['4 run revoked firmware', '#/devices?where=fw:revoked'],
      ['2 rooms have an unknown status', '#/rooms?where=health:unknown'],
      ['9 devices have not been seen for a week', '#/devices?where=age:>=7d'],
      ['1,200 devices were read over 24 h ago', '#/devices?where=read:>24h'],
    ],
  ])
})

test('the first reason counts its rooms, not more rooms', () => {
  const trouble = { ...calm.rooms.trouble, revoked: 3, fault: 1 }
  expect(sentence({ ...calm, rooms: { ...calm.rooms, trouble } }).words).toBe(
    '3 rooms have revoked firmware and 1 more has a device with a fault .',
  )
})

test.each([
  ['nothing needs attention', calm, false, 'No known problems.'],
  ['not everything was read, so it is not called good', calm, true, 'Not everything has been read yet.'],
])('with %s', (_, overview, isPartly, words) => {
  expect(sentence(overview, isPartly)).toEqual({ words, links: [], marks: [] })
})

test('a site has a mark for each of up to sixty rooms, the worst first, and a link for each health', () => {
  const site = (name: string | null, where: string | null, health: SiteRooms['health']): SiteRooms => ({
    name,
    where,
    health,
  })
  const sites = [
    site('Oslo', 'site:=Oslo', { ok: 100, trouble: 2, down: 1, unknown: 0 }),
    site(null, 'site:""', { ok: 0, trouble: 0, down: 0, unknown: 3 }),
  ]
  const rooms = { ...calm.rooms, health: { ok: 100, trouble: 2, down: 1, unknown: 3 } }
  expect(
    visible(
      mount(RoomsBySite, {
        props: { rooms: { ...rooms, sites, otherSites: { count: 2, rooms: 5 } }, roomCount: 111 },
        global,
      }),
    ),
  ).toEqual({
    words: 'Rooms 100 of 111 OK Oslo 103 No site 3 2 more sites with 5 rooms',
    links: [
      ['100 of 111 OK', '#/rooms?where=health:ok'],
      ['Oslo', '#/rooms?where=site:=Oslo'],
      ['Oslo, Down: 1', '#/rooms?where=site:=Oslo+health:down'],
      ['Oslo, Trouble: 2', '#/rooms?where=site:=Oslo+health:trouble'],
      ['Oslo, OK: 100', '#/rooms?where=site:=Oslo+health:ok'],
      ['No site', '#/rooms?where=site:""'],
      ['No site, Unknown: 3', '#/rooms?where=site:""+health:unknown'],
    ],
    marks: [1, 2, 57, 3],
  })
})
