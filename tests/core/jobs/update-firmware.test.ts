import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JobItem, JobWork } from '../../../electron/contract/api/jobs.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import { aDeviceBehind, updateOf } from '../../reboot-room.ts'
import type { WireResponse } from '../../../electron/core/platform.ts'
import { answer } from '../../fake-transport.ts'
import { AJobCore } from './a-job-core.ts'

let it: AJobCore
let device: { readonly id: string; readonly from: string; readonly version: string }

beforeEach(async () => {
  it = await AJobCore.open()
  device = await behind(({ room }) => room !== null)
})
afterEach(() => it.close())

/**
 * Its releases are cached from here on. On a slow machine a document may time out, but what was read until
 * then is cached.
 */
async function behind(appliesTo: (device: DeviceRow) => boolean): ReturnType<typeof aDeviceBehind> {
  for (;;)
    try {
      return await it.passing(aDeviceBehind(it.handlers, appliesTo))
    } catch (error) {
      if (!(error instanceof Failed) || error.failure.kind !== 'timed-out') throw error
    }
}

const update = (watchForInMinutes = 30): JobWork => ({
  ...(updateOf(device.id, device.version).work as Extract<JobWork, { kind: 'update-firmware' }>),
  watchForInMinutes,
})
const endings = (items: readonly JobItem[]): readonly unknown[] =>
  items.map(({ outcome, detail, failure }) => [outcome, detail, failure?.kind ?? null])
const journal = async () =>
  (await it.handlers.journal.list({ where: '', subjectId: device.id, start: 0, count: 10 })).lines.map(
    ({ operation, outcome, before, after, afterwards }) => [operation, outcome, before, after, afterwards],
  )

test('a device is planned without a call, written to once, watched until it reports the version, with a journal entry', async () => {
  const askedBefore = it.asked.length
  const plan = await it.plan(update())
  const [planned] = await it.planned(plan)
  expect({
    asked: it.asked.length - askedBefore,
    calls: plan.cost.calls,
    products: plan.products!.map(({ deviceIds, version, from }) => ({ deviceIds, version, from })),
    changes: planned!.changes,
  }).toEqual({
    asked: 0,
    calls: 2,
    products: [
      { deviceIds: [device.id], version: device.version, from: [{ version: device.from, devices: 1 }] },
    ],
    changes: [
      {
        name: 'firmwareVersion',
        now: device.from,
        new: device.version,
        allowed: true,
        reason: null,
        restarts: null,
      },
    ],
  })

  const { job, items } = await it.done(plan)
  expect(endings(items)).toEqual([['done', 'verified', null]])
  expect(items[0]?.firmware).toEqual({ from: device.from, to: device.version })
  expect(await journal()).toEqual([
    ['UpdateDeviceFirmware', 'accepted', device.from, device.version, 'verified'],
  ])
  expect(it.arrived('UpdateDeviceFirmware')).toBe(1)
  expect(job.callsUsed).toBeLessThanOrEqual(plan.cost.calls + plan.watchingAtMost)
  expect((await it.passing(it.handlers.devices.firmware({ id: device.id }))).version).toBe(device.version)
})

test('of rooms, their devices are planned as if they were selected, and a room without known devices is left out', async () => {
  const { rows } = await it.handlers.rooms.list({ where: '', sort: [], start: 0, count: 50 })
  const known = rows.filter(({ deviceCount }) => deviceCount)
  const unknown = 'never-synced'
  const whole = await Promise.all(known.map(({ id }) => it.handlers.rooms.get({ id })))
  const ids = whole.flatMap(({ devices }) => devices!.map(({ id }) => id))
  const planOf = async (selection: readonly string[], of: object) => {
    const plan = await it.plan({
      ...(update() as Extract<JobWork, { kind: 'update-firmware' }>),
      ...of,
      version: 'latest',
      selection: { kind: 'picked', ids: selection },
    })
    return (await it.planned(plan)).map(({ target, skipped, changes }) => [target, skipped, changes])
  }
  const rooms = await planOf([...known.map(({ id }) => id), unknown], { of: 'rooms' })
  expect(rooms.toSorted()).toEqual(
    [...(await planOf(ids, {})), [{ of: 'room', id: unknown, name: null }, 'gone', []]].toSorted(),
  )
  expect(rooms.filter(([, skipped]) => skipped === null).length).toBeGreaterThan(0)
})

