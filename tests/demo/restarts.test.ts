import { afterEach, describe, expect, test } from 'vitest'
import type { Asking, PageBody } from './a-demonstration.ts'
import { aDemonstration, allPages, devicesPath, roomsPath } from './a-demonstration.ts'

let demo: Asking
afterEach(() => demo.it.stop())

interface RoomBody {
  readonly id: string
  readonly deviceGroupId: string
  readonly status: string
  readonly devices: readonly { readonly id: string; readonly deviceConnectionStatus: string }[] | null
}
const rooms = async (): Promise<RoomBody[]> =>
  (await allPages(demo, roomsPath, { pageSize: 100 })).flatMap((page) => page.items) as unknown as RoomBody[]
const roomNow = async (groupId: string): Promise<RoomBody> =>
  (await demo.manage('GET', `${roomsPath}/${groupId}`)).body as RoomBody
const words = (room: RoomBody): string[] =>
  (room.devices ?? []).map((device) => device.deviceConnectionStatus)
const reboot = (id: string): Promise<{ status: number }> => demo.manage('POST', `${roomsPath}/${id}/reboot`)
const allOnline = async (): Promise<RoomBody[]> =>
  (await rooms()).filter((room) => room.devices !== null && words(room).every((word) => word === 'Online'))
const anOnlineRoom = async (): Promise<RoomBody> => {
  const [room] = await allOnline()
  if (room === undefined) throw new Error('no room is online as a whole')
  return room
}
const records = async (): Promise<Map<unknown, Record<string, unknown>>> =>
  new Map(
    (await allPages(demo, devicesPath, { pageSize: 500 })).flatMap((page) =>
      page.items.map((item) => [item['id'], item]),
    ),
  )

const second = 1000
const minute = 60 * second

describe('a reboot over time', () => {
  test('appears alike in lists, single records and devices: rebooting, then online again, seen later than before', async () => {
    demo = await aDemonstration()
    const room = await anOnlineRoom()
    const ids = (room.devices ?? []).map(({ id }) => id)
    const look = async (): Promise<unknown> => {
      const listed = (await rooms()).find((one) => one.deviceGroupId === room.deviceGroupId)
      const own = await records()
      return {
        listed: new Set(words(listed ?? room)),
        single: new Set(words(await roomNow(room.deviceGroupId))),
        devices: new Set(
          ids.map((id) => [own.get(id)?.['deviceConnectionStatus'], own.get(id)?.['isConnected']].join()),
        ),
      }
    }
    const seen = async (): Promise<number[]> => {
      const own = await records()
      return ids.map((id) => Date.parse(String(own.get(id)?.['lastSeenAt'])))
    }
    const before = await seen()
    await reboot(room.deviceGroupId)
    const atOnce = await look()
    demo.it.advance(2 * second)
    const during = await look()
    const seenDuring = await seen()
    demo.it.advance(150 * second)
    const online = {
      listed: new Set(['Online']),
      single: new Set(['Online']),
      devices: new Set(['Online,true']),
    }
    expect([atOnce, during, await look()]).toEqual([
      online,
      {
        listed: new Set(['Rebooting']),
        single: new Set(['Rebooting']),
        devices: new Set(['Rebooting,false']),
      },
      online,
    ])
    expect(seenDuring).toEqual(before)
    expect((await seen()).every((at, index) => at > (before[index] ?? 0))).toBe(true)
  })

  test('takes each device 40 to 150 s, with different times', async () => {
    demo = await aDemonstration({ devices: 1200, rooms: 72 })
    const online = await allOnline()
    for (const room of online) await reboot(room.deviceGroupId)
    const rebooting = async (): Promise<number> =>
      (await rooms()).flatMap(words).filter((word) => word === 'Rebooting').length
    demo.it.advance(40 * second)
    const [early, half] = [await rebooting(), (demo.it.advance(55 * second), await rebooting())]
    demo.it.advance(56 * second)
    const devices = new Set(online.flatMap((room) => (room.devices ?? []).map(({ id }) => id)))
    expect([
      early >= devices.size,
      half > devices.size * 0.3,
      half < devices.size * 0.8,
      await rebooting(),
    ]).toEqual([true, true, true, 0])
  })

  test('skips offline devices, which stay unchanged', async () => {
    demo = await aDemonstration({ devices: 1200, rooms: 72 })
    const room = (await rooms()).find(
      (one) => words(one).includes('Offline') && words(one).includes('Online'),
    )
    if (room === undefined) throw new Error('no room is partly offline')
    await reboot(room.deviceGroupId)
    demo.it.advance(2 * second)
    expect(words(await roomNow(room.deviceGroupId))).toEqual(
      words(room).map((word) => (word === 'Offline' ? 'Offline' : 'Rebooting')),
    )
  })

  test('keeps a few devices offline for half an hour; a room with no other devices is disconnected', async () => {
    demo = await aDemonstration({ devices: 1200, rooms: 72 })
    const room = await anOnlineRoom()
    demo.it.faults.set({
      name: 'stays-down',
      rate: 1,
      times: null,
      operation: 'RebootRoom',
      subjects: (room.devices ?? []).map(({ id }) => id),
    })
    await reboot(room.deviceGroupId)
    const seen: unknown[] = []
    for (const ms of [10 * second, 3 * minute, 26 * minute, 1 * minute]) {
      demo.it.advance(ms)
      const now = await roomNow(room.deviceGroupId)
      seen.push([...new Set(words(now)), now.status])
    }
    expect(seen).toEqual([
      ['Rebooting', 'Connected'],
      ['Offline', 'Disconnected'],
      ['Offline', 'Disconnected'],
      ['Online', 'Connected'],
    ])
  })

  test('without a switch keeps about one device in fifty offline too long', async () => {
    demo = await aDemonstration({
      devices: 3000,
      rooms: 500,
      limits: { perSecond: 5000, perWindow: 50_000, windowSeconds: 300 },
    })
    const online = await allOnline()
    const count = new Set(online.flatMap((room) => (room.devices ?? []).map(({ id }) => id))).size
    for (const room of online) await demo.manage('POST', `${roomsPath}/${room.id}/reboot`)
    demo.it.advance(5 * minute)
    const now = new Map((await rooms()).map((room) => [room.id, room]))
    const lost = new Set(
      online.flatMap((room) =>
        (now.get(room.id)?.devices ?? [])
          .filter((one) => one.deviceConnectionStatus !== 'Online')
          .map(({ id }) => id),
      ),
    )
    expect(lost.size / count).toBeGreaterThan(0.01)
    expect(lost.size / count).toBeLessThan(0.03)
  })

  test('repeated after a switch advanced the time takes the room down again', async () => {
    demo = await aDemonstration()
    const room = await anOnlineRoom()
    const seen: string[][] = []
    for (let time = 0; time < 4; time += 1) {
      await reboot(room.id)
      await demo.control('POST', '/time', { advanceInMs: 2 * second })
      seen.push([...new Set(words(await roomNow(room.deviceGroupId)))])
      await demo.control('POST', '/time', { advanceInMs: 3 * minute })
      seen.push([...new Set(words(await roomNow(room.deviceGroupId)))])
    }
    expect(seen).toEqual(Array.from({ length: 4 }, () => [['Rebooting'], ['Online']]).flat())
    expect(demo.it.counts().writes).toEqual({ [room.id]: 4 })
  })

  test('requested while devices are still offline does not restart them again', async () => {
    demo = await aDemonstration()
    const room = await anOnlineRoom()
    await reboot(room.id)
    demo.it.advance(61 * second)
    const away = words(await roomNow(room.deviceGroupId)).filter((word) => word === 'Rebooting').length
    const again = await reboot(room.id)
    demo.it.advance(90 * second)
    // Devices that had come back went down again; the others are back now.
    expect([again.status, away > 0]).toEqual([200, true])
    expect(
      words(await roomNow(room.deviceGroupId)).filter((word) => word === 'Online').length,
    ).toBeGreaterThanOrEqual(away)
  })
})

