import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DeviceSelection } from '../../../electron/contract/api/devices.ts'
import type { JobWork } from '../../../electron/contract/api/jobs.ts'
import type { SettingChange } from '../../../electron/contract/api/settings.ts'
import { AJobCore } from './a-job-core.ts'

let it: AJobCore
let ids: readonly string[]

beforeEach(async () => {
  it = await AJobCore.open()
  const byName = [{ column: 'name', descending: false }] as const
  ids = (
    await it.handlers.devices.slice({ where: '"panacast 50"', sort: byName, start: 0, count: 500 })
  ).rows.map(({ id }) => id)
})
afterEach(() => it.close())

const picked = (...some: readonly string[]): DeviceSelection => ({ kind: 'picked', ids: some })
const change = (selection: DeviceSelection, ...changes: readonly SettingChange[]): JobWork => ({
  kind: 'change-settings',
  selection,
  changes,
})
const reads = (): number => it.arrived('GetDeviceSettings')
const read = (id: string) => it.passing(it.handlers.devices.settings({ id, refresh: true }))
const valueOf = async (id: string, name = 'fieldOfView') =>
  (await read(id)).settings.find((one) => one.name === name)!.value
/** A value that differs from the device's. */
const otherThan = (now: unknown): string => (now === '_90deg' ? '_120deg' : '_90deg')

/** Another person changes a device, outside this program. */
async function changeElsewhere(id: string, selected: string): Promise<void> {
  const answer = await fetch(`${it.service.managementUrl}/devices/api/devices/${id}/settings`, {
    method: 'PATCH',
    headers: {
      'Ocp-Apim-Subscription-Key': it.service.key,
      'api-version': '2',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ settings: { fieldOfView: { selected } } }),
  })
  expect(answer.status).toBe(200)
}

test('a device with cached settings is planned without a call, written in one request, read back and verified', async () => {
  const id = ids[0]!
  const now = await valueOf(id)
  const plan = await it.plan(
    change(
      picked(id),
      { name: 'fieldOfView', value: otherThan(now) },
      { name: 'videoStiching', value: 'blend' },
    ),
  )
  const [item] = await it.planned(plan)
  expect([plan.items, plan.cost.calls, plan.watchingAtMost, reads()]).toEqual([1, 3, 2, 1])
  expect(item!.changes[0]).toEqual({
    name: 'fieldOfView',
    now,
    new: otherThan(now),
    allowed: true,
    reason: null,
    restarts: expect.any(Boolean) as boolean,
  })

  const { job, items } = await it.done(plan)
  expect(items.map(({ outcome, detail, callsUsed }) => [outcome, detail, callsUsed])).toEqual([
    ['done', 'verified', 3],
  ])
  expect([job.callsUsed, reads(), it.arrived('UpdateDeviceSettings'), await valueOf(id)]).toEqual([
    3,
    3,
    1,
    otherThan(now),
  ])
})

test('reads settings of many devices by pages when that costs less, and reports the saving', async () => {
  const plan = await it.plan(
    change({ kind: 'matching', where: '', except: [] }, { name: 'fieldOfView', value: '_90deg' }),
  )
  expect([it.arrived('ListDevicesWithSettings'), reads(), plan.savedCalls]).toEqual([2, 0, 118])
  expect(plan.items + plan.skipped.reduce((sum, { count }) => sum + count, 0)).toBe(120)
  // Cached now, and recent enough for the next query.
  await it.plan(
    change({ kind: 'matching', where: '', except: [] }, { name: 'fieldOfView', value: '_120deg' }),
  )
  expect([it.arrived('ListDevicesWithSettings'), reads()]).toEqual([2, 0])
})

test('reads few devices one by one, and settings older than a quarter of an hour again', async () => {
  const work = change(picked(...ids.slice(0, 2)), { name: 'fieldOfView', value: '_90deg' })
  const plan = await it.plan(work)
  expect([it.arrived('ListDevicesWithSettings'), reads(), plan.savedCalls]).toEqual([0, 2, null])
  await it.clock.advance(16 * 60_000)
  await it.plan(work)
  expect(reads()).toBe(4)
})

