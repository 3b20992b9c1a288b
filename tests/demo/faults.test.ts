import { afterEach, describe, expect, test } from 'vitest'
import type { Fault, FaultName } from '../../electron/demo/faults.ts'
import { parseFault } from '../../electron/demo/faults.ts'
import type { Asked, Asking, PageBody } from './a-demonstration.ts'
import { aDemonstration, allPages, devicesPath, roomsPath } from './a-demonstration.ts'

let demo: Asking
const start = async (name: FaultName, rate = 1, more: Partial<Fault> = {}): Promise<void> => {
  demo = await aDemonstration({ faults: [{ name, rate, times: null, operation: null, ...more }] })
}
afterEach(() => demo.it.stop())

const list = (body: object = { pageSize: 20 }): Promise<Asked> => demo.manage('POST', devicesPath, body)

describe('requested faults', () => {
  test('error-500 responds as the backend does', async () => {
    await start('error-500')
    const answer = await list()
    expect([answer.status, answer.headers.get('content-type'), Object.keys(answer.body as object)]).toEqual([
      500,
      'application/problem+json; charset=utf-8',
      ['type', 'title', 'status', 'traceId'],
    ])
  })

  test('early-429 occurs although no limit is reached', async () => {
    await start('early-429')
    const answer = await list()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2'])
  })

  test('truncated-json is 200 with the stated length, and no JSON', async () => {
    await start('truncated-json')
    const answer = await list()
    expect([answer.status, answer.body, Number(answer.headers.get('content-length'))]).toEqual([
      200,
      undefined,
      Buffer.byteLength(answer.text),
    ])
  })

  test('html is a sign-in page instead of JSON', async () => {
    await start('html')
    const answer = await list()
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.text.startsWith('<!doctype html>'),
    ]).toEqual([200, 'text/html; charset=utf-8', true])
  })

  test('error-in-200 is an error text instead of a page', async () => {
    await start('error-in-200')
    const answer = await list()
    expect([answer.status, answer.body]).toEqual([
      200,
      { statusCode: 500, message: 'An unexpected error occurred.' },
    ])
  })

  test('wrong-content-type declares XML for valid JSON', async () => {
    await start('wrong-content-type')
    const answer = await list()
    expect([answer.headers.get('content-type'), (answer.body as PageBody).items.length]).toEqual([
      'application/xml; charset=utf-8',
      20,
    ])
  })

  test('dropped-connection breaks the connection without a response, after the write took effect', async () => {
    await start('dropped-connection', 1, { operation: 'RebootRoom' })
    const { items } = (await demo.manage('POST', roomsPath, { pageSize: 1 })).body as PageBody
    const path = `${roomsPath}/${String(items[0]?.['deviceGroupId'])}`
    await expect(demo.manage('POST', `${path}/reboot`)).rejects.toThrow('fetch failed')
    demo.it.advance(5000)
    expect((await demo.manage('GET', path)).text).toContain('"Rebooting"')
  })

  test('dropped-connection interrupts a download; the rest can be requested', async () => {
    await start('dropped-connection', 1, { operation: 'DownloadFile', times: 1 })
    const { downloadUrl, fileSize } = (
      await demo.metadata(
        '/models/v/18/vendors/2830/products/2115/firmware-versions/1.5.0/build-types/Release/downloadLink.json',
      )
    ).body as {
      downloadUrl: string
      fileSize: number
    }
    await expect(fetch(downloadUrl).then((answer) => answer.arrayBuffer())).rejects.toThrow()
    expect((await (await fetch(downloadUrl)).arrayBuffer()).byteLength).toBe(fileSize)
  })

  describe('a firmware file', () => {
    const small =
      '/models/v/18/vendors/2830/products/2115/firmware-versions/1.5.0/build-types/Release/downloadLink.json'
    const size = 70_491
    const link = async (): Promise<string> =>
      ((await demo.metadata(small)).body as { downloadUrl: string }).downloadUrl
    const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer())

    test('file-cut stops after a third; the rest can be requested', async () => {
      await start('file-cut', 1, { operation: 'DownloadFile', times: 1 })
      const url = await link()
      const answer = await fetch(url)
      let arrived = 0
      const read = async (): Promise<void> => {
        for await (const piece of answer.body!) arrived += (piece as Uint8Array).length
      }
      await expect(read()).rejects.toThrow('terminated')
      expect(arrived).toBe(Math.floor(size / 3))
      const etag = answer.headers.get('etag') ?? ''
      const rest = await fetch(url, { headers: { range: `bytes=${arrived}-`, 'if-range': etag } })
      expect([rest.status, (await bytesOf(rest)).length]).toEqual([206, size - arrived])
    })

    test('file-changed has the same size, but other bytes and another ETag', async () => {
      await start('file-changed', 1, { operation: 'DownloadFile', times: 1 })
      const url = await link()
      const [changed, regular] = [await fetch(url), await fetch(url)]
      expect(changed.headers.get('etag')).not.toBe(regular.headers.get('etag'))
      const [one, other] = [await bytesOf(changed), await bytesOf(regular)]
      expect([one.length, one.equals(other)]).toEqual([other.length, false])
    })

    test.each([
      ['file-short', size - 1_000],
      ['file-long', size + 1_000],
      ['file-slow', size],
    ] as const)('%s returns %i bytes, and says so', async (name, length) => {
      await start(name, 1, { operation: 'DownloadFile' })
      const answer = await fetch(await link())
      expect([answer.headers.get('content-length'), (await bytesOf(answer)).length]).toEqual([
        String(length),
        length,
      ])
    })

    test('no-range sends the whole file for any range', async () => {
      await start('no-range', 1, { operation: 'DownloadFile' })
      const answer = await fetch(await link(), { headers: { range: 'bytes=10-' } })
      expect([answer.status, answer.headers.get('accept-ranges'), (await bytesOf(answer)).length]).toEqual([
        200,
        null,
        size,
      ])
    })

    test('link-expired rejects a valid signature', async () => {
      await start('link-expired', 1, { operation: 'DownloadFile', times: 1 })
      const url = await link()
      expect([(await fetch(url)).status, (await fetch(url)).status]).toEqual([403, 200])
    })
  })

  const aRoomPath = async (): Promise<string> => {
    const { items } = (await demo.manage('POST', roomsPath, { pageSize: 1 })).body as PageBody
    return `${roomsPath}/${String(items[0]?.['deviceGroupId'])}`
  }

  test.each([
    ['cut-mid-request', false],
    ['cut-before-answer', true],
    ['cut-mid-answer', true],
  ] as const)('%s breaks the connection; the write took effect: %s', async (name, happened) => {
    demo = await aDemonstration()
    const path = await aRoomPath()
    demo.it.faults.set({ name, rate: 1, times: null, operation: 'RebootRoom' })
    await expect(demo.manage('POST', `${path}/reboot`)).rejects.toThrow()
    demo.it.faults.clear()
    demo.it.advance(5000)
    expect((await demo.manage('GET', path)).text.includes('"Rebooting"')).toBe(happened)
    expect(demo.it.counts().arrivals['RebootRoom']).toEqual({ dropped: 1 })
  })

  test('cut-mid-answer sends the head and half of the declared body', async () => {
    await start('cut-mid-answer')
    const answer = await fetch(`${demo.it.metadataUrl}/models/v/18/telemetry.json`)
    expect([answer.status, Number(answer.headers.get('content-length')) > 100]).toEqual([200, true])
    await expect(answer.text()).rejects.toThrow()
  })

  test('cut-after-connect reads nothing and is counted as a connection', async () => {
    await start('cut-after-connect', 1, { times: 1 })
    await expect(list()).rejects.toThrow('fetch failed')
    expect([(await list()).status, demo.it.counts().arrivals]).toEqual([
      200,
      { connection: { dropped: 1 }, ListDevices: { 200: 1 } },
    ])
  })

  test('connections can be refused, and are possible at the same address again', async () => {
    demo = await aDemonstration()
    const again = await demo.it.refuseConnections()
    const refused = await list().catch((error: unknown) => (error as { cause: { code: string } }).cause.code)
    await again()
    expect([refused, (await list()).status]).toEqual(['ECONNREFUSED', 200])
  })

  test('the switch that refuses connections gets a response first, and ends by itself', async () => {
    demo = await aDemonstration()
    const switched = await demo.control('POST', '/connections', { refuseForMs: 200 })
    const refused = await list().catch((error: unknown) => (error as { cause: { code: string } }).cause.code)
    expect([switched.status, refused]).toEqual([204, 'ECONNREFUSED'])
    await expect
      .poll(() =>
        list().then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBe(200)
  })

  test.each([[{ refuseForMs: 0 }], [{ refuseForMs: 1.5 }], [{}]])(
    'rejects %j as the time to refuse connections',
    async (body) => {
      demo = await aDemonstration()
      expect((await demo.control('POST', '/connections', body)).status).toBe(400)
    },
  )

  test('slow responds later than calls made after it', async () => {
    demo = await aDemonstration({
      slowMs: 60_000,
      faults: [{ name: 'slow', rate: 1, times: null, operation: 'ListDevices' }],
    })
    let answered = false
    const slow = list().then(
      () => (answered = true),
      () => 'the service stopped',
    )
    for (let call = 0; call < 5; call++)
      expect((await demo.manage('POST', roomsPath, { pageSize: 1 })).status).toBe(200)
    expect(answered).toBe(false)
    await demo.it.stop()
    expect(await slow).toBe('the service stopped')
  })

  test('null-members keeps the id and removes others', async () => {
    await start('null-members')
    const { items } = (await list()).body as PageBody
    expect(items.every((item) => typeof item['id'] === 'string')).toBe(true)
    expect(
      items.flatMap((item) => Object.values(item)).filter((value) => value === null).length,
    ).toBeGreaterThan(60)
  })

  test('unknown-members adds unknown ones', async () => {
    await start('unknown-members')
    const { items } = (await list()).body as PageBody
    expect(items.every((item) => 'futureMember' in item && 'member with spaces' in item)).toBe(true)
  })

  test('damaged-records are the same ones on every reading, in the requested share', async () => {
    demo = await aDemonstration({
      devices: 1000,
      rooms: 20,
      faults: [{ name: 'damaged-records', rate: 0.05, times: null, operation: null }],
    })
    const damaged = async (): Promise<number[]> =>
      (await allPages(demo, devicesPath, { pageSize: 100 }))
        .flatMap((page) => page.items as readonly unknown[])
        .flatMap((item, at) => {
          const id =
            typeof item === 'object' && item !== null && !Array.isArray(item)
              ? (item as Record<string, unknown>)['id']
              : undefined
          return typeof id === 'string' && id !== '' ? [] : [at]
        })
    const first = await damaged()
    expect(first.length).toBeGreaterThan(30)
    expect(first.length).toBeLessThan(75)
    expect(await damaged()).toEqual(first)
  })

  test('repeated-token returns the token of the request', async () => {
    await start('repeated-token')
    const { continuationToken } = (await list()).body as PageBody
    expect((await list({ pageSize: 20, continuationToken })).body).toEqual({ items: [], continuationToken })
  })

  test('empty-page has a token, and following it loses nothing', async () => {
    await start('empty-page', 0.4)
    const pages = await allPages(demo, devicesPath, { pageSize: 5 })
    const ids = pages.flatMap((page) => page.items.map((item) => item['id']))
    expect([pages.some((page) => page.items.length === 0), ids.length, new Set(ids).size]).toEqual([
      true,
      60,
      60,
    ])
  })

  test('expired-token rejects a valid token', async () => {
    await start('expired-token')
    const { continuationToken } = (await list()).body as PageBody
    const answer = await list({ pageSize: 20, continuationToken })
    expect([answer.status, (answer.body as { errors: unknown }).errors]).toEqual([
      400,
      { continuationToken: ['The continuation token has expired.'] },
    ])
  })

  test('no-personal rejects that stream alone', async () => {
    await start('no-personal')
    const answers = await Promise.all(
      ['Personal', 'MeetingRoom', ''].map((deviceClientType) => list({ deviceClientType })),
    )
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200])
  })

  test('no-room-list rejects the list, a room can still be read', async () => {
    await start('no-room-list')
    const { items } = (await list({ deviceClientType: 'MeetingRoom', pageSize: 1 })).body as PageBody
    const answers = [
      await demo.manage('POST', roomsPath, {}),
      await demo.manage('GET', `${roomsPath}/${String(items[0]?.['groupId'])}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 200])
  })
})

describe('the switches', () => {
  test('the same seed affects the same calls', async () => {
    const statuses = async (): Promise<number[]> => {
      const one = await aDemonstration({
        faults: [{ name: 'error-500', rate: 0.3, times: null, operation: null }],
      })
      const seen: number[] = []
      for (let call = 0; call < 30; call += 1)
        seen.push((await one.manage('POST', devicesPath, { pageSize: 1 })).status)
      await one.it.stop()
      return seen
    }
    demo = await aDemonstration()
    const first = await statuses()
    expect(new Set(first)).toEqual(new Set([200, 500]))
    expect(await statuses()).toEqual(first)
  })

  test('a fault is switched on for one operation, a number of times, and off again', async () => {
    demo = await aDemonstration()
    await demo.control('POST', '/faults', { name: 'error-500', times: 2, operation: 'ListDevices' })
    const seen = [
      (await list()).status,
      (await demo.manage('POST', roomsPath, {})).status,
      (await list()).status,
      (await list()).status,
    ]
    await demo.control('POST', '/faults', { name: 'html' })
    const during = (await demo.control('GET', '/faults')).body as {
      faults: { name: string; struck: number }[]
    }
    await demo.control('DELETE', '/faults')
    expect([
      seen,
      during.faults.map(({ name, struck }) => [name, struck]),
      (await demo.control('GET', '/faults')).body,
    ]).toEqual([
      [500, 200, 500, 200],
      [
        ['error-500', 2],
        ['html', 0],
      ],
      { faults: [] },
    ])
  })

  test.each([
    [{ name: 'gremlins' }],
    [{ name: 'cut-after-connect', operation: 'RebootRoom' }],
    [{ name: 'slow', rate: 0 }],
    [{ name: 'slow', times: 1.5 }],
    ['no json'],
    [[]],
  ])('the switch %j is rejected', async (body) => {
    demo = await aDemonstration()
    expect((await demo.control('POST', '/faults', body)).status).toBe(400)
  })

  test('the switches need the key', async () => {
    demo = await aDemonstration()
    expect(
      (await fetch(`${demo.it.managementUrl.replace('management', 'demonstration')}/counts`)).status,
    ).toBe(401)
  })

  test('counts report all calls and the most in any second', async () => {
    demo = await aDemonstration()
    for (let call = 0; call < 3; call += 1) await list()
    demo.it.advance(1000)
    await list()
    await list({ pageSize: -1 })
    await demo.metadata('/models/v/18/telemetry.json')
    expect((await demo.control('GET', '/counts')).body).toEqual({
      arrivals: { ListDevices: { 200: 4, 400: 1 }, GetTelemetry: { 200: 1 } },
      total: 6,
      mostInASecond: 3,
      mostInAWindow: 5,
      writes: {},
    })
  })

  test('counts include every write that took effect, by room and device, also with a lost response, and no rejected write', async () => {
    demo = await aDemonstration()
    const { items } = (await demo.manage('POST', roomsPath, { pageSize: 2 })).body as PageBody
    const reboot = (at: number): Promise<unknown> =>
      demo.manage('POST', `${roomsPath}/${String(items[at]?.['deviceGroupId'])}/reboot`).catch(() => null)
    await reboot(0)
    await reboot(0)
    demo.it.faults.set({ name: 'error-500', rate: 1, times: 1, operation: 'RebootRoom' })
    await reboot(1)
    demo.it.faults.set({ name: 'cut-before-answer', rate: 1, times: 1, operation: 'RebootRoom' })
    await reboot(1)
    expect(demo.it.counts().writes).toEqual({ [String(items[0]?.['id'])]: 1, [String(items[1]?.['id'])]: 1 })
  })

  test.each([
    ['slow', { name: 'slow', rate: 1 }],
    ['html=0.25', { name: 'html', rate: 0.25 }],
    ['html=', null],
    ['html=2', null],
    ['html=0', null],
    ['gremlins', null],
    ['html=0.1=2', null],
  ])('the word %s is parsed', async (text, fault) => {
    demo = await aDemonstration()
    expect(parseFault(text)).toEqual(fault === null ? null : { times: null, operation: null, ...fault })
  })
})