describe('writes that fail on request', () => {
  const switchOn = (fault: object): Promise<{ status: number }> => demo.control('POST', '/faults', fault)

  test.each([
    ['refuse-400', 400],
    ['refuse-403', 403],
    ['refuse-404', 404],
    ['error-500', 500],
    ['early-429', 429],
  ])('%s returns %i for the given rooms, by any of their ids, and has no effect', async (name, status) => {
    demo = await aDemonstration({ devices: 400, rooms: 36 })
    const all = await rooms()
    const twin = all.find((one) =>
      all.some((other) => other.id === one.id && other.deviceGroupId !== one.deviceGroupId),
    )
    const other = all.find((one) => one.id !== twin?.id)
    await switchOn({ name, operation: 'RebootRoom', subjects: [twin?.id] })
    expect([
      (await reboot(twin?.deviceGroupId ?? '')).status,
      (await reboot(other?.deviceGroupId ?? '')).status,
      demo.it.counts().writes,
    ]).toEqual([status, 200, { [other?.id ?? '']: 1 }])
  })

  test('error-500-late returns 500 although the room reboots', async () => {
    demo = await aDemonstration()
    const room = await anOnlineRoom()
    await switchOn({ name: 'error-500-late', operation: 'RebootRoom' })
    const answer = await reboot(room.id)
    demo.it.advance(2 * second)
    expect([
      answer.status,
      new Set(words(await roomNow(room.deviceGroupId))),
      demo.it.counts().writes,
    ]).toEqual([500, new Set(['Rebooting']), { [room.id]: 1 }])
  })

  test('only the third one can be affected', async () => {
    demo = await aDemonstration()
    await switchOn({ name: 'refuse-403', operation: 'RebootRoom', nth: 3 })
    const seen: number[] = []
    for (const room of (await rooms()).slice(0, 5)) seen.push((await reboot(room.id)).status)
    expect(seen).toEqual([200, 200, 403, 200, 200])
  })

  test('a fixed share affects the same rooms every time', async () => {
    demo = await aDemonstration({ devices: 400, rooms: 36 })
    await switchOn({ name: 'refuse-404', operation: 'RebootRoom', rate: 0.3, sticks: true })
    const ids = [...new Set((await rooms()).map((room) => room.id))]
    const struck = async (order: readonly string[]): Promise<Set<string>> => {
      const found = new Set<string>()
      for (const id of order) if ((await reboot(id)).status === 404) found.add(id)
      return found
    }
    const first = await struck(ids)
    demo.it.advance(3 * minute)
    expect(await struck(ids.toReversed())).toEqual(first)
    expect({ some: first.size > 3, few: first.size < 20 }).toEqual({ some: true, few: true })
  })

  test.each([
    [{ nth: 0 }],
    [{ nth: 1.5 }],
    [{ subjects: [] }],
    [{ subjects: 'D1' }],
    [{ subjects: [1] }],
    [{ sticks: 'yes' }],
  ])('the switch %j is rejected', async (more) => {
    demo = await aDemonstration()
    expect((await switchOn({ name: 'refuse-404', ...more })).status).toBe(400)
  })
})

