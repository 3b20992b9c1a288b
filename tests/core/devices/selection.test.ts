import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeviceSelection } from '../../../electron/contract/api/devices.ts'
import { Fleet, by, organizationId } from './a-fleet.ts'
import { failureOf } from '../../failure-of.ts'

const fleet = new Fleet()
beforeAll(() => fleet.open())
afterAll(() => fleet.home.remove())

const id = (number: number): string => `D0000000${number}`

describe('a selection', () => {
  it.each<readonly [string, DeviceSelection, string]>([
    ['all that match', { kind: 'matching', where: 'status:online', except: [] }, '12'],
    [
      'all that match but some',
      { kind: 'matching', where: '', except: [id(2), id(4), 'nothing', id(5)] },
      '13',
    ],
    ['picked ones, in the requested order', { kind: 'picked', ids: [id(3), id(1)] }, '13'],
    ['picked twice: once', { kind: 'picked', ids: [id(1), id(1)] }, '1'],
    ['picked and not known: omitted', { kind: 'picked', ids: ['nothing', id(2), '', '" OR 1'] }, '2'],
    ['picked and gone: included', { kind: 'picked', ids: [id(5)] }, '5'],
    ['nothing picked', { kind: 'picked', ids: [] }, ''],
  ])('%s', async (_, selection, expected) => {
    const ids = await fleet.devices.selected(organizationId, selection)
    const { total, batches } = await fleet.devices.listed(organizationId, selection, by('name'))
    const listed: string[] = []
    for await (const rows of batches) listed.push(...rows.map((row) => row.id))
    expect({
      ids: ids.map((one) => one.slice(-1)).join(''),
      count: await fleet.devices.countOf(organizationId, selection),
      total,
      listed,
    }).toEqual({
      ids: expected,
      count: expected.length,
      total: expected.length,
      listed: ids,
    })
  })

  it('matches nothing in another organization', async () => {
    expect(await fleet.devices.selected('other', { kind: 'picked', ids: [id(1)] })).toEqual([])
  })

  it('with a filter that cannot be parsed is rejected', async () => {
    expect(
      await failureOf(
        fleet.devices.countOf(organizationId, { kind: 'matching', where: 'nme:x', except: [] }),
      ),
    ).toMatchObject({
      kind: 'invalid',
      field: 'where',
    })
  })
})

describe('facets', () => {
  it('count each list as if it had no filter of its own', async () => {
    expect(await fleet.devices.facets(organizationId, 'status:offline fw:unknown')).toEqual({
      statuses: [
        { word: 'Sleeping', count: 1 },
        { word: 'offline', count: 1 },
      ],
      products: [{ word: 'Jabra Evolve2 65', count: 1 }],
      firmware: [{ word: 'unknown', count: 1 }],
    })
  })

  it('apply a typed version to the firmware list too, because it is no choice of that list', async () => {
    expect((await fleet.devices.facets(organizationId, 'fw:4.2 fw:behind')).firmware).toEqual([
      { word: 'behind', count: 1 },
      { word: 'revoked', count: 1 },
    ])
  })

  it('count exactly the rows that their filter matches', async () => {
    for (const where of [
      '',
      'huddle',
      'status:online',
      '!tag:spare',
      'product:panacast fw:behind,revoked',
      'gone:any',
    ]) {
      const { statuses, products, firmware } = await fleet.devices.facets(organizationId, where)
      const beside = (key: string) =>
        where
          .split(' ')
          .filter((part) => !part.startsWith(`${key}:`))
          .join(' ')
      for (const [key, counts] of [
        ['status', statuses],
        ['product', products],
        ['fw', firmware],
      ] as const)
        for (const { word, count } of counts)
          expect([where, key, word, (await fleet.found(`${beside(key)} ${key}:="${word}"`)).length]).toEqual([
            where,
            key,
            word,
            count,
          ])
    }
  })
})

describe('suggestions', () => {
  it.each([
    ['status', '', ['online 2', 'Sleeping 1', 'offline 1']],
    ['product', 'JABRA e', ['Jabra Evolve2 65 1']],
    ['pid', '', ['12306 2', '9395 1']],
    ['fw', '4.2', ['4.2.0.21 1', '4.2.0.9 1']],
    ['firmware', '4.10', ['4.10 1']],
    ['room', '', ['Aarhus 3 1', 'Århus 12 1']],
    ['room', 'århus 12', ['Århus 12 1']],
    ['location', 'floor', ['Second floor 1']],
    ['name', 'huddle', ['Huddle 12 1', 'Huddle 9 1']],
    ['name', 'old', []],
    ['serial', 'abc', ['ABC123 1', 'ABC124 1']],
    ['user', 'ANG', ['Zoë Ångström 1']],
    ['mac', '00-1a', ['00:1A:2B:3C:4D:5E 1']],
    ['client-version', '', ['6.1.0 2', '6.10.0 1']],
    ['tag', '', ['Spare 2', 'At the session 1']],
    ['list', 'vis', ['Visit 1']],
    ['age', '', []],
    ['gone', '', []],
    ['name', '%', ['Ærø 50 % 1']],
  ])('%s: %j', async (key, typed, expected) => {
    expect(
      (await fleet.devices.suggest(organizationId, { key, typed })).map(
        ({ word, count }) => `${word} ${count}`,
      ),
    ).toEqual(expected)
  })

  it('reject an unknown key', async () => {
    expect(
      await failureOf(fleet.devices.suggest(organizationId, { key: 'constructor', typed: '' })),
    ).toMatchObject({ kind: 'invalid', field: 'key' })
  })
})