test('devices that are offline are left out, if that was asked for, and the others are planned as before', async () => {
  const planOf = async (more: object) => {
    const plan = await it.plan({
      ...(update() as Extract<JobWork, { kind: 'update-firmware' }>),
      ...more,
      version: 'latest',
      selection: { kind: 'matching', where: '', except: [] },
    })
    return (await it.planned(plan)).map(({ target, skipped, devices: [of] }) => [
      target.id,
      skipped,
      of!.status,
    ])
  }
  const all = await planOf({})
  const left = all.map(([id, skipped, status]) => [
    id,
    skipped ?? (status === 'offline' ? 'offline' : null),
    status,
  ])
  expect((await planOf({ withoutOffline: true })).toSorted()).toEqual(left.toSorted())
  const words = new Set(left.map(([, skipped]) => skipped))
  expect([words.has('offline'), words.has(null)]).toEqual([true, true])
})

test('its row shows the reported version before any sync; the next sync records the change once', async () => {
  const { handlers } = it
  const shown = async () => {
    const { firmwareVersion, firmware, raw, firmwareReadAt, observedAt } = await handlers.devices.get({
      id: device.id,
    })
    const isNewer = firmwareReadAt === null ? null : firmwareReadAt > observedAt
    return [firmwareVersion, firmware.word, raw['firmwareVersion'], isNewer]
  }
  const found = async (): Promise<number> =>
    (
      await handlers.devices.slice({ where: `fw:${device.version}`, sort: [], start: 0, count: 500 })
    ).rows.filter(({ id }) => id === device.id).length
  const changed = async () =>
    (await handlers.devices.history({ id: device.id }))
      .filter(({ kind }) => kind === 'firmware-changed')
      .map(({ before, after }) => [before, after])
  // A first comparison shows nothing until it is complete.
  const session = await it.core.sessions.current()
  await it.passing(session.compareFleet(new AbortController().signal))
  await it.done(await it.plan(update()))
  await it.until(async () => (await shown())[1] === 'current')
  const before = [await shown(), await found(), await changed()]
  await it.passing(handlers.sync.run())
  expect([before, [await shown(), await found(), await changed()]]).toEqual([
    [[device.version, 'current', device.from, true], 1, []],
    [[device.version, 'current', device.version, null], 1, [[device.from, device.version]]],
  ])
})

test('a single-device query updates the version in the row, with an age separate from that of the record', async () => {
  const { handlers } = it
  const row = async () => {
    const { firmwareVersion, firmwareReadAt, observedAt } = await handlers.devices.get({ id: device.id })
    return { firmwareVersion, firmwareReadAt, observedAt }
  }
  const before = await row()
  await it.clock.advance(86_400_000)
  const { observedAt: readAt } = await it.passing(handlers.devices.firmware({ id: device.id }))
  expect([before.firmwareReadAt, await row()]).toEqual([null, { ...before, firmwareReadAt: readAt }])
})

test('a device that never returns is unconfirmed, is not written to again, and is checked later on request', async () => {
  it.service.faults.set({ name: 'stays-down', rate: 1, times: 1, operation: 'UpdateDeviceFirmware' })
  const plan = await it.plan(update(10))
  const { job, items } = await it.done(plan)
  expect([endings(items), job.retryable, it.arrived('UpdateDeviceFirmware')]).toEqual([
    [['unknown', 'not-reported', null]],
    0,
    1,
  ])
  expect(job.callsUsed).toBeLessThanOrEqual(plan.cost.calls + plan.watchingAtMost)
  await it.clock.advance(40 * 60_000)
  await it.passing(it.handlers.jobs.check({ item: items[0]!.id }))
  expect([endings(await it.items(job.id)), it.arrived('UpdateDeviceFirmware')]).toEqual([
    [['done', 'verified', null]],
    1,
  ])
})

