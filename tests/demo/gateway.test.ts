import { afterEach, describe, expect, test } from 'vitest'
import { SlidingWindows } from '../../electron/demo/limits.ts'
import type { Asking } from './a-demonstration.ts'
import { aDemonstration, devicesPath, roomsPath } from './a-demonstration.ts'

let demo: Asking
const start = async (...args: Parameters<typeof aDemonstration>): Promise<void> => {
  demo = await aDemonstration(...args)
}
afterEach(() => demo.it.stop())

const key = { 'ocp-apim-subscription-key': 'demo-key' }

describe('the gateway', () => {
  test.each([
    [
      'no key',
      { 'api-version': '2' },
      'Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.',
    ],
    [
      'a wrong key',
      { 'api-version': '2', 'ocp-apim-subscription-key': 'demo-kez' },
      'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
    ],
  ])('with %s returns 401 with its usual error', async (_, headers, message) => {
    await start()
    const answer = await demo.manage('POST', devicesPath, {}, headers)
    expect([answer.status, answer.body]).toEqual([401, { statusCode: 401, message }])
  })

  test.each([
    ['primary', 'demo-key', 'second-key'],
    ['secondary', 'second-key', 'demo-key'],
  ])(
    'rejects a regenerated %s key with its usual error, and accepts the new one and the other',
    async (regenerate, old, other) => {
      await start({ secondaryKey: 'second-key' })
      const { key: made } = (await demo.control('POST', '/keys', { regenerate })).body as { key: string }
      const withKey = async (one: string) => {
        const headers = {
          'api-version': '2',
          'ocp-apim-subscription-key': one,
          'content-type': 'application/json',
        }
        const { status, body } = await demo.manage('POST', devicesPath, {}, headers)
        return status === 401 ? body : status
      }
      const message =
        'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.'
      expect(made).toMatch(/^[0-9a-f]{32}$/)
      expect([await withKey(old), await withKey(made), await withKey(other)]).toEqual([
        { statusCode: 401, message },
        200,
        200,
      ])
    },
  )

  test('rejects a switch for an unknown key', async () => {
    await start()
    expect(await demo.control('POST', '/keys', { regenerate: 'third' })).toMatchObject({
      status: 400,
      body: { message: 'regenerate must be primary or secondary.' },
    })
  })

  test('accepts the secondary key, and only that with the fault refuse-primary-key', async () => {
    await start({
      secondaryKey: 'second-key',
      faults: [{ name: 'refuse-primary-key', rate: 1, times: null, operation: null }],
    })
    const first = await demo.manage('POST', devicesPath, {})
    const second = await demo.manage(
      'POST',
      devicesPath,
      {},
      {
        'api-version': '2',
        'ocp-apim-subscription-key': 'second-key',
        'content-type': 'application/json',
      },
    )
    expect([first.status, second.status]).toEqual([401, 200])
  })

  test.each([
    ['POST', devicesPath, {}, 'ApiVersionUnspecified'],
    ['POST', devicesPath, { 'api-version': '3' }, 'UnsupportedApiVersion'],
    ['POST', devicesPath, { 'api-version': '1' }, 'UnsupportedApiVersion'],
    ['GET', devicesPath, { 'api-version': '2' }, 'UnsupportedApiVersion'],
    ['POST', `${devicesPath}/settings`, { 'api-version': '1' }, 'UnsupportedApiVersion'],
  ])('%s %s with version %j returns 400 as problem details', async (method, path, version, code) => {
    await start()
    const answer = await demo.manage(method, path, undefined, { ...key, ...version })
    expect([
      answer.status,
      answer.headers.get('content-type'),
      (answer.body as { code: string }).code,
    ]).toEqual([400, 'application/problem+json; charset=utf-8', code])
  })

  test.each([
    ['POST', '/devices/api/device'],
    ['POST', '/devices/api/devices/'],
    ['GET', '/'],
    ['POST', `${roomsPath}/a/b/reboot`],
  ])('%s %s is no operation: 404 with the usual error', async (method, path) => {
    await start()
    const answer = await demo.manage(method, path, method === 'GET' ? undefined : {})
    expect([answer.status, answer.body]).toEqual([404, { statusCode: 404, message: 'Resource not found' }])
  })

  test.each([
    ['DELETE', devicesPath],
    ['PUT', roomsPath],
    ['GET', roomsPath],
    ['GET', `${roomsPath}/abc/reboot`],
    ['POST', `${devicesPath}/abc/settings`],
  ])('%s %s is an unknown method: 404 with the usual error (services.md#B19)', async (method, path) => {
    await start()
    const answer = await demo.manage(method, path, method === 'GET' ? undefined : {})
    expect([answer.status, answer.body]).toEqual([404, { statusCode: 404, message: 'Resource not found' }])
  })

  test.each([
    ['POST', devicesPath, 'text/plain', 415],
    ['POST', devicesPath, 'application/x-www-form-urlencoded', 415],
    ['POST', devicesPath, 'application/json; charset=utf-8', 200],
    ['POST', devicesPath, 'application/merge-patch+json', 200],
    ['POST', roomsPath, 'application/jsonp', 415],
    ['PATCH', `${devicesPath}/{device}/settings`, 'text/json', 415],
    ['POST', `${roomsPath}/{group}/reboot`, 'application/json', 400],
  ])('%s %s with a body of type %s returns %i', async (method, path, type, status) => {
    await start()
    const { items } = (
      await demo.manage('POST', devicesPath, { deviceClientType: 'MeetingRoom', pageSize: 1 })
    ).body as {
      items: { id: string; groupId: string }[]
    }
    const whole = path.replace('{device}', items[0]?.id ?? '').replace('{group}', items[0]?.groupId ?? '')
    const answer = await demo.manage(method, whole, '{}', {
      ...key,
      'api-version': '2',
      'content-type': type,
    })
    expect(answer.status).toBe(status)
  })
})

