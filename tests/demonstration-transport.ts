import { Readable } from 'node:stream'
import { Faults } from '../electron/demo/faults.ts'
import { fileLink } from '../electron/demo/file-service.ts'
import { Fleet } from '../electron/demo/fleet.ts'
import { SubscriptionKeys } from '../electron/demo/keys.ts'
import { ArrivalCounts, SlidingWindows, specifiedLimits } from '../electron/demo/limits.ts'
import { Management } from '../electron/demo/management.ts'
import { Metadata } from '../electron/demo/metadata.ts'
import { service } from '../electron/demo/service.ts'
import { webhookSender } from '../electron/demo/webhook-sender.ts'
import type {
  FileTransport,
  Transport,
  WireResponse,
  WireFault,
  WireRequest,
} from '../electron/core/platform.ts'

export const managementUrl = 'https://api.cloud.jabra.com'
export const metadataUrl = 'https://cdn.cloud.jabra.com'

export interface DemonstrationTransport extends Transport {
  readonly faults: Faults
  /** The keys that are accepted. */
  readonly keys: SubscriptionKeys
  /** Every attempt, oldest first. */
  readonly attempts: WireRequest[]
  /** The same service, for pictures. */
  readonly files: FileTransport
  /** Makes everything unreachable from now on. */
  offline: boolean
  /**
   * Makes attempts whose address contains `part` get this response; the latest script applies. null: the
   * attempt is passed to the service.
   */
  script(
    part: string,
    answer: (request: WireRequest) => WireResponse | WireFault | null | Promise<WireResponse | WireFault>,
  ): void
  /** Like `script`, but the service responds and its JSON is changed, also instead of a 304. */
  alter(part: string, change: (body: never) => unknown): void
}

/** The demonstration service as a transport: its handler is called on this thread, without a socket, at the two observed addresses. */
export function demonstrationTransport(options: {
  readonly devices: number
  readonly rooms: number
  readonly keys: readonly [string, string | null]
  readonly now: () => number
}): DemonstrationTransport {
  const { devices, rooms, now } = options
  const origin = 'http://127.0.0.1'
  const seed = 1
  const faults = new Faults(seed, [])
  const keys = new SubscriptionKeys(...options.keys)
  const counts = new ArrivalCounts(specifiedLimits)
  const app = service({
    management: new Management(new Fleet({ devices, rooms, seed }), seed, faults, (subject) =>
      counts.written(subject),
    ),
    metadata: new Metadata(
      (fileName, version) => fileLink(origin, fileName, version),
      () => metadataUrl,
    ),
    windows: new SlidingWindows(specifiedLimits),
    counts,
    faults,
    keys,
    latencyMs: 0,
    slowMs: 0,
    webhooks: webhookSender(() => origin, now),
    now,
    advance: () => undefined,
    refuseConnections: () => undefined,
  })
  const scripts: Parameters<DemonstrationTransport['script']>[] = []
  const changes: Parameters<DemonstrationTransport['alter']>[] = []

  const transport: DemonstrationTransport = {
    faults,
    keys,
    attempts: [],
    offline: false,
    files: {
      isProxied: async () => true,
      get: async ({ url, headers }) => {
        if (transport.offline || !url.startsWith(`${metadataUrl}/`))
          return { kind: 'fault', sent: 'no', reason: 'offline', message: 'ENOTFOUND' }
        const response = await app.fetch(
          new Request(url.replace(metadataUrl, origin), { headers, redirect: 'manual' }),
        )
        const bytes = new Uint8Array(await response.arrayBuffer())
        return {
          kind: 'answer',
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: Readable.from([bytes]),
          close: () => undefined,
        }
      },
    },
    script: (...one) => void scripts.unshift(one),
    alter: (...one) => void changes.push(one),
    attempt: async (request) => {
      transport.attempts.push(request)
      for (const [part, answer] of scripts) {
        const scripted = request.url.includes(part) ? answer(request) : null
        if (scripted !== null) return scripted
      }
      if (transport.offline) return { kind: 'fault', sent: 'no', reason: 'offline', message: 'ENOTFOUND' }
      const { method, headers, body } = request
      const altered = changes.filter(([part]) => request.url.includes(part))
      const url = request.url
        .replace(managementUrl, `${origin}/management`)
        .replace(metadataUrl, `${origin}/metadata`)
      const response = await app.fetch(
        new Request(url, { method, headers: altered.length > 0 ? unconditional(headers) : headers, body }),
      )
      return {
        kind: 'answer',
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: altered.reduce(
          (text, [, change]) => (text === '' ? text : JSON.stringify(change(JSON.parse(text) as never))),
          await response.text(),
        ),
      }
    },
  }
  return transport
}

const unconditional = (headers: WireRequest['headers']): WireRequest['headers'] =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^if-(?:none-match|modified-since)$/i.test(name)),
  )