describe('items skipped with a reason', () => {
  test('a setting the device does not have, a value it does not accept, one it has already, and an unknown device', async () => {
    const id = ids[0]!
    const now = String(await valueOf(id))
    const skipped = async (...changes: readonly SettingChange[]) =>
      (await it.planned(await it.plan(change(picked(id), ...changes)))).map((item) => [
        item.skipped,
        ...item.changes.map(({ reason }) => reason),
      ])
    expect(await skipped({ name: 'noSuchSetting', value: 'on' })).toEqual([
      ['not-allowed', 'The device does not have this setting.'],
    ])
    expect(await skipped({ name: 'fieldOfView', value: '_7deg' })).toEqual([
      ['not-allowed', 'The value must be one of: _90deg, _120deg, _140deg, _180deg.'],
    ])
    expect(await skipped({ name: 'fieldOfView', value: now })).toEqual([['as-wanted', null]])
    expect(
      (await it.planned(await it.plan(change(picked('nobody'), { name: 'fieldOfView', value: now })))).map(
        (item) => item.skipped,
      ),
    ).toEqual(['gone'])
    expect(it.arrived('UpdateDeviceSettings')).toBe(0)
  })

  test('a device that cannot be read', async () => {
    it.service.faults.set({ name: 'refuse-403', rate: 1, times: null, operation: 'GetDeviceSettings' })
    const plan = await it.plan(change(picked(ids[0]!), { name: 'fieldOfView', value: '_90deg' }))
    expect(plan.skipped).toEqual([{ reason: 'settings-unknown', count: 1 }])
  })

  test.each([
    ['none', []],
    ['one twice', [{ name: 'fieldOfView', value: '_90deg' }, { name: 'fieldOfView', value: '_120deg' }]], // prettier-ignore
  ])('plans nothing for changes that no device accepts: %s', async (_, changes) => {
    await expect(it.plan(change(picked(ids[0]!), ...changes))).rejects.toMatchObject({
      failure: { kind: 'invalid' },
    })
  })
})

describe('a device that differs from the plan', () => {
  test.each<[string, readonly SettingChange[]]>([
    ['alone', []],
    ['next to an unchanged one', [{ name: 'videoStiching', value: 'blend' }]],
  ])(
    'another value than planned, %s, is a conflict: nothing is sent, and trying again shows the new value',
    async (_, others) => {
      const id = ids[0]!
      const now = await valueOf(id)
      const plan = await it.plan(
        change(picked(id), { name: 'fieldOfView', value: otherThan(now) }, ...others),
      )
      await changeElsewhere(id, '_180deg')
      await it.clock.advance(120_000)
      const { job, items } = await it.done(plan)
      expect(items.map(({ outcome, detail, callsUsed }) => [outcome, detail, callsUsed])).toEqual([
        ['failed', 'conflict', 1],
      ])
      expect(it.arrived('UpdateDeviceSettings')).toBe(1)
      const again = await it.passing(it.handlers.jobs.retry({ id: job.id }))
      expect((await it.planned(again))[0]!.changes[0]).toMatchObject({ now: '_180deg', new: otherThan(now) })
    },
  )

  test('one of two wanted values exists already: the other is sent alone', async () => {
    const id = ids[0]!
    const wanted = otherThan(await valueOf(id))
    const plan = await it.plan(
      change(picked(id), { name: 'fieldOfView', value: wanted }, { name: 'videoStiching', value: 'blend' }),
    )
    await changeElsewhere(id, wanted)
    await it.clock.advance(120_000)
    const { items } = await it.done(plan)
    const { lines } = await it.handlers.journal.list({ where: '', subjectId: id, start: 0, count: 10 })
    expect([items.map(({ outcome }) => outcome), lines.map(({ after }) => after)]).toEqual([
      ['done'],
      ['videoStiching=blend'],
    ])
  })

  test('the wanted value exists already: done, and nothing is sent', async () => {
    const id = ids[0]!
    const wanted = otherThan(await valueOf(id))
    const plan = await it.plan(change(picked(id), { name: 'fieldOfView', value: wanted }))
    await changeElsewhere(id, wanted)
    await it.clock.advance(120_000)
    const { items } = await it.done(plan)
    expect(items.map(({ outcome, detail }) => [outcome, detail])).toEqual([['done', 'as-wanted']])
    expect(it.arrived('UpdateDeviceSettings')).toBe(1)
  })
})

