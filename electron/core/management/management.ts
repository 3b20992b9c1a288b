import { Failed } from '../../contract/failure.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { ServiceAnswer, ServiceClient, ServiceRequest } from '../service-client/service-client.ts'
import { arrayOf, objectOf } from './members.ts'

export { readDevice, type DeviceRecord, type Reading } from './device-json.ts'
export { readRoom, type RoomDeviceRecord, type RoomRecord } from './room-json.ts'

/** One page as received: records not yet read. */
export interface Page {
  readonly items: readonly Json[]
  /** null: the last page. */
  readonly nextToken: string | null
  readonly receivedAt: number
  readonly calls: number
}

export type DeviceStream = 'MeetingRoom' | 'Personal' | 'all'

/** Interface B. Rejects with Failed. */
export interface Management {
  devicePage(request: { stream: DeviceStream; token: string | null; pageSize: number; lane: Lane; signal: AbortSignal | null }): Promise<Page>
  roomPage(request: { token: string | null; pageSize: number; lane: Lane; signal: AbortSignal | null }): Promise<Page>
  /** A room by the group id of any one of its devices. `calls` counts attempts. */
  room(request: { groupId: string; lane: Lane; signal: AbortSignal | null }): Promise<{ raw: Json; receivedAt: number; calls: number }>
}

export interface ManagementOptions {
  /** The `api-version` of the organization: 1 lists devices by GET with query parameters (specification, part 9). */
  readonly managementVersion: number
  /** Named as the place in a failure. */
  readonly host?: string
}

export function openManagement(client: ServiceClient, { managementVersion, host = 'management interface' }: ManagementOptions): Management {
  const page = async (request: ServiceRequest, token: string | null): Promise<Page> => readPage(await client.send(request), request.operation, host, token)

  return {
    devicePage({ stream, token, pageSize, lane, signal }) {
      const request =
        managementVersion === 1
          ? { operation: 'ListDevicesV1', method: 'GET' as const, path: `/devices/api/devices?${deviceQuery(stream, token, pageSize)}`, body: null }
          : { operation: 'ListDevices', method: 'POST' as const, path: '/devices/api/devices', body: deviceBody(stream, token, pageSize) }
      return page({ ...request, lane, signal, writes: false }, token)
    },

    roomPage({ token, pageSize, lane, signal }) {
      const body: JsonObject = { sortDescending: false, pageSize, ...(token === null ? {} : { continuationToken: token }) }
      return page({ operation: 'ListMeetingRooms', method: 'POST', path: '/meetingrooms/api/meetingrooms', body, lane, signal, writes: false }, token)
    },

    async room({ groupId, lane, signal }) {
      // An address cannot hold these as a segment: it would name another operation.
      if (groupId === '.' || groupId === '..') throw new Failed({ kind: 'not-found', call: { operation: 'GetRoom', host }, what: groupId })
      const path = `/meetingrooms/api/meetingrooms/${encodeURIComponent(groupId)}`
      const answer = await client.send({ operation: 'GetRoom', method: 'GET', path, body: null, lane, signal, writes: false })
      return { raw: answer.json, receivedAt: answer.receivedAt, calls: answer.attempts }
    },
  }
}

function deviceBody(stream: DeviceStream, token: string | null, pageSize: number): JsonObject {
  return { ...(stream === 'all' ? {} : { deviceClientType: stream }), pageSize, ...(token === null ? {} : { continuationToken: token }) }
}

/** An empty client type means all devices (observed 4.2). Nothing says that tokens are safe in an address: encoded. */
function deviceQuery(stream: DeviceStream, token: string | null, pageSize: number): string {
  const parts = [`DeviceClientType=${stream === 'all' ? '' : stream}`, `PageSize=${pageSize}`]
  if (token !== null) parts.push(`ContinuationToken=${encodeURIComponent(token)}`)
  return parts.join('&')
}

/** The envelope is observed (4.2): `items`, and a token that is null, missing or empty on the last page. */
function readPage(answer: ServiceAnswer, operation: string, host: string, asked: string | null): Page {
  const unreadable = (where: string, message: string): Failed => new Failed({ kind: 'unreadable-answer', call: { operation, host }, where, message })
  const envelope = objectOf(answer.json)
  if (!envelope) throw unreadable('the whole answer', 'An object with the member items was expected.')
  const items = arrayOf(envelope['items'])
  if (!items) throw unreadable('items', envelope['items'] === undefined ? 'The list of records is missing.' : 'The list of records is not a list.')
  const token = envelope['continuationToken'] ?? null
  if (token !== null && typeof token !== 'string') throw unreadable('continuationToken', 'The continuation token is not text.')
  if (token !== null && token !== '' && token === asked) throw repeatedToken(operation, host)
  return { items, nextToken: token === '' ? null : token, receivedAt: answer.receivedAt, calls: answer.attempts }
}

function repeatedToken(operation: string, host: string): Failed {
  return new Failed({
    kind: 'unreadable-answer',
    call: { operation, host },
    where: 'continuationToken',
    message: 'The service sent the same continuation token twice: the list would never end.',
  })
}

/** The tokens one stream has been given: a token seen before would go round for ever, so it ends the stream with a Failed. */
export class TokenTrail {
  readonly #seen = new Set<string>()
  readonly #operation: string
  readonly #host: string

  constructor(operation: string, host: string) {
    this.#operation = operation
    this.#host = host
  }

  follow(token: string | null): void {
    if (token === null) return
    if (this.#seen.has(token)) throw repeatedToken(this.#operation, this.#host)
    this.#seen.add(token)
  }
}