test('a device whose job was cancelled while it updated is not confirmed, and confirmed by a check', async () => {
  const { id } = await it.start(await it.plan(update(10)))
  await it.until(async () => (await it.items(id))[0]?.state === 'watching')
  await it.passing(it.handlers.jobs.cancel({ id }))
  await it.until(async () => (await it.handlers.jobs.get({ id })).state === 'ended')
  const cancelled = endings(await it.items(id))
  await it.clock.advance(40 * 60_000)
  await it.passing(it.handlers.jobs.check({ item: (await it.items(id))[0]!.id }))
  const { counts, unseen } = await it.passing(it.handlers.jobs.get({ id }))
  expect([cancelled, endings(await it.items(id)), counts.done, unseen]).toEqual([
    [['done', 'not-watched', null]],
    [['done', 'verified', null]],
    1,
    0,
  ])
})

test('a device whose update ends with the old version failed', async () => {
  it.service.faults.set({ name: 'firmware-fails', rate: 1, times: 1, operation: 'UpdateDeviceFirmware' })
  const { items } = await it.done(await it.plan(update()))
  expect([endings(items), it.arrived('UpdateDeviceFirmware')]).toEqual([[['failed', null, 'invalid']], 1])
})

test('an unknown device is planned as gone', async () => {
  const work = { ...update(), selection: { kind: 'picked', ids: [device.id, 'nobody'] } } as JobWork
  const planned = await it.planned(await it.plan(work))
  expect(planned.map(({ target, skipped }) => [target.id, skipped])).toEqual([
    [device.id, null],
    ['nobody', 'gone'],
  ])
})

test('a lost response ends as unknown, and nothing is sent again', async () => {
  it.service.faults.set({ name: 'cut-before-answer', rate: 1, times: 1, operation: 'UpdateDeviceFirmware' })
  const { items } = await it.done(await it.plan(update()))
  expect([endings(items), it.arrived('UpdateDeviceFirmware')]).toEqual([
    [['unknown', null, 'unconfirmed']],
    1,
  ])
})

test.each([
  [false, [['failed', null, 'rate-limited']], 1],
  [true, [['done', 'verified', null]], 2],
] as const)('429 with "keep trying" %s', async (keepTrying, ending, arrived) => {
  it.service.faults.set({ name: 'early-429', rate: 1, times: 1, operation: 'UpdateDeviceFirmware' })
  const { items } = await it.done(await it.plan(update(), { keepTrying }))
  expect([endings(items), it.arrived('UpdateDeviceFirmware')]).toEqual([ending, arrived])
})

test.each([
  ['another product', { productId: 9395 }, 'The device reports product 9395'],
  ['another device', { deviceId: 'somebody' }, 'The service answered for another device: somebody'],
  ['another device inside', { device: { id: 'somebody' } }, 'for another device: somebody'],
])(
  'a report that names %s fails as a conflict, is not stored, and nothing is sent',
  async (_, named, says) => {
    const plan = await it.plan(update())
    it.instead = ({ method, url }) =>
      method === 'GET' && url.includes('/firmware') && url.includes('/devices/api/')
        ? answer(200, { firmwareVersion: '0.0.1', ...named })
        : null
    const { items } = await it.done(plan)
    const { firmwareVersion } = await it.handlers.devices.get({ id: device.id })
    expect([endings(items), firmwareVersion, it.arrived('UpdateDeviceFirmware')]).toEqual([
      [['failed', 'conflict', 'invalid']],
      device.from,
      0,
    ])
    expect(items[0]!.failure).toMatchObject({ message: expect.stringContaining(says) as string })
    await expect(it.passing(it.handlers.devices.firmware({ id: device.id }))).rejects.toMatchObject({
      failure: { kind: 'invalid', field: 'firmware', message: expect.stringContaining(says) as string },
    })
  },
)

