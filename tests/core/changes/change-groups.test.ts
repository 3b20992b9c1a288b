import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChangeGroup, ChangeQuery } from '../../../electron/contract/api/changes.ts'
import { changeKinds } from '../../../electron/contract/fields/change.ts'
import { openJournal } from '../../../electron/core/journal/journal.ts'
import { FakeClock } from '../../fake-clock.ts'
import { day, everything, hour, History, organizationId, type Event } from './a-history.ts'

let history: History
beforeEach(async () => {
  history = new History()
  await history.open()
})
afterEach(() => history.close())

const groups = async (query: Partial<ChangeQuery> = {}): Promise<readonly ChangeGroup[]> =>
  (await history.changes.groups(organizationId, { ...everything, ...query })).groups
const brief = (group: ChangeGroup): string =>
  [
    new Date(group.dayAt).toISOString().slice(0, 13),
    group.of,
    group.kind,
    group.productName,
    group.before,
    group.after,
    group.count,
  ].join(' ')
const at = (text: string): number => Date.parse(text)

/**
 * Every change is in one group, and the list of each group contains exactly the changes that it counts, all
 * of its own days and kind.
 */
async function expectParts(query: ChangeQuery): Promise<void> {
  const { groups: all, total } = await history.changes.groups(organizationId, query)
  const ids: number[] = []
  const listed: number[] = []
  for (const group of all) {
    for (let start = 0; start < group.count; start += 500) {
      const window = await history.changes.slice(organizationId, {
        ...query,
        group: group.key,
        start,
        count: 500,
      })
      expect(window.total).toBe(group.count)
      for (const row of window.rows) {
        expect(row.of).toBe(group.of)
        expect(group.kind === 'on-off' ? ['went-offline', 'back-online'] : [group.kind]).toContain(row.kind)
        expect(row.observedAt).toBeGreaterThanOrEqual(group.firstAt)
        expect(row.observedAt).toBeLessThanOrEqual(group.lastAt)
        ids.push(row.id)
        if (group.kind !== 'on-off') listed.push(row.id)
      }
    }
  }
  expect(new Set(ids).size).toBe(ids.length)
  const window = await history.changes.slice(organizationId, { ...query, group: null, start: 0, count: 0 })
  expect([listed.length, window.total]).toEqual([total, total])
}

