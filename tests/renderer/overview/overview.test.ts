import { describe, expect, test } from 'vitest'
import type { Overview } from '../../../electron/contract/api/overview.ts'
import { readFilter } from '../../../electron/contract/filter/filter-reader.ts'
import { vocabularies } from '../../../electron/contract/filter/filter-words.ts'
import { ageLabels } from '../../../renderer/overview/overview-charts.ts'
import {
  inUnits,
  productDevices,
  readBetween,
  type PlaceWithFilter,
} from '../../../renderer/overview/overview-links.ts'
import { workOf } from '../../../renderer/overview/work-tiles.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const now = Date.UTC(2026, 10, 21, 13, 2)
const overview: Overview = {
  asOf: now,
  deviceCount: 100,
  roomCount: 10,
  changes: {
    since: now - DAY,
    total: 40,
    kinds: [
      { word: 'went-offline', count: 20 },
      { word: 'firmware-changed', count: 12 },
      { word: 'gone', count: 5 },
      { word: 'renamed', count: 3 },
    ],
  },
  rooms: { health: { ok: 5, trouble: 2, down: 1, unknown: 2 }, worst: [] },
  firmware: {
    words: { current: 60, behind: 20, ahead: 1, revoked: 4, unknown: 15 },
    products: [],
    others: 0,
  },
  statuses: [],
  lastSeen: [
    { atLeastInMs: DAY, count: 30 },
    { atLeastInMs: 7 * DAY, count: 9 },
    { atLeastInMs: 30 * DAY, count: 4 },
  ],
  neverSeen: 2,
  ages: [
    { upToInMs: HOUR, count: 50 },
    { upToInMs: DAY, count: 30 },
    { upToInMs: 7 * DAY, count: 15 },
    { upToInMs: null, count: 5 },
  ],
  stale: 20,
  goneLately: 3,
  unreadable: 1,
}

test('work to do: each number, what it is made of, and the list each part leads to', () => {
  const told = workOf(overview, now, DAY).map(({ key, count, kind, to, parts }) => ({
    key,
    count,
    kind,
    to: to?.query.where,
    parts: parts.map((part) => [part.label, part.count, part.to?.query.where ?? null]),
  }))
  expect(told).toEqual([
    {
      key: 'changes',
      count: 40,
      kind: 'busy',
      to: '',
      parts: [
        ['Went offline', 20, 'kind:went-offline'],
        ['Firmware changed', 12, 'kind:firmware-changed'],
        ['Gone from the service', 5, 'kind:gone'],
        ['Other', 3, ''],
      ],
    },
    {
      key: 'rooms',
      count: 3,
      kind: 'warn',
      to: 'health:trouble,down',
      parts: [
        ['Down', 1, 'health:down'],
        ['Trouble', 2, 'health:trouble'],
        ['Not known', 2, 'health:unknown'],
      ],
    },
    {
      key: 'firmware',
      count: 24,
      kind: 'bad',
      to: 'fw:behind,revoked',
      parts: [
        ['Revoked', 4, 'fw:revoked'],
        ['Behind', 20, 'fw:behind'],
        ['Not known', 15, 'fw:unknown'],
      ],
    },
    {
      key: 'silent',
      count: 9,
      kind: 'warn',
      to: 'age:>7d',
      parts: [
        ['over 30 days', 4, 'age:>30d'],
        ['Never told', 2, 'age:""'],
      ],
    },
    {
      key: 'data',
      count: 20,
      kind: 'warn',
      to: 'read:>1d',
      parts: [
        ['Gone in the last 7 days', 3, 'kind:gone of:device age:<7d'],
        ['Unreadable records', 1, null],
      ],
    },
  ])
})

test('nothing to do is not said to be well while it is not known', () => {
  const unread: Overview = {
    ...overview,
    rooms: { health: { ok: 0, trouble: 0, down: 0, unknown: 4 }, worst: [] },
    firmware: {
      words: { current: 0, behind: 0, ahead: 0, revoked: 0, unknown: 100 },
      products: [],
      others: 0,
    },
  }
  expect(workOf(unread, now, DAY).map(({ key, count, kind }) => [key, count, kind])).toEqual([
    ['changes', 40, 'busy'],
    ['rooms', 0, 'unknown'],
    ['firmware', 0, 'unknown'],
    ['silent', 9, 'warn'],
    ['data', 20, 'warn'],
  ])
})

test('every filter a number leads to can be read', () => {
  const places = workOf(overview, now, 25 * HOUR).flatMap((work) => [
    work.to,
    ...work.parts.map((part) => part.to),
  ])
  const more = [
    productDevices('Jabra "Speak" 75, UC', 'behind'),
    readBetween(HOUR, 8 * HOUR),
    readBetween(null, HOUR),
  ]
  const unread = [...places, ...more].filter(
    (place): place is PlaceWithFilter =>
      place !== null && readFilter(place.query.where, vocabularies[place.name]).problems.length > 0,
  )
  expect(unread).toEqual([])
})

describe('an age in a filter', () => {
  test.each([
    [DAY, '1d'],
    [30 * DAY, '30d'],
    [25 * HOUR, '25h'],
    [90 * 60_000, '90min'],
    [1_500, '2s'],
  ])('%d ms is %s', (inMs, words) => expect(inUnits(inMs)).toBe(words))
})

test('ages are told as stretches that follow on one another', () => {
  expect(ageLabels(overview)).toEqual(['up to 1 h', '1 h to 24 h', '24 h to 7 d', 'over 7 d'])
})