test('a device that still returns the old values after a minute is reported as possibly applying them later', async () => {
  const id = ids[0]!
  const wanted = otherThan(await valueOf(id))
  it.service.faults.set({ name: 'late-settings', rate: 1, times: null, operation: null })
  const plan = await it.plan(change(picked(id), { name: 'fieldOfView', value: wanted }))
  const { job, items } = await it.done(plan)
  expect(items[0]!.outcome).toBe('done')
  expect(['verified', 'applies-later']).toContain(items[0]!.detail)
  expect(job.callsUsed).toBeLessThanOrEqual(plan.cost.calls + plan.watchingAtMost)
  await it.clock.advance(120_000)
  expect(await valueOf(id)).toBe(wanted)
})

test('a change that could not be read back is not confirmed, and can be checked later', async () => {
  const id = ids[0]!
  const wanted = otherThan(await valueOf(id))
  const plan = await it.plan(change(picked(id), { name: 'fieldOfView', value: wanted }))
  it.instead = ({ method }) => {
    if (method === 'PATCH')
      it.service.faults.set({ name: 'refuse-403', rate: 1, times: null, operation: 'GetDeviceSettings' })
    return null
  }
  const { job, items } = await it.done(plan)
  expect([items, job.unseen]).toMatchObject([
    [{ outcome: 'done', detail: 'not-watched', failure: { kind: 'refused', status: 403 } }],
    1,
  ])
  it.service.faults.clear()
  await it.passing(it.handlers.jobs.check({ item: items[0]!.id }))
  expect([await it.items(job.id), (await it.handlers.jobs.get({ id: job.id })).unseen]).toMatchObject([
    [{ outcome: 'done', detail: 'verified', failure: null }],
    0,
  ])
})

test.each([
  ['refuse-404', 'not-found'],
  ['refuse-403', 'failed'],
  ['error-500', 'unknown'],
] as const)('a service that returns %s for the change ends the device as %s', async (name, outcome) => {
  const id = ids[0]!
  const wanted = otherThan(await valueOf(id))
  it.service.faults.set({ name, rate: 1, times: null, operation: 'UpdateDeviceSettings' })
  const { items } = await it.done(await it.plan(change(picked(id), { name: 'fieldOfView', value: wanted })))
  expect([items[0]!.outcome, it.arrived('UpdateDeviceSettings')]).toEqual([outcome, 1])
})

test('a change with an unknown result is verified by reading, or stays unknown', async () => {
  const [one, other] = ids as [string, string]
  const wanted = [otherThan(await valueOf(one)), otherThan(await valueOf(other))] as const
  it.service.faults.set({ name: 'cut-before-answer', rate: 1, times: 1, operation: 'UpdateDeviceSettings' })
  const first = await it.done(await it.plan(change(picked(one), { name: 'fieldOfView', value: wanted[0] })))
  it.service.faults.clear()
  it.service.faults.set({ name: 'error-500', rate: 1, times: 1, operation: 'UpdateDeviceSettings' })
  const second = await it.done(
    await it.plan(change(picked(other), { name: 'fieldOfView', value: wanted[1] })),
  )
  expect([first, second].map(({ items }) => items[0]!.outcome)).toEqual(['unknown', 'unknown'])
  await it.clock.advance(120_000)
  for (const { items } of [first, second]) await it.passing(it.handlers.jobs.check({ item: items[0]!.id }))
  const after = [...(await it.items(first.job.id)), ...(await it.items(second.job.id))]
  expect(after.map(({ outcome, detail }) => [outcome, detail])).toEqual([['done', 'verified'], ['unknown', null]]) // prettier-ignore
  expect(it.arrived('UpdateDeviceSettings')).toBe(2)
})

test('settings read before a write without a response are no longer trusted', async () => {
  const id = ids[0]!
  const wanted = otherThan(await valueOf(id))
  const plan = await it.plan(change(picked(id), { name: 'fieldOfView', value: wanted }))
  it.service.faults.set({ name: 'cut-before-answer', rate: 1, times: 1, operation: 'UpdateDeviceSettings' })
  const { items } = await it.done(plan)
  const readBefore = reads()
  const { fromCache, settings } = await it.passing(it.handlers.devices.settings({ id, refresh: false }))
  expect([
    items.map(({ outcome }) => outcome),
    fromCache,
    reads() - readBefore,
    settings.find(({ name }) => name === 'fieldOfView')?.value,
  ]).toEqual([['unknown'], false, 1, wanted])
})
