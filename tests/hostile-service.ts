import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as wholeText } from 'node:stream/consumers'

/** The address of a service, in the form of the demonstration. */
interface ServiceAddress {
  readonly managementUrl: string
  readonly metadataUrl: string
  readonly key: string
}

export interface HostileService extends ServiceAddress {
  /** Changes every name from now on. */
  readonly rename: () => void
  readonly stop: () => Promise<void>
}

/**
 * A proxy between a program and a service that adds a unique ending to every name, value and description in
 * every response, in member names and headers too. Addresses of the service in responses are replaced by its
 * own; files pass unchanged. `ending` is called with a running number. Ids, tokens, addresses and times
 * remain unchanged.
 */
export async function standBetween(
  service: ServiceAddress,
  ending: (number: number) => string,
): Promise<HostileService> {
  let times = 0
  let number = 0
  const hostile = (text: string): string =>
    `${text}${times === 0 ? '' : ` ${times}`} ${ending((number += 1))}`
  const server = createServer((request, response) => {
    pass(request, response, service, hostile).catch(() => response.destroy())
  })
  const origin = await listening(server)
  return {
    managementUrl: service.managementUrl.replace(/^https?:\/\/[^/]+/, origin),
    metadataUrl: service.metadataUrl.replace(/^https?:\/\/[^/]+/, origin),
    key: service.key,
    rename: () => void (times += 1),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  service: ServiceAddress,
  hostile: (text: string) => string,
): Promise<void> {
  const sent = await wholeText(request)
  const { host, connection: _connection, 'content-length': _length, ...headers } = request.headers
  const answer = await fetch(new URL(request.url ?? '/', service.managementUrl), {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    redirect: 'manual',
    ...(sent === '' ? {} : { body: sent }),
  })
  const body = Buffer.from(await answer.arrayBuffer())
  const isJson = answer.headers.get('content-type')?.includes('json') === true && body.length > 0
  const given = Object.fromEntries(
    [...answer.headers].filter(
      ([name]) =>
        !/^(content-length|content-encoding|transfer-encoding|connection|keep-alive|date)$/.test(name),
    ),
  )
  response.writeHead(answer.status, { ...given, 'x-said': headerText(hostile('said')) })
  const here = `http://${host ?? ''}`
  const led = (): string => body.toString().replaceAll(new URL(service.managementUrl).origin, here)
  response.end(isJson ? JSON.stringify(altered(JSON.parse(led()), '', hostile)) : body)
}

/** The characters of a text that a header can contain. */
const headerText = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '')

/** Members that refer to other responses. */
const leadsOn =
  /^(?:id|.*[a-z]Ids?|.*Token|variantType|sdk|key|client|.*[cC]lientType|platformOs|buildType|md5Checksum|openapi|\$ref|in|path)$/
/** Members whose values control the program: changed in one of four records with an id. */
const worksBy =
  /^(?:type|typeName|settingAccess|deviceEventType|aggregationMethod|stage|version|.*Version|deviceConnectionStatus|status)$/
/** Addresses, times, and ids of other forms. */
const isNoWord = (text: string): boolean =>
  /^https?:\/\/|^\d{4}-\d\d-\d\dT|^[\da-f]{8}-[\da-f]{4}-/.test(text)

function altered(value: unknown, member: string, hostile: (text: string) => string, words = false): unknown {
  if (typeof value === 'string')
    return leadsOn.test(member) || (worksBy.test(member) && !words) || isNoWord(value)
      ? value
      : hostile(value)
  if (Array.isArray(value)) return value.map((one) => altered(one, member, hostile))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  const { id } = value as { readonly id?: unknown }
  const odd = typeof id === 'string' && /[0-3]$/.test(id)
  const changed = members.map(([name, one]) => [name, altered(one, name, hostile, odd)] as const)
  // A list by name, such as settings or property definitions, gets one more entry; any other record an unknown member.
  const [first] = changed
  const more =
    first !== undefined && changed.every(([, one]) => typeof one === typeof first[1])
      ? first[1]
      : hostile('unknown')
  return Object.fromEntries([...changed, [hostile('unknown'), more]])
}

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  )
