import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { openConnections, type Connections } from '../../../electron/core/connections/connections.ts'
import type { WireResponse, WireFault, WireRequest } from '../../../electron/core/platform.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeTransport, answer } from '../../fake-transport.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let clock: FakeClock
let workbook: Workbook
let connections: Connections
let lines: string[]
let names: Map<string, string>
const open = (stored: Workbook = workbook) =>
  openConnections({
    workbook: stored,
    clock,
    nameOf: (id) => names.get(id) ?? null,
    mustAllow: () => undefined,
    log: { write: (_level, message) => void lines.push(message) },
  })
beforeEach(async () => {
  lines = []
  names = new Map([
    ['n', 'Nordlys'],
    ['s', 'Sydlys'],
  ])
  home = new TemporaryHome()
  clock = new FakeClock()
  workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  connections = open()
})
afterEach(async () => {
  await connections.close()
  await workbook.close()
  await home.remove()
})

const request = (url: string): WireRequest => ({
  method: 'GET',
  url,
  headers: { 'Ocp-Apim-Subscription-Key': 'sentinel' },
  body: 'secret body',
  timeoutInMs: 1,
  maxBytes: 1,
  freshConnection: false,
  signal: null,
})
const fault: WireFault = { kind: 'fault', sent: 'no', reason: 'offline', message: 'no network' }
const transportOf = (outcome: WireResponse | WireFault | Error, organization = 'n') =>
  connections.counted(
    new FakeTransport(() => {
      if (outcome instanceof Error) throw outcome
      return outcome
    }),
    'management',
    organization,
  )
const written = async () =>
  (await workbook.query('SELECT host, attempts, failed FROM contacted_host ORDER BY host')).map((row) =>
    Object.values(row).join(' '),
  )

describe('a host', () => {
  test('is listed with purpose, organization, count and first use', async () => {
    const firstAt = clock.now()
    await transportOf(answer(401, {})).attempt(request('https://api.example.com/devices?token=1'))
    await clock.advance(1_000)
    await transportOf(fault, 's').attempt(request('https://api.example.com/rooms'))
    connections.outside('https://www.example.com/support?serial=SN1')
    expect(await connections.list()).toEqual([
      {
        host: 'api.example.com',
        purpose: 'management',
        organizations: ['Nordlys', 'Sydlys'],
        local: false,
        attempts: 2,
        failed: 1,
        firstAt,
        lastAt: firstAt + 1_000,
      },
      {
        host: 'www.example.com',
        purpose: 'outside',
        organizations: [],
        local: false,
        attempts: 1,
        failed: 0,
        firstAt: firstAt + 1_000,
        lastAt: firstAt + 1_000,
      },
    ])
  })

  test('continues its count after a restart', async () => {
    await transportOf(answer(200, {})).attempt(request('https://api.example.com/'))
    await connections.close()
    connections = open()
    await transportOf(fault).attempt(request('https://api.example.com/'))
    expect((await connections.list()).map(({ attempts, failed }) => [attempts, failed])).toEqual([[2, 1]])
  })

  it.each([
    ['http://127.0.0.1:43121/a', '127.0.0.1', true],
    ['http://[::1]:8080/', '[::1]', true],
    ['http://localhost:1/', 'localhost', true],
    ['https://metadata.localhost/', 'metadata.localhost', true],
    ['https://127.0.0.1.example.com/', '127.0.0.1.example.com', false],
    ['https://user:word@api.example.com:8443/path?key=1#x', 'api.example.com:8443', false],
  ])('of %s is %s, on this computer: %s', async (url, host, local) => {
    await transportOf(answer(200, {})).attempt(request(url))
    expect((await connections.list()).map((one) => [one.host, one.local])).toEqual([[host, local]])
  })

  test('is stored alone: no path, query, header or body', async () => {
    await transportOf(answer(200, {})).attempt(
      request('https://api.example.com/devices/D1?apiVersion=7&secret=1'),
    )
    connections.outside('https://www.example.com/way/in?serial=SN1')
    await clock.advance(10_000)
    const everything = JSON.stringify(await workbook.query('SELECT * FROM contacted_host'))
    for (const word of ['devices', 'D1', 'apiVersion', 'secret', 'sentinel', 'way', 'SN1', 'https'])
      expect(everything).not.toContain(word)
  })

  test('keeps the last twenty organizations', async () => {
    for (let number = 1; number <= 22; number++) {
      names.set(`org ${number}`, `Org ${number}`)
      await transportOf(answer(200, {}), `org ${number}`).attempt(request('https://api.example.com/'))
    }
    const [only] = await connections.list()
    expect([only?.organizations.length, only?.organizations.at(0), only?.organizations.at(-1)]).toEqual([
      20,
      'Org 3',
      'Org 22',
    ])
  })

  test.each(['', '{', '7', '[7,null]'])(
    'whose organizations were altered to %j is listed without them',
    async (altered) => {
      connections.outside('https://www.example.com/')
      await clock.advance(10_000)
      await workbook.write((transaction) =>
        transaction.run('UPDATE contacted_host SET organizations = ?', [altered]),
      )
      expect((await connections.list()).map(({ organizations }) => organizations)).toEqual([[]])
    },
  )
})