test('a report that names this device in capitals, and its product, is its own', async () => {
  const { productId } = await it.handlers.devices.get({ id: device.id })
  const plan = await it.plan(update())
  it.instead = ({ method, url }) =>
    method === 'GET' && url.includes('/firmware') && url.includes('/devices/api/')
      ? answer(200, { firmwareVersion: device.version, deviceId: device.id.toUpperCase(), productId })
      : null
  expect(endings((await it.done(plan)).items)).toEqual([['done', 'as-wanted', null]])
})

const productOf = async (id: string) => (await it.handlers.devices.get({ id })).productId

describe('before firmware is sent, the releases are asked again', () => {
  const lists = (productId: number | null = null) =>
    it.documents.filter((url) => url.includes(`/${productId ?? ''}`) && /\/firmware-releases/.test(url))
  /** The lists of these products are answered with this, of others by the service. */
  const answering = (...of: readonly [number | null, WireResponse][]): void => {
    it.instead = ({ url }) =>
      of.find(([productId]) => url.includes(`/products/${productId}/firmware-releases`))?.[1] ?? null
  }
  const others = (productId: number | null) => behind((one) => one.productId !== productId)

  test.each([
    ['revoked', (version: string) => [{ version, revoked: true }], 'was revoked'],
    ['withdrawn', () => [{ version: '0.0.1' }], 'is no longer published'],
  ])('%s since the plan: nothing is sent', async (_, list, says) => {
    const plan = await it.plan(update())
    answering([await productOf(device.id), answer(200, list(device.version))])
    const { items } = await it.done(plan)
    expect([endings(items), it.arrived('UpdateDeviceFirmware')]).toEqual([
      [['failed', 'conflict', 'invalid']],
      0,
    ])
    expect(items[0]!.failure).toMatchObject({ message: expect.stringContaining(says) as string })
  })

  test('no longer approved: nothing is sent', async () => {
    const { handlers } = it
    const one = { vendorId: 2830, productId: (await productOf(device.id))!, variant: null }
    await it.passing(
      handlers.firmware.approve({ ...one, version: device.version, reason: 'tried', expires: null }),
    )
    const plans = [
      await it.plan({ ...update(), version: 'approved' } as JobWork),
      await it.plan({ ...update(), version: 'advised' } as JobWork),
    ]
    await it.passing(handlers.firmware.unapprove(one))
    for (const plan of plans) {
      const { items } = await it.done(plan)
      expect(items[0]!.failure).toMatchObject({
        message: expect.stringContaining('is no longer approved') as string,
      })
    }
    expect(it.arrived('UpdateDeviceFirmware')).toBe(0)
  })

  test('with one request for all devices of a product', async () => {
    const productId = await productOf(device.id)
    const { rows } = await it.handlers.devices.slice({
      where: `pid:${productId} status:online`,
      sort: [{ column: 'name', descending: false }],
      start: 0,
      count: 4,
    })
    const ids = rows.map(({ id }) => id)
    const work = { ...update(), version: 'latest', selection: { kind: 'picked', ids } } as JobWork
    const plan = await it.plan(work)
    expect(plan.items).toBeGreaterThan(1)
    it.documents.length = 0
    await it.done(plan)
    expect(lists()).toHaveLength(1)
  })

  test('after a canary again: a version that was revoked meanwhile goes to nobody else', async () => {
    const productId = await productOf(device.id)
    const other = await behind((one) => one.id !== device.id && one.productId === productId)
    const selection = { kind: 'picked', ids: [device.id, other.id] } as const
    const plan = await it.plan({ ...update(), selection }, { canary: true })
    const { id } = await it.start(plan)
    await it.until(async () => it.arrived('UpdateDeviceFirmware') === 1)
    answering([productId, answer(200, [{ version: device.version, revoked: true }])])
    await it.until(async () => (await it.handlers.jobs.get({ id })).state === 'ended', 5_000)
    expect([endings(await it.items(id)), it.arrived('UpdateDeviceFirmware')]).toEqual([
      [
        ['done', 'verified', null],
        ['failed', 'conflict', 'invalid'],
      ],
      1,
    ])
  })

  test.each([
    ['500', answer(500, {})],
    ['no JSON', answer(200, '<html>sign in</html>')],
    ['429', answer(429, {}, { 'retry-after': '1' })],
  ])(
    'not readable (%s): other products go on, the job pauses after half an hour with the age of the list, and goes on when resumed',
    async (_, broken) => {
      const productId = await productOf(device.id)
      const other = await others(productId)
      const selection = { kind: 'picked', ids: [device.id, other.id] } as const
      const plan = await it.plan({ ...update(), version: 'latest', selection } as JobWork)
      const listedAt = plan.products!.find((one) => one.productId === productId)!.listedAt
      answering([productId, broken])
      const { id } = await it.start(plan)
      const startedAt = it.clock.now()
      await it.until(async () => (await it.handlers.jobs.get({ id })).state === 'paused', 10_000)
      const job = await it.handlers.jobs.get({ id })
      expect([job.waitsFor, job.unreadReleases, it.arrived('UpdateDeviceFirmware')]).toEqual([
        'releases',
        { kind: 'releases-unread', product: expect.any(String) as string, observedAt: listedAt },
        1,
      ])
      expect(Math.round((it.clock.now() - startedAt) / 60_000)).toBe(30)
      expect((await it.items(id)).map(({ outcome }) => outcome).sort()).toEqual(['done', null])
      answering()
      await it.handlers.jobs.resume({ id, unlock: true })
      await it.until(async () => (await it.handlers.jobs.get({ id })).state === 'ended', 5_000)
      expect(it.arrived('UpdateDeviceFirmware')).toBe(2)
    },
  )
})