describe('unpublished endpoints, at paths of the demonstration', () => {
  const aDevice = async (): Promise<{ id: string; settings: object }> => {
    const page = (
      await demo.manage('POST', `${devicesPath}/settings`, { deviceClientType: 'MeetingRoom', pageSize: 50 })
    ).body as {
      items: { id: string; productName: string; settings: object }[]
    }
    return (
      page.items.find((one) => one.productName.startsWith('Jabra PanaCast 50')) ?? { id: '', settings: {} }
    )
  }

  test('a page of devices contains the same settings as each device', async () => {
    await start({ devices: 200, rooms: 24 })
    const { id, settings } = await aDevice()
    expect(Object.keys(settings).length).toBeGreaterThan(3)
    expect((await demo.manage('GET', `${devicesPath}/${id}/settings`)).body).toEqual({ settings })
  })

  test("requested firmware is on the device within five minutes, and the write uses the device's minute", async () => {
    await start({ devices: 200, rooms: 24 })
    const { id } = await aDevice()
    const read = async (): Promise<{
      firmwareVersion: string
      firmwareUpdateInProgress: boolean
      availableVersions: string[]
    }> => (await demo.manage('GET', `${devicesPath}/${id}/firmware`)).body as never
    const before = await read()
    const wanted = before.availableVersions.find((version) => version !== before.firmwareVersion) ?? ''
    const begun = await demo.manage('POST', `${devicesPath}/${id}/firmware/${wanted}`)
    const again = await demo.manage('PATCH', `${devicesPath}/${id}/settings`, {
      settings: { anything: { isOn: true } },
    })
    const during = await read()
    demo.it.advance(300_000)
    const after = await read()
    expect([
      begun.status,
      again.status,
      during.firmwareVersion,
      during.firmwareUpdateInProgress,
      after.firmwareVersion,
      after.firmwareUpdateInProgress,
    ]).toEqual([202, 429, before.firmwareVersion, true, wanted, false])
  })

  test('firmware that the product does not have is rejected', async () => {
    await start({ devices: 200, rooms: 24 })
    expect((await demo.manage('POST', `${devicesPath}/${(await aDevice()).id}/firmware/99.0.0`)).status).toBe(
      400,
    )
  })
})

describe('the rate limits', () => {
  const list = (): Promise<{ status: number; headers: Headers; body: unknown }> =>
    demo.manage('POST', devicesPath, { pageSize: 1 })

  test('the sixth call in a second is rejected with Retry-After, and accepted after that time', async () => {
    await start({ limits: { perSecond: 5, perWindow: 100, windowSeconds: 300 } })
    for (let call = 0; call < 5; call += 1) expect((await list()).status).toBe(200)
    const refused = await list()
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '1',
      { statusCode: 429, message: 'Rate limit is exceeded. Try again in 1 seconds.' },
    ])
    demo.it.advance(1000)
    expect((await list()).status).toBe(200)
  })

  test('the long window slides: the returned time is when its oldest call leaves it', async () => {
    await start({ limits: { perSecond: 2, perWindow: 4, windowSeconds: 30 } })
    const reported: unknown[] = []
    for (let second = 0; second < 4; second += 1) {
      const answer = await list()
      reported.push(answer.status, (await list()).headers.get('retry-after'))
      demo.it.advance(1000)
    }
    demo.it.advance(25_999)
    const early = (await list()).status
    demo.it.advance(1)
    expect([reported, early, (await list()).status]).toEqual([
      [200, null, 200, null, 429, '28', 429, '27'],
      429,
      200,
    ])
  })

  test('no window accepts more than its limit, for any calls', () => {
    const windows = new SlidingWindows({ perSecond: 10, perWindow: 60, windowSeconds: 20 })
    const admitted: number[] = []
    for (let at = 0; at < 100_000; at += 37)
      for (let burst = 0; burst < (at % 7) + 1; burst += 1) if (windows.arrive(at) === 0) admitted.push(at)
    const most = (length: number): number =>
      Math.max(...admitted.map((first) => admitted.filter((at) => at >= first && at < first + length).length))
    expect([most(1000), most(20_000)]).toEqual([10, 60])
  })

  test('calls rejected for their key do not use up the limit', async () => {
    await start({ limits: { perSecond: 1, perWindow: 10, windowSeconds: 300 } })
    for (let call = 0; call < 5; call += 1)
      await demo.manage('POST', devicesPath, {}, { 'api-version': '2', 'ocp-apim-subscription-key': 'wrong' })
    expect((await list()).status).toBe(200)
  })
})