describe('whether a host was opened in the browser', () => {
  test.each([
    ['the same host, another page', 'https://www.example.com/b', true],
    ['the same host, another port', 'https://www.example.com:8443/', false],
    ['a host under it', 'https://evil.www.example.com/', false],
    ['a host to which only calls were made', 'https://api.example.com/', false],
    ['this computer at another port', 'http://127.0.0.1:5000/', true],
    ['no address', 'www.example.com', false],
  ])('%s: %s', async (_, url, was) => {
    connections.outside('https://www.example.com/a')
    connections.outside('http://127.0.0.1:4711/a')
    await transportOf(answer(200, {})).attempt(request('https://api.example.com/'))
    const before = await connections.wasOutside(url)
    await connections.close()
    connections = open()
    expect([before, await connections.wasOutside(url)]).toEqual([was, was])
  })
})

describe('an attempt', () => {
  test('is returned unchanged', async () => {
    const under = new FakeTransport(() => answer(200, { a: 1 }))
    const sent = request('https://api.example.com/x')
    expect(await connections.counted(under, 'metadata', 'n').attempt(sent)).toEqual(answer(200, { a: 1 }))
    expect(under.attempts).toEqual([sent])
  })

  test('that throws counts as failed and rethrows', async () => {
    await expect(
      transportOf(new TypeError('our own mistake')).attempt(request('https://api.example.com/')),
    ).rejects.toThrow('our own mistake')
    expect((await connections.list()).map(({ attempts, failed }) => [attempts, failed])).toEqual([[1, 1]])
  })

  test('is listed under the present name of its organization, and of a removed one without a name', async () => {
    await transportOf(answer(200, {})).attempt(request('https://api.example.com/'))
    await transportOf(answer(200, {}), 's').attempt(request('https://api.example.com/'))
    await clock.advance(10_000)
    names.set('n', 'Aurora')
    names.delete('s')
    expect((await connections.list()).map(({ organizations }) => organizations)).toEqual([['Aurora', null]])
  })
})

describe('the workbook', () => {
  test('is written ten seconds after the first attempt, not before', async () => {
    const transport = transportOf(answer(200, {}))
    await transport.attempt(request('https://api.example.com/'))
    await clock.advance(9_999)
    await transport.attempt(request('https://api.example.com/'))
    expect(await written()).toEqual([])
    await clock.advance(1)
    expect(await written()).toEqual(['api.example.com 2 0'])
    expect(clock.waiting).toBe(0)
  })

  test('is not written by reading the list, which includes unwritten counts', async () => {
    connections.outside('https://www.example.com/')
    await clock.advance(10_000)
    connections.outside('https://www.example.com/')
    connections.outside('https://www.example.org/')
    const listed = (await connections.list()).map(({ host, attempts }) => `${host} ${attempts}`)
    expect({ listed, written: await written() }).toEqual({
      listed: ['www.example.com 2', 'www.example.org 1'],
      written: ['www.example.com 1 0'],
    })
  })

  test('is read with the counts that are being written', async () => {
    const { promise: mayWrite, resolve: write } = Promise.withResolvers<void>()
    const slow = open({ ...workbook, write: (work) => mayWrite.then(() => workbook.write(work)) })
    slow.outside('https://www.example.com/')
    const closing = slow.close()
    await Promise.resolve()
    const listed = (await slow.list()).map(({ host, attempts }) => `${host} ${attempts}`)
    write()
    await closing
    expect(listed).toEqual(['www.example.com 1'])
  })

  test('is written when the program ends', async () => {
    connections.outside('https://www.example.com/')
    await connections.close()
    expect({ written: await written(), waiting: clock.waiting }).toEqual({
      written: ['www.example.com 1 0'],
      waiting: 0,
    })
  })

  test('that cannot be written blocks no call, and is logged', async () => {
    await workbook.close()
    expect(await transportOf(answer(200, 'x')).attempt(request('https://api.example.com/'))).toMatchObject({
      status: 200,
    })
    await clock.advance(10_000)
    await connections.close()
    expect(lines).toEqual(['Contacted hosts could not be saved'])
    workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  })
})

describe('what may be reached', () => {
  it('is what is known and what was contacted, by organization, each once', async () => {
    const known = [
      { host: 'api.example.com', port: 443, why: 'management', organizationId: 'n' },
      { host: 'api.example.com', port: 8443, why: 'metadata', organizationId: 's' },
    ] as const
    await transportOf(fault).attempt(request('https://api.example.com/devices'))
    await transportOf(fault, 's').attempt(request('https://api.example.com/devices'))
    await transportOf(fault, 'removed').attempt(request('https://old.example.com:444/devices'))
    await transportOf(fault).attempt(request('http://127.0.0.1:4000/devices'))
    connections.outside('https://portal.example.com/')
    expect(await connections.reachable(known)).toEqual([
      { host: '127.0.0.1', port: null, why: 'management', organizationId: 'n' },
      { host: 'api.example.com', port: 443, why: 'management', organizationId: 'n' },
      { host: 'api.example.com', port: 443, why: 'management', organizationId: 's' },
      { host: 'api.example.com', port: 8443, why: 'metadata', organizationId: 's' },
      { host: 'old.example.com', port: 444, why: 'management', organizationId: null },
      { host: 'portal.example.com', port: 443, why: 'outside', organizationId: null },
    ])
  })
})
