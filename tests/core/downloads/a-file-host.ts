import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The result of one request. */
interface Served {
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** A host of files whose responses a test specifies. */
export interface FileHost {
  readonly origin: string
  readonly served: Served[]
  /** Sets the content of the file, from now on. */
  bytes: Buffer
  etag: string | null
  /** The next response ends after this many bytes of the file; once. */
  cutAt: number | null
  /** The next responses, in order, in place of the file. */
  readonly instead: Serve[]
}

export async function aFileHost(bytes: Buffer): Promise<FileHost> {
  const server = createServer((request, response) => {
    host.served.push({ path: request.url ?? '', headers: request.headers })
    ;(host.instead.shift() ?? file)(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const file: Serve = (request, response) => {
    const from = rangeIn(request, host.etag)
    const { length } = host.bytes
    if (from > 0 && from >= length)
      return void response.writeHead(416, { 'content-range': `bytes */${length}` }).end()
    response.writeHead(from === 0 ? 200 : 206, {
      'content-type': 'application/octet-stream',
      'content-length': length - from,
      ...(host.etag === null ? {} : { etag: host.etag }),
      ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${length - 1}/${length}` }),
    })
    const { cutAt } = host
    host.cutAt = null
    if (cutAt === null) return void response.end(host.bytes.subarray(from))
    // Ends the connection only when the written data has arrived.
    response.write(host.bytes.subarray(from, Math.max(cutAt, from)), () => request.socket.end())
  }
  const host: FileHost = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served: [],
    bytes,
    etag: '"one"',
    cutAt: null,
    instead: [],
  }
  return host
}

const rangeIn = (request: IncomingMessage, etag: string | null): number => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  return request.headers['if-range'] === etag ? from : 0
}

export const hashOf = (algorithm: 'sha256' | 'md5', bytes: Buffer): string =>
  createHash(algorithm).update(bytes).digest('hex')

/** Bytes without repeated sequences that begin as an archive does. */
export function someBytes(length: number, seed = 7): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  bytes.write('PK\x03\x04')
  return bytes
}