describe('settings over time', () => {
  const withSettings = async (): Promise<PageBody['items']> =>
    (
      await allPages(demo, `${devicesPath}/settings`, { deviceClientType: 'MeetingRoom', pageSize: 100 })
    ).flatMap((page) => page.items)
  const camera = async (): Promise<string> => {
    const online = (item: Record<string, unknown>): boolean => item['deviceConnectionStatus'] === 'Online'
    const found = (await withSettings()).find(
      (item) => String(item['productName']).startsWith('Jabra PanaCast 50') && online(item),
    )
    return String(found?.['id'])
  }
  const settingsPath = (id: string): string => `${devicesPath}/${id}/settings`
  const read = async (id: string): Promise<Record<string, unknown>> =>
    ((await demo.manage('GET', settingsPath(id))).body as { settings: Record<string, unknown> }).settings
  const patch = (id: string, settings: object): Promise<{ status: number; body: unknown }> =>
    demo.manage('PATCH', settingsPath(id), { settings })

  test('a setting that restarts makes the device restart, another does not', async () => {
    demo = await aDemonstration({ devices: 200, rooms: 24 })
    const id = await camera()
    const status = async (): Promise<unknown> => (await records()).get(id)?.['deviceConnectionStatus']
    await patch(id, { automaticZoomMode: { selected: 'fullScreen' } })
    demo.it.advance(2 * second)
    const quiet = await status()
    demo.it.advance(minute)
    await patch(id, { videoStiching: { selected: 'hybrid' } })
    demo.it.advance(2 * second)
    const restarting = await status()
    demo.it.advance(150 * second)
    expect([quiet, restarting, await status()]).toEqual(['Online', 'Rebooting', 'Online'])
  })

  test('a lock that is not mentioned stays, one that is mentioned changes', async () => {
    demo = await aDemonstration({ devices: 200, rooms: 24 })
    const id = await camera()
    const locks: unknown[] = []
    for (const entry of [{ isLocked: true }, {}, { isLocked: false }, {}]) {
      await patch(id, { videoStiching: { selected: 'hybrid', ...entry } })
      demo.it.advance(2 * minute)
      locks.push((await read(id))['videoStiching'])
    }
    expect(locks).toEqual([true, true, false, false].map((isLocked) => ({ isLocked, selected: 'hybrid' })))
  })

  test('late-settings: a read straight afterwards shows the old value, one within a minute and a half the new one', async () => {
    demo = await aDemonstration({ devices: 200, rooms: 24 })
    const id = await camera()
    demo.it.faults.set({ name: 'late-settings', rate: 1, times: null, operation: null })
    const before = (await read(id))['automaticZoomMode'] as { selected: string }
    const wanted = before.selected === 'fullScreen' ? 'intelligentZoom' : 'fullScreen'
    const answer = await patch(id, { automaticZoomMode: { selected: wanted } })
    const straight = (await read(id))['automaticZoomMode']
    demo.it.advance(90 * second)
    const later = (await read(id))['automaticZoomMode']
    expect([answer.status, straight, later, demo.it.counts().writes]).toEqual([
      200,
      before,
      { ...before, selected: wanted },
      { [id]: 1 },
    ])
  })

  test('without a switch a few of many writes appear later', async () => {
    demo = await aDemonstration({
      devices: 2400,
      rooms: 300,
      limits: { perSecond: 5000, perWindow: 50_000, windowSeconds: 300 },
    })
    let old = 0
    let changed = 0
    for (const item of (await withSettings()).slice(0, 400)) {
      const settings = item['settings'] as Record<string, { isOn?: boolean | null; isLocked: boolean }>
      const [name, entry] = Object.entries(settings).find(([, one]) => typeof one.isOn === 'boolean') ?? []
      if (name === undefined || entry === undefined) continue
      const id = String(item['id'])
      await patch(id, { [name]: { isOn: entry.isOn === false } })
      changed += 1
      const now = (await read(id))[name] as { isOn: boolean } | undefined
      if (now?.isOn === entry.isOn) old += 1
    }
    expect({ enough: changed > 200, some: old / changed > 0.005, few: old / changed < 0.07 }).toEqual({
      enough: true,
      some: true,
      few: true,
    })
  })
})