test('a device that already runs the version at its turn is not written to', async () => {
  const plan = await it.plan(update())
  await it.done(await it.plan(update()))
  await it.clock.advance(61_000)
  const { items } = await it.done(plan)
  expect([endings(items), it.arrived('UpdateDeviceFirmware')]).toEqual([[['done', 'as-wanted', null]], 1])
})

describe('one device of each product first', () => {
  const several = async (products = 1): Promise<JobWork> => {
    const productId = await productOf(device.id)
    const twin = await behind((one) => one.id !== device.id && one.productId === productId)
    const other = products === 1 ? [] : [await behind((one) => one.productId !== productId)]
    const ids = [device, twin, ...other].map(({ id }) => id)
    return { ...update(10), version: 'latest', selection: { kind: 'picked', ids } } as JobWork
  }

  test('of two products, two are begun at once, and the second of a product when its first reports its version', async () => {
    const plan = await it.plan(await several(2), { canary: true })
    const { items: planned } = await it.handlers.jobs.planned({ plan: plan.id, start: 0, count: 9 })
    const first = planned.filter(({ after }) => after === undefined)
    const { id } = await it.start(plan)
    await it.until(async () => it.arrived('UpdateDeviceFirmware') === 2)
    const items = await it.items(id)
    const begun = items.filter(({ startedAt }) => startedAt !== null)
    expect(begun.map(({ target }) => target)).toEqual(first.map(({ target }) => target))
    await it.until(async () => (await it.handlers.jobs.get({ id })).state === 'ended', 5_000)
    expect([it.arrived('UpdateDeviceFirmware'), endings(await it.items(id))]).toEqual([
      3,
      planned.map(() => ['done', 'verified', null]),
    ])
  })

  test('the plan names it, and it is the device that was chosen', async () => {
    const work = await several(2)
    const firstOfTwo = async (first: readonly string[]) =>
      (await it.plan(work, { first })).products!.find(({ deviceIds }) => deviceIds.length === 2)!.first
    const planned = await it.planned(await it.plan(work))
    const chosen = planned.find(({ after }) => after !== undefined)!
    expect([await firstOfTwo([]), await firstOfTwo([chosen.target.id])]).toEqual([
      chosen.after,
      chosen.target.name,
    ])
  })

  test('it is one that is online, if the product has one, unless a person chose another', async () => {
    const selection = { kind: 'matching', where: '', except: [] } as const
    const work = { ...update(), version: 'latest', selection } as JobWork
    const plan = await it.plan(work)
    const items = (await it.planned(plan)).filter(({ skipped }) => skipped === null)
    const statusOf = new Map(items.map(({ target, devices: [of] }) => [target.id, of!.status]))
    const offline = items.find(
      ({ after, devices: [of] }) => of!.status === 'offline' && after !== undefined,
    )!.target
    const chosen = await it.plan(work, { first: [offline.id] })
    expect([
      plan.products!.map(({ firstStatus }) => firstStatus === 'online'),
      chosen.products!.find(({ first }) => first === offline.name)?.firstStatus,
    ]).toEqual([
      plan.products!.map((one) =>
        plan
          .products!.filter(({ productId }) => productId === one.productId)
          .some(({ deviceIds }) => deviceIds.some((id) => statusOf.get(id) === 'online')),
      ),
      'offline',
    ])
  })

  test('the devices of each product are listed, without those of others', async () => {
    const { id, products } = await it.plan(await several(2))
    const listed = await Promise.all(
      products!.map((_, product) => it.handlers.jobs.planned({ plan: id, start: 0, count: 9, product })),
    )
    expect(listed.map(({ items, total }) => [items.map(({ target }) => target.id).sort(), total])).toEqual(
      products!.map(({ deviceIds }) => [[...deviceIds].sort(), deviceIds.length]),
    )
  })

  test('lets the others continue when it reports its version', async () => {
    const { items } = await it.done(await it.plan(await several(), { canary: true }))
    expect(endings(items)).toEqual([
      ['done', 'verified', null],
      ['done', 'verified', null],
    ])
    expect(items[1]!.startedAt!).toBeGreaterThanOrEqual(items[0]!.endedAt!)
  })

  test('pauses the job when it does not report it, and the others are not written to', async () => {
    it.service.faults.set({ name: 'stays-down', rate: 1, times: 1, operation: 'UpdateDeviceFirmware' })
    const { id } = await it.start(await it.plan(await several(), { canary: true }))
    await it.until(async () => (await it.handlers.jobs.get({ id })).state === 'paused')
    const { waitsFor } = await it.handlers.jobs.get({ id })
    expect([waitsFor, it.arrived('UpdateDeviceFirmware')]).toEqual(['canary', 1])
  })
})

test.each<['firmwareUpdate' | 'firmwareRead', string]>([
  [
    'firmwareUpdate',
    'a path for UpdateDeviceFirmware (not published; you can add one to the organization’s profile)',
  ],
  [
    'firmwareRead',
    'a path for GetDeviceFirmware (not published; you can add one to the organization’s profile), which an update needs to read the installed version before and after it',
  ],
])('plans nothing without the address %s: not published', async (template, what) => {
  const [organization] = (await it.handlers.organizations.list()).organizations
  const { id, current: _, managementOrigin: __, createdAt: ___, ...kept } = organization!
  const { keys: _keys, keyInUse: _use, regenerate: _again, stoppedBecause: _why, ...draft } = kept
  await it.passing(
    it.handlers.organizations.update({
      id,
      draft: { ...draft, templates: { ...draft.templates, [template]: null } },
    }),
  )
  await expect(it.plan(update())).rejects.toMatchObject({
    failure: { kind: 'not-found', what },
  })
  expect(it.arrived('UpdateDeviceFirmware', 'GetDeviceFirmware')).toBe(0)
})
