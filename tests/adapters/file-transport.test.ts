import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openFileTransport } from '../../electron/adapters/file-transport.ts'
import { proxiesOf } from '../../electron/adapters/proxies.ts'
import { FileBroken, type FileResponse } from '../../electron/core/platform.ts'

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const request = (url: string, signal = new AbortController().signal) => ({
  url,
  headers: {},
  silentAtMostInMs: 30_000,
  signal,
})

test('connects to the given address and keeps the name in the Host header', async () => {
  const hosts: unknown[] = []
  const port = await listening(
    createServer((requested, answer) => {
      hosts.push(requested.headers.host)
      answer.end('bytes')
    }),
  )
  const transport = openFileTransport()
  const answer = (await transport.get(request(`http://files.invalid:${port}/a`), '127.0.0.1')) as FileResponse
  const read: string[] = []
  for await (const piece of answer.body) read.push(Buffer.from(piece).toString())
  expect([answer.status, read.join(''), hosts]).toEqual([200, 'bytes', [`files.invalid:${port}`]])
})

test('sends the name to the proxy when there is one', async () => {
  const requested: unknown[] = []
  const port = await listening(
    createServer((from, answer) => {
      requested.push(from.url)
      answer.end('bytes')
    }),
  )
  const proxies = proxiesOf({ environment: { HTTP_PROXY: `http://127.0.0.1:${port}` } })
  const transport = openFileTransport({ proxies })
  const url = 'http://files.invalid/a?b'
  expect(await transport.isProxied(url)).toBe(true)
  const answer = (await transport.get(request(url), null)) as FileResponse
  answer.close()
  expect([answer.status, requested]).toEqual([200, [url]])
})

test('follows no redirect', async () => {
  const port = await listening(
    createServer((_, answer) => void answer.writeHead(302, { location: 'https://10.0.0.1/' }).end()),
  )
  const transport = openFileTransport()
  const answer = (await transport.get(request(`http://127.0.0.1:${port}/`), '127.0.0.1')) as FileResponse
  answer.close()
  expect([answer.status, answer.headers['location']]).toEqual([302, 'https://10.0.0.1/'])
})

const bodies: readonly [string, Record<string, string>][] = [
  ['with a stated length', { 'content-length': '100' }],
  ['in chunks', { 'transfer-encoding': 'chunked' }],
]
test.each(bodies)('reports a body %s that ends too soon as broken', async (_, headers) => {
  const port = await listening(
    createServer((requested, answer) => {
      answer.writeHead(200, headers)
      answer.write('half', () => requested.socket.end())
    }),
  )
  const transport = openFileTransport()
  const answer = (await transport.get(request(`http://127.0.0.1:${port}/`), '127.0.0.1')) as FileResponse
  const read = async (): Promise<void> => {
    for await (const piece of answer.body) void piece
  }
  await expect(read()).rejects.toThrow(FileBroken)
})

test('stops on a signal before the response and in the middle of the body', async () => {
  const sockets: Socket[] = []
  const port = await listening(
    createServer((requested, answer) => {
      sockets.push(requested.socket)
      if (requested.url === '/silent') return
      answer.writeHead(200, { 'content-length': '100' })
      answer.write('half')
    }),
  )
  const transport = openFileTransport()
  const silent = new AbortController()
  const before = transport.get(request(`http://127.0.0.1:${port}/silent`, silent.signal), '127.0.0.1')
  silent.abort()
  expect(await before).toMatchObject({ kind: 'fault', reason: 'aborted' })

  const middle = new AbortController()
  const answer = (await transport.get(
    request(`http://127.0.0.1:${port}/`, middle.signal),
    '127.0.0.1',
  )) as FileResponse
  const read = async (): Promise<void> => {
    for await (const piece of answer.body) {
      void piece
      middle.abort()
    }
  }
  await expect(read()).rejects.toMatchObject({ fault: { reason: 'aborted' } })
})

test('delivers the bytes that arrived before a dropped connection, even if nothing had read them yet', async () => {
  const closed = Promise.withResolvers<void>()
  const port = await listening(
    createServer(({ socket }, answer) => {
      socket.on('close', () => closed.resolve())
      answer.writeHead(200, { 'content-length': '2000' })
      answer.write(Buffer.alloc(1_000), () => socket.end())
    }),
  )
  const answer = (await openFileTransport().get(
    request(`http://127.0.0.1:${port}/a`),
    '127.0.0.1',
  )) as FileResponse
  await closed.promise
  let bytes = 0
  const read = async (): Promise<void> => {
    for await (const piece of answer.body) bytes += piece.length
  }
  await expect(read()).rejects.toThrow(FileBroken)
  expect(bytes).toBe(1_000)
})
