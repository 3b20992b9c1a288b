import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { certificate, certificateKey } from './self-signed.ts'

interface Arrival {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
  /** The index of its connection on the server. */
  readonly connection: number
}

export type Play = (arrival: Arrival, response: http.ServerResponse, socket: Socket) => void

/** A real server on loopback that records requests and responds as a test specifies. */
export async function openWireServer(play: Play, secure: boolean | https.ServerOptions = false) {
  const arrivals: Arrival[] = []
  const connections: Socket[] = []
  const listener: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const arrival: Arrival = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        connection: connections.indexOf(request.socket) + 1,
      }
      arrivals.push(arrival)
      play(arrival, response, request.socket)
    })
  }
  const server = secure
    ? https.createServer(secure === true ? { cert: certificate, key: certificateKey } : secure, listener)
    : http.createServer(listener)
  server.keepAliveTimeout = 0
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => connections.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    arrivals,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