describe('groups', () => {
  it('have day, kind, product, both values, count, time and author', async () => {
    const [first, second, third] = [
      at('2026-11-20T08:00:00Z'),
      at('2026-11-20T09:00:00Z'),
      at('2026-11-20T10:00:00Z'),
    ]
    await history.record([
      { at: first, kind: 'firmware-changed', id: 'D00000002', name: 'A', before: '1.0', after: '1.1' },
      { at: second, kind: 'firmware-changed', id: 'D00000002', name: 'A', before: '1.0', after: '1.1' },
      { at: third, kind: 'firmware-changed', id: 'D00000002', name: 'A', before: '1.1', after: '1.0' },
    ])
    expect((await groups()).map(({ key: _key, ...group }) => group)).toEqual([
      {
        dayAt: at('2026-11-19T23:00:00Z'),
        of: 'device',
        kind: 'firmware-changed',
        productName: 'Jabra Evolve2 65',
        before: '1.0',
        after: '1.1',
        count: 2,
        own: null,
        subjectId: 'D00000002',
        firstAt: first,
        lastAt: second,
        names: ['Basement'],
        more: 0,
        product: { id: 9395, name: 'Jabra Evolve2 65' },
      },
      {
        dayAt: at('2026-11-19T23:00:00Z'),
        of: 'device',
        kind: 'firmware-changed',
        productName: 'Jabra Evolve2 65',
        before: '1.1',
        after: '1.0',
        count: 1,
        own: null,
        subjectId: 'D00000002',
        firstAt: third,
        lastAt: third,
        names: ['Basement'],
        more: 0,
        product: { id: 9395, name: 'Jabra Evolve2 65' },
      },
    ])
  })

  it('are sorted by day, newest first, then by urgency, then by size', async () => {
    const [older, newer] = [at('2026-11-19T12:00:00Z'), at('2026-11-20T12:00:00Z')]
    await history.record([
      { at: older, kind: 'gone', id: 'D1' },
      ...changeKinds.map((kind): Event => ({ at: newer, kind, id: 'D1', before: 'a', after: 'b' })),
      { at: newer, kind: 'status-changed', id: 'D2', before: 'x', after: 'y' },
      { at: newer, kind: 'status-changed', id: 'D3', before: 'x', after: 'y' },
      { at: newer, kind: 'went-offline', id: 'room-1', of: 'room' },
      { at: newer, kind: 'went-offline', id: 'room-2', of: 'room' },
    ])
    expect((await groups({ folded: true })).map(brief)).toEqual([
      '2026-11-19T23 device gone    1',
      '2026-11-19T23 room went-offline    2',
      '2026-11-19T23 device firmware-changed  a b 1',
      '2026-11-19T23 device moved-room    1',
      '2026-11-19T23 device setting-changed    1',
      '2026-11-19T23 device status-changed  x y 2',
      '2026-11-19T23 device status-changed  a b 1',
      '2026-11-19T23 device appeared    1',
      '2026-11-19T23 device rebooted    1',
      '2026-11-19T23 device renamed    1',
      '2026-11-19T23 device came-back    1',
      '2026-11-19T23 device on-off    2',
      '2026-11-18T23 device gone    1',
    ])
  })

  it('fold devices without a room that go online and offline: one group for each day, and in no other count', async () => {
    const [inRoom, inNone] = ['D00000001', 'D00000004']
    const noon = at('2026-11-20T12:00:00Z')
    await history.record([
      { at: noon, kind: 'went-offline', id: inRoom },
      { at: noon, kind: 'went-offline', id: inNone },
      { at: noon + 1, kind: 'back-online', id: inNone },
      { at: noon + 2, kind: 'renamed', id: inNone },
    ])
    const briefly = async (where: string, isFolded: boolean) => {
      const query = { ...everything, where, folded: isFolded }
      await expectParts(query)
      const {
        groups: all,
        total,
        folded,
        kinds,
        byWhom,
      } = await history.changes.groups(organizationId, query)
      return {
        groups: all.map(({ kind, subjectId, count }) => `${kind} ${subjectId} ${count}`),
        kinds: kinds.map(({ word, count }) => `${word} ${count}`),
        counts: [total, folded, byWhom[0]?.count],
        listed: (await history.rows(query)).map(({ kind, subjectId }) => `${kind} ${subjectId}`),
      }
    }
    expect([
      await briefly('', true),
      await briefly('', false),
      await briefly('kind:went-offline', true),
      await briefly('kind:went-offline', false),
    ]).toEqual([
      {
        groups: [`went-offline ${inRoom} 1`, `renamed ${inNone} 1`, `on-off ${inNone} 2`],
        kinds: ['went-offline 1', 'renamed 1'],
        counts: [2, 2, 2],
        listed: [`renamed ${inNone}`, `went-offline ${inRoom}`],
      },
      {
        groups: ['went-offline null 2', `renamed ${inNone} 1`, `back-online ${inNone} 1`],
        kinds: ['went-offline 2', 'renamed 1', 'back-online 1'],
        counts: [4, 2, 4],
        listed: [
          `renamed ${inNone}`,
          `back-online ${inNone}`,
          `went-offline ${inNone}`,
          `went-offline ${inRoom}`,
        ],
      },
      {
        groups: [`went-offline ${inRoom} 1`, `on-off ${inNone} 1`],
        kinds: ['went-offline 1', 'renamed 1'],
        counts: [1, 1, 1],
        listed: [`went-offline ${inRoom}`],
      },
      {
        groups: ['went-offline null 2'],
        kinds: ['went-offline 2', 'renamed 1', 'back-online 1'],
        counts: [2, 1, 2],
        listed: [`went-offline ${inNone}`, `went-offline ${inRoom}`],
      },
    ])
    expect((await history.changes.news(organizationId)).total).toBe(2)
  })

  it('separate changes caused by our own writes, by job', async () => {
    const before = at('2026-11-20T12:00:00Z')
    const target = { of: 'device', name: null } as const
    const write = async (id: string, reference?: string): Promise<void> => {
      const journal = openJournal({ workbook: history.workbook, clock: new FakeClock(before), who: 'Bo' })
      await journal.begin({
        organization: { id: organizationId, name: 'Nordlys' },
        operation: 'UpdateDeviceSettings',
        target: { ...target, id },
        deviceIds: [id],
        before: null,
        after: null,
        ...(reference === undefined ? {} : { reference }),
      })
    }
    await history.workbook.write((transaction) => {
      transaction.run(
        `INSERT INTO job (number, id, organization_id, who, work, state, keep_trying, asked, calls_planned, watching_at_most, created_at)
         VALUES (3, 'job-3', ?, 'Bo', '{}', 'ended', 0, 1, 1, 0, 0)`,
        [organizationId],
      )
      transaction.run(
        `INSERT INTO job_item (id, job, position, target_of, target_id, name_key, device_ids, memory) VALUES (7, 3, 0, 'device', 'D00000002', 'd', '[]', '{}')`,
      )
    })
    await write('D00000001')
    await write('D00000002', 'job-item-7-1')
    await history.record(
      ['D00000001', 'D00000002', 'D00000003'].map((id): Event => ({
        at: before + hour / 4,
        kind: 'setting-changed',
        id,
      })),
    )
    const found = await groups()
    expect(found.map(({ own, subjectId }) => [own, subjectId])).toEqual([
      [null, 'D00000003'],
      [{ jobId: 'job-3' }, 'D00000002'],
      [{ jobId: null }, 'D00000001'],
    ])
    await expectParts(everything)
    const requested = async (where: string) => {
      await expectParts({ ...everything, where })
      const { total, byWhom } = await history.changes.groups(organizationId, { ...everything, where })
      const { rows } = await history.changes.all(organizationId, {
        ...everything,
        where: `${where} kind:setting-changed`,
        sort: [{ column: 'subjectId', descending: false }],
      })
      const ids: string[] = []
      for await (const { subjectId } of rows) ids.push(subjectId)
      return [where, total, Object.fromEntries(byWhom.map(({ word, count }) => [word, count])), ids]
    }
    const all = history.rows({}).then(({ length }) => length)
    expect(await Promise.all(['own:yes', 'own:no', '!own:yes', 'own:yes,no'].map(requested))).toEqual([
      ['own:yes', 2, { no: (await all) - 2, yes: 2 }, ['D00000001', 'D00000002']],
      ['own:no', (await all) - 2, { no: (await all) - 2, yes: 2 }, ['D00000003']],
      ['!own:yes', (await all) - 2, { no: (await all) - 2, yes: 2 }, ['D00000003']],
      ['own:yes,no', await all, { no: (await all) - 2, yes: 2 }, ['D00000001', 'D00000002', 'D00000003']],
    ])
  })

  it('name their first three subjects, each name once, and count the changes of the others', async () => {
    const subjects = [
      ['D1', 'Ærø'],
      ['D1', 'Ærø'],
      ['D2', 'Bar'],
      ['D3', 'Bar'],
      ['D4', 'Pad'],
      ['D5', 'Last'],
    ] as const
    await history.record(
      subjects.map(([id, name], index) => ({ at: 10 * day + index, kind: 'rebooted' as const, id, name })),
    )
    expect((await groups()).map(({ names, more }) => ({ names, more }))).toEqual([
      { names: ['Ærø', 'Bar', 'Pad'], more: 1 },
    ])
  })

  it('follow the filter and the time, while kinds are counted without the filter by kind', async () => {
    await history.record([
      { at: 10 * day, kind: 'gone', id: 'D1' },
      { at: 10 * day + 1, kind: 'rebooted', id: 'D1' },
      { at: 20 * day, kind: 'rebooted', id: 'D2' },
    ])
    const {
      groups: found,
      total,
      kinds,
      oldestAt,
    } = await history.changes.groups(organizationId, { where: 'kind:rebooted id:D1', since: 10 * day })
    expect({ found: found.map(brief), total, kinds, oldestAt }).toEqual({
      found: ['1970-01-10T23 device rebooted    1'],
      total: 1,
      kinds: [
        { word: 'gone', count: 1 },
        { word: 'rebooted', count: 1 },
      ],
      oldestAt: 10 * day,
    })
  })

  it('use the days of the time zone in the preferences', async () => {
    const late = at('2026-11-20T23:30:00Z')
    await history.record([{ at: late, kind: 'gone', id: 'D1' }])
    await history.close()
    history = new History()
    await history.open({ timeZone: null })
    await history.record([{ at: late, kind: 'gone', id: 'D1' }])
    await history.workbook.setPreferences({ timeZone: 'Asia/Tokyo' })
    expect((await groups()).map(({ dayAt }) => new Date(dayAt).toISOString())).toEqual([
      '2026-11-20T15:00:00.000Z',
    ])
    await history.workbook.setPreferences({ timeZone: 'America/New_York' })
    expect((await groups()).map(({ dayAt }) => new Date(dayAt).toISOString())).toEqual([
      '2026-11-20T05:00:00.000Z',
    ])
  })
})

