import { execFile } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { openPinnedTransport } from '../../electron/adapters/pinned-transport.ts'
import { proxiesOf } from '../../electron/adapters/proxies.ts'
import { openWireServer } from './wire-server.ts'

const plain = {
  method: 'GET',
  headers: {},
  body: null,
  timeoutInMs: 5_000,
  maxBytes: 1_000,
  freshConnection: true,
  signal: null,
} as const
const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) await close()
})

test('uses no proxy for this computer', async () => {
  let requested = 0
  const proxy = createServer((socket) => {
    requested++
    socket.destroy()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  closing.push(() => proxy.close())
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const pinned = openPinnedTransport({
    proxies: proxiesOf({ environment: { HTTP_PROXY: address, HTTPS_PROXY: address, ALL_PROXY: address } }),
  })
  const { url, close } = await openWireServer((_, response) => response.end('asked directly'))
  closing.push(close)
  const { port } = new URL(url)
  for (const here of ['127.0.0.1', '127.8.9.10', '::1'])
    for (const scheme of ['http', 'https'])
      await pinned.attempt({ ...plain, url: `${scheme}://rooms.example.com:${port}/` }, here)
  expect(requested).toBe(0)
})

test('checks certificates although NODE_TLS_REJECT_UNAUTHORIZED disables it', async () => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const { url, arrivals, close } = await openWireServer((_, response) => response.end('ok'), true)
  closing.push(close)
  const outcome = await openPinnedTransport().attempt({ ...plain, url }, '127.0.0.1')
  expect([outcome, arrivals]).toEqual([
    { kind: 'fault', sent: 'no', reason: 'tls', message: expect.stringContaining('cannot be trusted') },
    [],
  ])
})

test('parses malformed responses strictly in both transports, even if Node was started leniently', async () => {
  // Both a length and chunks: a proxy could see another end of the response than we do.
  const answer =
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'
  const server = createServer((socket) =>
    socket.once('data', () => socket.end(answer)).on('error', () => undefined),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const child = fileURLToPath(new URL('lenient-child.ts', import.meta.url))
  const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
    execFile(process.execPath, ['--insecure-http-parser', child, url], (_error, output) =>
      resolve({ stdout: output }),
    )
  })
  expect(JSON.parse(stdout)).toMatchObject([
    { kind: 'fault', reason: 'broken' },
    { kind: 'fault', reason: 'broken' },
  ])
})
