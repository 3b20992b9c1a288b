import { afterEach, describe, expect, it, test } from 'vitest'
import type { Asking } from './a-demonstration.ts'
import { aDemonstration, allPages, devicesPath, morning, roomsPath } from './a-demonstration.ts'

let open: Asking[] = []
const start = async (...args: Parameters<typeof aDemonstration>): Promise<Asking> => {
  const asking = await aDemonstration(...args)
  open.push(asking)
  return asking
}
afterEach(async () => {
  await Promise.all(open.map((asking) => asking.it.stop()))
  open = []
})

const idsOf = (pages: readonly { items: readonly Record<string, unknown>[] }[]): unknown[] =>
  pages.flatMap((page) => page.items.map((item) => item['id']))

describe('lists in pages', () => {
  test('10,000 devices are read page by page without loss or duplicates, in both streams and as one', async () => {
    const demo = await start({
      devices: 10_000,
      rooms: 600,
      limits: { perSecond: 5000, perWindow: 50_000, windowSeconds: 300 },
    })
    const [rooms, personal, all] = await Promise.all(
      ['MeetingRoom', 'Personal', ''].map((deviceClientType) =>
        allPages(demo, devicesPath, { deviceClientType, pageSize: 100 }),
      ),
    )
    const streams = [...idsOf(rooms ?? []), ...idsOf(personal ?? [])]
    expect([streams.length, new Set(streams).size, new Set(idsOf(all ?? [])).size]).toEqual([
      10_000, 10_000, 10_000,
    ])
    expect(new Set(streams)).toEqual(new Set(idsOf(all ?? [])))
    expect(
      (personal ?? []).every((page) =>
        page.items.every((item) => item['groupId'] === null && item['deviceConnectionStatus'] === null),
      ),
    ).toBe(true)
  })

  test.each([
    [{}],
    [{ deviceClientType: null }],
    [{ deviceClientType: '' }],
    [{ deviceClientType: 'meetingroom', sortDescending: true }],
    [''],
    [' '],
  ])('the request %j is accepted', async (body) => {
    const demo = await start()
    expect((await demo.manage('POST', devicesPath, body)).status).toBe(200)
  })

  test('descending order is the same list backwards', async () => {
    const demo = await start()
    const up = idsOf(await allPages(demo, devicesPath, { pageSize: 7 }))
    const down = idsOf(await allPages(demo, devicesPath, { pageSize: 11, sortDescending: true }))
    expect(down).toEqual(up.toReversed())
  })

  test('version 1 reads the same devices with query parameters in any spelling', async () => {
    const demo = await start()
    const headers = { 'ocp-apim-subscription-key': 'demo-key', 'api-version': '1' }
    const first = await demo.manage(
      'GET',
      `${devicesPath}?DeviceClientType=MeetingRoom&PageSize=5`,
      undefined,
      headers,
    )
    const token = (first.body as { continuationToken: string }).continuationToken
    const second = await demo.manage(
      'GET',
      `${devicesPath}?deviceClientType=MeetingRoom&pagesize=5&continuationToken=${encodeURIComponent(token)}`,
      undefined,
      headers,
    )
    const whole = idsOf(
      await allPages(demo, devicesPath, { deviceClientType: 'MeetingRoom', pageSize: 10 }),
    ).slice(0, 10)
    expect([...idsOf([first.body as never]), ...idsOf([second.body as never])]).toEqual(whole)
  })

  test.each([
    ['unchanged, not encoded', (token: string) => token],
    ['encoded twice', (token: string) => encodeURIComponent(encodeURIComponent(token))],
    ['cut off', (token: string) => encodeURIComponent(token.slice(0, -3))],
    ['of another service', () => 'abc'],
  ])('a token sent %s is rejected', async (_, spoil) => {
    const demo = await start()
    const headers = { 'ocp-apim-subscription-key': 'demo-key', 'api-version': '1' }
    const first = await demo.manage('GET', `${devicesPath}?PageSize=5`, undefined, headers)
    const { continuationToken } = first.body as { continuationToken: string }
    const second = await demo.manage(
      'GET',
      `${devicesPath}?PageSize=5&ContinuationToken=${spoil(continuationToken)}`,
      undefined,
      headers,
    )
    expect([second.status, second.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json; charset=utf-8',
    ])
  })

  test('a token of another filter or another list is rejected', async () => {
    const demo = await start()
    const page = await demo.manage('POST', devicesPath, { deviceClientType: 'Personal', pageSize: 3 })
    const { continuationToken } = page.body as { continuationToken: string }
    const answers = await Promise.all([
      demo.manage('POST', devicesPath, { deviceClientType: 'MeetingRoom', pageSize: 3, continuationToken }),
      demo.manage('POST', roomsPath, { pageSize: 3, continuationToken }),
      demo.manage('POST', devicesPath, { deviceClientType: 'Personal', pageSize: 9, continuationToken }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200])
  })

  test.each([
    ['{"pageSize":', '$'],
    ['[1]', '$'],
    [{ pageSize: 0 }, 'pageSize'],
    [{ pageSize: '100' }, 'pageSize'],
    [{ pageSize: 501 }, 'pageSize'],
    [{ deviceClientType: 'Robot' }, 'deviceClientType'],
    [{ sortDescending: 'yes' }, 'sortDescending'],
    [{ continuationToken: 7 }, 'continuationToken'],
    // Omitted on the first request (services.md#B34).
    [{ continuationToken: null }, 'continuationToken'],
    [{ continuationToken: '' }, 'continuationToken'],
    [{ pageSize: 5, status: 'Online' }, 'status'],
    [{ PageSize: 5 }, 'PageSize'],
    [{ toString: 5 }, 'toString'],
  ])('the request %j is rejected and the member named', async (body, member) => {
    const demo = await start()
    const answer = await demo.manage('POST', devicesPath, body)
    expect(answer.status).toBe(400)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([member])
  })

  test.each([
    ['GET', '1', `${devicesPath}?PageSize=5&SortDescending=true`, undefined, 'SortDescending'],
    ['GET', '1', `${devicesPath}?ContinuationToken=`, undefined, 'continuationToken'],
    ['POST', '2', `${devicesPath}?pageSize=5`, {}, 'pageSize'],
    ['POST', '2', roomsPath, { deviceClientType: 'MeetingRoom' }, 'deviceClientType'],
    ['GET', '2', `${roomsPath}/nonsense?expand=all`, undefined, 'expand'],
  ])(
    '%s in version %s of %s with %j is rejected and the parameter named',
    async (method, version, path, body, member) => {
      const demo = await start()
      const answer = await demo.manage(method, path, body, {
        'ocp-apim-subscription-key': 'demo-key',
        'api-version': version,
        'content-type': 'application/json',
      })
      expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([
        400,
        [member],
      ])
    },
  )
})

describe('records', () => {
  test('a device has the members that real clients have seen', async () => {
    const demo = await start()
    const [first] = (
      (await demo.manage('POST', devicesPath, { deviceClientType: 'MeetingRoom', pageSize: 1 })).body as {
        items: Record<string, unknown>[]
      }
    ).items
    expect(first).toMatchObject({
      id: expect.stringMatching(/^D[0-9A-F]{40}$/),
      productId: expect.any(Number),
      productName: expect.stringMatching(/^Jabra /),
      groupId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      isConnected: expect.any(Boolean),
      jabraClient: expect.objectContaining({ clientType: expect.stringMatching(/^meetingroom$/i) }),
    })
    expect(Number.isNaN(Date.parse(String(first?.['lastSeenAt'])))).toBe(false)
  })

  test('a fleet of the usual size has gaps, unknown values and addresses in several notations', async () => {
    const demo = await start({ devices: 1200, rooms: 72 })
    const items = (await allPages(demo, devicesPath, { pageSize: 400 })).flatMap((page) => page.items)
    const having = (has: (item: Record<string, unknown>) => boolean): boolean => items.some(has)
    const computer = (item: Record<string, unknown>, name: string): string =>
      String((item['computer'] as Record<string, unknown> | null)?.[name])
    expect({
      noComputer: having((item) => item['computer'] === null),
      noClient: having((item) => item['jabraClient'] === null),
      noName: having((item) => item['name'] === null),
      emptyName: having((item) => item['name'] === ''),
      unknownStatus: having((item) => item['deviceConnectionStatus'] === 'Hibernating'),
      offlineRoomDevice: having((item) => item['deviceConnectionStatus'] === 'Offline'),
      macWithColons: having((item) => /^\w\w:/.test(computer(item, 'macAddress'))),
      macWithout: having((item) => /^\w{12}$/.test(computer(item, 'macAddress'))),
      severalAddresses: having((item) => computer(item, 'ipAddress').includes(', ')),
      wholeSeconds: having((item) => /:\d\dZ$/.test(String(item['addedAt']))),
      sevenDigits: having((item) => /\.\d{7}\+00:00$/.test(String(item['addedAt']))),
      lowerCaseVariant: having((item) => /[a-f]/.test(String(item['variantType']))),
      addedMissing: having((item) => !('addedAt' in item)),
    }).toEqual({
      noComputer: true,
      noClient: true,
      noName: true,
      emptyName: true,
      unknownStatus: true,
      offlineRoomDevice: true,
      macWithColons: true,
      macWithout: true,
      severalAddresses: true,
      wholeSeconds: true,
      sevenDigits: true,
      lowerCaseVariant: true,
      addedMissing: true,
    })
    expect(
      items.every(
        (item) =>
          Date.parse(String(item['lastSeenAt'])) <= morning &&
          !(Date.parse(String(item['addedAt'])) > morning),
      ),
    ).toBe(true)
  })

  test('a room is found by the group id of every one of its devices', async () => {
    const demo = await start({ devices: 200, rooms: 24 })
    const devices = (
      await allPages(demo, devicesPath, { deviceClientType: 'MeetingRoom', pageSize: 200 })
    ).flatMap((page) => page.items)
    for (const groupId of new Set(devices.map((device) => device['groupId']))) {
      const answer = await demo.manage('GET', `${roomsPath}/${String(groupId)}`)
      const room = answer.body as { deviceGroupId: string; devices: { id: string }[] }
      const own = devices.filter((device) => device['groupId'] === groupId).map((device) => device['id'])
      expect([answer.status, room.deviceGroupId]).toEqual([200, groupId])
      expect(room.devices.map((device) => device.id)).toEqual(expect.arrayContaining(own))
    }
  })

  test('a room with two group ids is listed twice, with the same room id', async () => {
    const demo = await start({ devices: 400, rooms: 36 })
    const entries = (await allPages(demo, roomsPath, { pageSize: 10 })).flatMap((page) => page.items)
    const byId = Map.groupBy(entries, (entry) => entry['id'])
    const twins = [...byId.values()].filter((group) => group.length > 1)
    expect([entries.length, byId.size, twins.length]).toEqual([39, 36, 3])
    expect(twins.every((group) => new Set(group.map((entry) => entry['deviceGroupId'])).size === 2)).toBe(
      true,
    )
  })

  test('a room without devices has null for them', async () => {
    const demo = await start({ devices: 400, rooms: 36 })
    const entries = (await allPages(demo, roomsPath, { pageSize: 50 })).flatMap((page) => page.items)
    expect(entries.filter((entry) => entry['devices'] === null).map((entry) => entry['status'])).toEqual([
      'NotProvisioned',
    ])
  })

  test.each(['00000000-0000-4000-a000-000000000000', 'nonsense', '%2e%2e%2f'])(
    'no room is found by %s',
    async (id) => {
      const demo = await start()
      const answer = await demo.manage('GET', `${roomsPath}/${id}`)
      expect([answer.status, (answer.body as { title: string }).title]).toEqual([404, 'Not Found'])
    },
  )
})

describe('the fleet over time', () => {
  const everything = async (demo: Asking): Promise<string> => {
    const devices = await allPages(demo, devicesPath, { pageSize: 300 })
    const rooms = await allPages(demo, roomsPath, { pageSize: 300 })
    return JSON.stringify([devices.flatMap((page) => page.items), rooms.flatMap((page) => page.items)])
  }

  it('is the same after a restart with the same seed at the same time', async () => {
    expect(await everything(await start({ devices: 300 }))).toBe(
      await everything(await start({ devices: 300 })),
    )
  })

  it('differs with another seed', async () => {
    expect(await everything(await start({ devices: 50, seed: 2 }))).not.toBe(
      await everything(await start({ devices: 50 })),
    )
  })

  it('changes: in six hours devices go online and offline, in three months some have other firmware or were replaced', async () => {
    const demo = await start({ devices: 500, rooms: 30 })
    const snapshot = async (): Promise<Map<unknown, Record<string, unknown>>> =>
      new Map(
        (await allPages(demo, devicesPath, { pageSize: 500 })).flatMap((page) =>
          page.items.map((item) => [item['id'], item]),
        ),
      )
    const before = await snapshot()
    await demo.control('POST', '/time', { advanceInMs: 6 * 3_600_000 })
    const evening = await snapshot()
    await demo.control('POST', '/time', { advanceInMs: 90 * 86_400_000 })
    const later = await snapshot()
    const differing = (one: typeof before, other: typeof before, member: string): number =>
      [...one].filter(([id, item]) => other.has(id) && other.get(id)?.[member] !== item[member]).length
    expect([...evening.keys()]).toEqual([...before.keys()])
    expect(differing(before, evening, 'isConnected')).toBeGreaterThan(20)
    expect(differing(before, later, 'firmwareVersion')).toBeGreaterThan(5)
    expect([later.size, [...later.keys()].every((id) => before.has(id))]).toEqual([500, false])
  })
})
