import { getRequestListener } from '@hono/node-server'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault } from './faults.ts'
import { Faults } from './faults.ts'
import { fileLink } from './file-service.ts'
import { Fleet } from './fleet.ts'
import { SubscriptionKeys } from './keys.ts'
import type { Counts, Limits } from './limits.ts'
import { ArrivalCounts, SlidingWindows, specifiedLimits } from './limits.ts'
import { Management } from './management.ts'
import { Metadata } from './metadata.ts'
import { service } from './service.ts'
import { webhookSender } from './webhook-sender.ts'

export interface DemonstrationOptions {
  /** Default 1,200. */
  readonly devices?: number
  /** Default six for each hundred devices, at least one. */
  readonly rooms?: number
  /** Default 0: any free port. */
  readonly port?: number
  /** Milliseconds added to every response; default 0. */
  readonly latencyMs?: number
  /** Default: the specified limits, 100 a second and 10,000 in five minutes. */
  readonly limits?: Limits
  /** The same seed gives the same fleet; default 1. */
  readonly seed?: number
  readonly faults?: readonly Fault[]
  /** Default: a fresh random one. */
  readonly key?: string
  readonly secondaryKey?: string
  /** Epoch milliseconds; default the wall clock. */
  readonly now?: () => number
  /** Milliseconds that the fault `slow` adds; default 3,000. */
  readonly slowMs?: number
}

export interface Demonstration {
  /** Base addresses without a trailing slash. */
  readonly managementUrl: string
  readonly metadataUrl: string
  readonly key: string
  readonly devices: number
  readonly rooms: number
  readonly faults: Faults
  readonly counts: () => Counts
  /** Moves its clock forward. */
  readonly advance: (ms: number) => void
  /**
   * Stops listening: connections are refused until the returned function has been called. No fault can do
   * this, because a fault needs a connection.
   */
  readonly refuseConnections: () => Promise<() => Promise<void>>
  readonly stop: () => Promise<void>
}

const defaultDevices = 1200
const defaultRooms = (devices: number): number => Math.max(1, Math.round(devices * 0.06))

/** Serves the demonstration organization on loopback. Rejects when the port cannot be taken. */
export const startDemonstration = async (options: DemonstrationOptions = {}): Promise<Demonstration> => {
  const devices = options.devices ?? defaultDevices
  const rooms = options.rooms ?? defaultRooms(devices)
  const seed = options.seed ?? 1
  const limits = options.limits ?? specifiedLimits
  const clock = options.now ?? Date.now
  let ahead = 0
  let origin = ''
  const faults = new Faults(seed, options.faults ?? [])
  const counts = new ArrivalCounts(limits)
  const keys = new SubscriptionKeys(options.key ?? null, options.secondaryKey ?? null)
  const key = keys.primary
  const advance = (ms: number): void => void (ahead += ms)
  let port = options.port ?? 0
  const server = createServer()
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  const leave = (): void => void server.close()
  let back: NodeJS.Timeout | undefined
  const app = service({
    management: new Management(new Fleet({ devices, rooms, seed }), seed, faults, (subject) =>
      counts.written(subject),
    ),
    metadata: new Metadata(
      (fileName, version) => fileLink(origin, fileName, version),
      () => origin,
    ),
    windows: new SlidingWindows(limits),
    counts,
    faults,
    keys,
    latencyMs: options.latencyMs ?? 0,
    slowMs: options.slowMs ?? 3000,
    webhooks: webhookSender(
      () => origin,
      () => clock() + ahead,
    ),
    now: () => clock() + ahead,
    advance,
    refuseConnections: (forMs) => {
      leave()
      clearTimeout(back)
      back = setTimeout(() => void listen().catch(() => undefined), forMs)
    },
  })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  server.on('request', (request, response) => void listener(request, response))
  // Nothing was read yet, so the operation is not known: a fault may apply to every new connection.
  server.on('connection', (socket) => {
    if (!faults.strikes('cut-after-connect', 'connection')) return
    counts.answered('connection', 'dropped')
    socket.destroy()
  })
  // Longer than any client keeps a connection: otherwise a client would sometimes send into one that is being
  // closed.
  server.keepAliveTimeout = 65_000
  await listen()
  port = (server.address() as AddressInfo).port
  origin = `http://127.0.0.1:${port}`
  return {
    managementUrl: `${origin}/management`,
    metadataUrl: `${origin}/metadata`,
    key,
    devices,
    rooms,
    faults,
    counts: () => counts.read(),
    advance,
    refuseConnections: async () => {
      leave()
      server.closeAllConnections()
      return listen
    },
    stop: () =>
      new Promise((resolve) => {
        clearTimeout(back)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
