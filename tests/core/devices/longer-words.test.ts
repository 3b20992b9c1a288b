import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import type { Database } from '../../../electron/core/platform.ts'
import { by, Fleet, fleet as records, organizationId } from './a-fleet.ts'

const fleet = new Fleet()
let requested: string[]
beforeAll(() => fleet.open())
afterAll(() => fleet.home.remove())

function watchedDevices(): Devices {
  const { database } = fleet.store
  requested = []
  const watched: Database = {
    ...database,
    query: (...question) => database.query(...question),
    queryNumbers: (sql, ...rest) => {
      requested.push(/FROM json_each/.test(sql) ? 'in what is kept' : 'in all')
      return database.queryNumbers(sql, ...rest)
    },
  }
  return openDevices({ store: { ...fleet.store, database: watched }, clock: fleet.clock })
}
const idsOf = async (devices: Devices, where: string): Promise<readonly string[]> =>
  (await devices.slice(organizationId, { where, sort: by('name', true), start: 0, count: 100 })).rows.map(
    ({ id }) => id,
  )

const words = [
  ...records.flatMap((record) =>
    JSON.stringify(record)
      .split(/[\s"{}[\],]+/)
      .filter((word) => word !== '' && word.length < 40),
  ),
  'Århus',
  'aarhus 3',
  'e\u0301',
  'ﬁne',
  'ß',
  '\u{1d400}a',
  '%_',
  'a b',
  '  an',
  '00:1a:2b',
  '00-1a',
  '001a2b3c4d5e',
  'D00000001',
]

it('typed letter by letter, every word finds the same as typed at once', async () => {
  const differing: string[] = []
  const typed = watchedDevices()
  for (const word of new Set(words)) {
    const letters = [...word]
    for (const [index] of letters.entries()) {
      const where = JSON.stringify(letters.slice(0, index + 1).join(''))
      if (
        (await idsOf(typed, where)).join() !==
        (await idsOf(openDevices({ store: fleet.store, clock: fleet.clock }), where)).join()
      )
        differing.push(where)
    }
  }
  expect(differing).toEqual([])
})

it('a longer word is searched in the matches of its prefix, also with other terms', async () => {
  const devices = watchedDevices()
  for (const where of ['a', 'aa', 'aarh', 'aarh status:online', 'aarhus status:online'])
    await idsOf(devices, where)
  expect(requested).toEqual(['in all', 'in what is kept', 'in what is kept', 'in all', 'in what is kept'])
})

it.each([
  ['after rows changed', 'a', 'aa', (devices: Devices) => devices.changed(organizationId)],
  ['for another word', 'a', 'b', () => undefined],
  ['for a negated word', '!a', '!aa', () => undefined],
  ['for a text that may be an id', 'aaaaaaa', 'aaaaaaaa', () => undefined],
  ['for a text that may be a MAC address', '00:1', '00:1a', () => undefined],
])('searches all rows %s', async (_, first, second, between) => {
  const devices = watchedDevices()
  await idsOf(devices, first)
  between(devices)
  await idsOf(devices, second)
  expect(requested).toEqual(['in all', 'in all'])
})
