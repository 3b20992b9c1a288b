import * as http from 'node:http'
import { createRequire } from 'node:module'
import * as net from 'node:net'
import type { AddressInfo } from 'node:net'
import type { ClientRequest, ClientRequestConstructorOptions, Session } from 'electron'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import { belowPublished, openCallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import type { Transport } from '../../../electron/core/platform.ts'
import { openManagementClient } from '../../../electron/core/service-client/service-client.ts'
import { openChromiumTransport } from '../../../electron/main/chromium-transport.ts'
import { FakeClock } from '../../fake-clock.ts'
import { aRead, aWrite, TwoKeys } from '../service-client/a-request.ts'
import { peak } from './peak.ts'

const { createNet } = createRequire(import.meta.url)('../../electron-stand-in/net.cjs') as {
  createNet(sessionFor: (partition: string) => Session): {
    request(options: ClientRequestConstructorOptions): ClientRequest
  }
}

/** Scaled limits: more per second than the connections of either transport can carry. */
const published = { perSecond: 100, perWindow: 1_000, windowInMs: 30_000 }

const listening = async (server: net.Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/**
 * A real server that records the time at which each call arrives. `silent`: it accepts calls and does not respond; `deaf`: sent calls are
 * buffered before it and arrive all at once afterwards.
 */
async function aService(clock: FakeClock) {
  const arrivals: number[] = []
  let state: 'quick' | 'silent' | 'deaf' = 'quick'
  const unanswered: http.ServerResponse[] = []
  const undelivered: (() => void)[] = []
  const answer = (response: http.ServerResponse): void =>
    void response.setHeader('content-type', 'application/json').end('{"items":[]}')
  const server = http.createServer((request, response) => {
    request.resume()
    arrivals.push(clock.monotonic())
    if (state === 'quick') answer(response)
    else unanswered.push(response)
  })
  const port = await listening(server)
  const sockets: net.Socket[] = []
  const front = net.createServer((socket) => {
    const behind = net.connect(port, '127.0.0.1')
    sockets.push(socket, behind)
    for (const one of [socket, behind]) one.on('error', () => undefined)
    socket.on('data', (bytes) => {
      if (state === 'deaf') undelivered.push(() => behind.write(bytes))
      else behind.write(bytes)
    })
    behind.on('data', (bytes) => socket.write(bytes))
    socket.on('close', () => behind.destroy())
    behind.on('close', () => socket.destroy())
  })
  const url = `http://127.0.0.1:${await listening(front)}`
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    front.close()
  })
  return {
    url,
    arrivals,
    is: () => state,
    becomes: (next: typeof state) => {
      state = next
      if (next !== 'deaf') for (const deliver of undelivered.splice(0)) deliver()
      if (next === 'quick') for (const response of unanswered.splice(0)) answer(response)
    },
  }
}

function overNode(): Transport {
  const transport = openHttpTransport()
  onTestFinished(() => transport.close())
  return transport
}

function overChromium(): Transport {
  const sessions = new Map<string, Session>()
  const sessionFor = (name: string): Session => {
    const known =
      sessions.get(name) ??
      ({
        proxies: {},
        closeAllConnections: async () => undefined,
        setProxy: async () => undefined,
      } as unknown as Session)
    sessions.set(name, known)
    return known
  }
  onTestFinished(async () => {
    for (const session of sessions.values()) await session.closeAllConnections()
  })
  return openChromiumTransport({ request: createNet(sessionFor).request, sessionFor })
}

const turnsAtMost = 5_000
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Simulates a stall of five seconds while calls wait all the time; returns when calls arrived. Only the
 * network takes real time.
 */
async function play(transport: Transport, how: 'silent' | 'deaf', calls: number) {
  const clock = new FakeClock()
  const service = await aService(clock)
  const connections = transport.connections ?? { reads: 0, writes: 0 }
  let dispatched = 0
  let ended = 0
  const counted: Transport = {
    attempt: async (request) => {
      dispatched++
      const outcome = await transport.attempt(request)
      ended++
      return outcome
    },
  }
  const budget = await openCallBudget({
    clock,
    random: () => 0,
    history: null,
    limits: belowPublished(published),
    parallel: connections,
  })
  const client = openManagementClient({
    transport: counted,
    budget,
    clock,
    random: () => 0,
    apiVersion: 2,
    keys: new TwoKeys(),
    baseUrl: service.url,
  })
  // Every call with a connection arrives, and if the service responds, its response comes back.
  const settled = (): boolean => {
    if (service.is() === 'deaf') return true
    const mayArrive = Math.min(dispatched, ended + connections.reads + connections.writes)
    return (
      service.arrivals.length >= mayArrive && (service.is() === 'silent' || ended === service.arrivals.length)
    )
  }
  const pass = async (inMs: number): Promise<void> => {
    for (let passed = 0; passed < inMs; passed += 10) {
      await clock.advance(10)
      await turn()
      // Bounded, so that a budget that permits more calls than there are connections fails the comparison of
      // arrivals instead of hanging.
      for (let turns = 0; turns < turnsAtMost && !settled(); turns++) await turn()
    }
  }
  const all = Promise.all(
    Array.from({ length: calls }, (_, index) => client.send(index % 20 === 0 ? aWrite() : aRead())),
  )
  await pass(500)
  service.becomes(how)
  await pass(5_000)
  service.becomes('quick')
  await pass(30_000)
  await all
  await budget.close()
  return service.arrivals
}

describe('a service that stalls for five seconds and then recovers', () => {
  it.each([
    ['silent', 'over Node', overNode],
    ['deaf', 'over Node', overNode],
    ['silent', "over Electron's net.request (on the stand-in)", overChromium],
    ['deaf', "over Electron's net.request (on the stand-in)", overChromium],
  ] as const)(
    'receives no more calls than it allows in any window, counted on arrival (%s, %s)',
    async (how, _, open) => {
      const arrivals = await play(open(), how, 900)
      expect({
        all: arrivals.length,
        second: peak(arrivals, 1_000) <= published.perSecond,
        window: peak(arrivals, published.windowInMs) <= published.perWindow,
      }).toEqual({ all: 900, second: true, window: true })
    },
  )
})