describe('more than 500 groups', () => {
  it('drop product and values on the oldest days first', async () => {
    const events = Array.from({ length: 20 }, (_, back) =>
      Array.from({ length: 30 }, (_nothing, index): Event => ({
        at: 100 * day - back * day + index,
        kind: 'firmware-changed',
        id: 'D00000001',
        before: `1.${index}`,
        after: '2',
      })),
    ).flat()
    await history.record(events)
    const found = await groups()
    expect(found).toHaveLength(16 * 30 + 4)
    expect(found.slice(-4).map(({ productName, before, count }) => ({ productName, before, count }))).toEqual(
      Array.from({ length: 4 }, () => ({ productName: null, before: null, count: 30 })),
    )
    await expectParts(everything)
  })

  it('merge older days into one group for each kind when there are too many days', async () => {
    const events = Array.from({ length: 300 }, (_, back) =>
      (['gone', 'rebooted', 'firmware-changed'] as const).map((kind): Event => ({
        at: 400 * day - back * day,
        kind,
        id: 'D00000001',
        before: '1',
        after: '2',
      })),
    ).flat()
    await history.record(events)
    const found = await groups()
    expect(found.length).toBeLessThanOrEqual(500)
    expect(found.at(-1)).toMatchObject({
      kind: 'rebooted',
      count: 300 - Math.floor((found.length - 3) / 3),
      firstAt: 101 * day,
    })
    await expectParts(everything)
  })

  it('contain each change exactly once, also with fewer groups', async () => {
    const event = fc.record({
      at: fc.oneof(
        fc.integer({ min: 0, max: 900 * day }),
        fc.integer({ min: 20_500 * day, max: 20_500 * day + 5 * hour }),
      ),
      kind: fc.constantFrom(...changeKinds),
      of: fc.constantFrom('device' as const, 'room' as const),
      id: fc.constantFrom('D00000001', 'D00000002', 'D00000003', 'room-1', 'nobody'),
      before: fc.option(fc.constantFrom('1', '2', 'å"', '')),
      after: fc.option(fc.constantFrom('1', '2', '\u{1f600}')),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 900, size: 'max' }),
        fc.constantFrom('', '!kind:gone', 'of:device after:2'),
        fc.boolean(),
        async (events, where, isFolded) => {
          await history.store.forget(organizationId)
          await history.record(events)
          const query = { where, since: null, folded: isFolded }
          expect((await groups(query)).length).toBeLessThanOrEqual(500)
          await expectParts(query)
        },
      ),
      { numRuns: 8 },
    )
  })
})