describe('a reboot', () => {
  const aRoom = async (): Promise<{
    id: string
    deviceGroupId: string
    devices: { id: string; deviceConnectionStatus: string }[]
  }> => {
    const rooms = (await demo.manage('POST', roomsPath, { pageSize: 12 })).body as {
      items: {
        id: string
        deviceGroupId: string
        devices: { id: string; deviceConnectionStatus: string }[]
      }[]
    }
    const room = rooms.items.find((one) =>
      one.devices?.every((device) => device.deviceConnectionStatus === 'Online'),
    )
    if (room === undefined) throw new Error('every room has a device offline')
    return room
  }

  test('takes the room down and brings it back', async () => {
    await start()
    const room = await aRoom()
    const words = async (): Promise<string[]> => [
      ...new Set(
        ((await demo.manage('GET', `${roomsPath}/${room.deviceGroupId}`)).body as typeof room).devices.map(
          (device) => device.deviceConnectionStatus,
        ),
      ),
    ]
    const answer = await demo.manage('POST', `${roomsPath}/${room.deviceGroupId}/reboot`)
    demo.it.advance(5000)
    const during = await words()
    demo.it.advance(150_000)
    expect([answer.status, answer.text, during, await words()]).toEqual([200, '', ['Rebooting'], ['Online']])
  })

  test('of a room with a write to a device within the minute is rejected, by group id and by room id', async () => {
    await start()
    const room = await aRoom()
    await demo.manage('POST', `${roomsPath}/${room.deviceGroupId}/reboot`)
    demo.it.advance(59_000)
    const again = await demo.manage('POST', `${roomsPath}/${room.id}/reboot`)
    demo.it.advance(1000)
    const later = await demo.manage('POST', `${roomsPath}/${room.id}/reboot`)
    expect([again.status, again.headers.get('retry-after'), later.status]).toEqual([429, '1', 200])
  })

  test('and a setting change share the device’s minute', async () => {
    await start()
    const room = await aRoom()
    await demo.manage('POST', `${roomsPath}/${room.deviceGroupId}/reboot`)
    const change = await demo.manage('PATCH', `${devicesPath}/${room.devices[0]?.id}/settings`, {
      settings: { anything: { isOn: true } },
    })
    expect([change.status, change.headers.get('retry-after')]).toEqual([429, '60'])
  })
})

describe('device settings', () => {
  const aCamera = async (): Promise<string> => {
    const devices = (
      await demo.manage('POST', devicesPath, { deviceClientType: 'MeetingRoom', pageSize: 50 })
    ).body as {
      items: { id: string; productName: string }[]
    }
    return devices.items.find((device) => device.productName.startsWith('Jabra PanaCast 50'))?.id ?? ''
  }

  test('a change uses the member that fits the setting, the others are ignored', async () => {
    await start({ devices: 200, rooms: 24 })
    const path = `${devicesPath}/${await aCamera()}/settings`
    const answer = await demo.manage('PATCH', path, {
      settings: { videoStiching: { isLocked: false, isOn: false, selected: 'hybrid', value: 'hybrid' } },
    })
    const { settings } = (await demo.manage('GET', path)).body as { settings: Record<string, unknown> }
    expect([answer.status, settings['videoStiching']]).toEqual([200, { isLocked: false, selected: 'hybrid' }])
  })

  test.each([
    [{ settings: { videoStiching: { selected: 'sideways' } } }, ['settings.videoStiching']],
    [{ settings: { noSuch: { isOn: true } } }, ['settings.noSuch']],
    [{ settings: {} }, ['settings']],
    [{}, ['settings']],
    [{ settings: { videoStiching: { selected: 'hybrid' } }, force: true }, ['force']],
  ])('the change %j is rejected and changes nothing', async (body, members) => {
    await start({ devices: 200, rooms: 24 })
    const path = `${devicesPath}/${await aCamera()}/settings`
    const before = (await demo.manage('GET', path)).text
    const answer = await demo.manage('PATCH', path, body)
    expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([400, members])
    expect((await demo.manage('GET', path)).text).toBe(before)
  })

  test('of a missing device are not found', async () => {
    await start()
    expect(
      (await demo.manage('GET', `${devicesPath}/DD9ECD6296804500D744A03C47526EA8B7C0A1C68/settings`)).status,
    ).toBe(404)
  })
})
