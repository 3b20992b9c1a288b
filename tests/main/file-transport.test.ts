import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import type { ClientRequest, ClientRequestConstructorOptions, Session } from 'electron'
import { describe, expect, test } from 'vitest'
import type { FileResponse, FileTransport, WireFault } from '../../electron/core/platform.ts'
import { openAppFileTransport } from '../../electron/main/file-transport.ts'

const direct: FileTransport = {
  isProxied: async () => false,
  get: async (_, address) => fault(`connected directly to ${address ?? 'nothing'}`),
}
const fault = (message: string): WireFault => ({ kind: 'fault', sent: 'no', reason: 'offline', message })
const asked = (url: string, signal = new AbortController().signal) => ({
  url,
  headers: { accept: '*/*', 'user-agent': 'Headroom' },
  silentAtMostInMs: 60_000,
  signal,
})

/** What Chromium would do: its proxy decision, and one request controlled by a test. */
function aChromium(decision: string) {
  const options: ClientRequestConstructorOptions[] = []
  const headers: Record<string, string> = {}
  const wire = Object.assign(new EventEmitter(), {
    setHeader: (name: string, value: string) => (headers[name] = value),
    end: () => undefined,
    abort: () => undefined,
  })
  const session = { resolveProxy: async () => decision } as unknown as Session
  const transport = openAppFileTransport({
    request: (given) => {
      options.push(given)
      return wire as unknown as ClientRequest
    },
    session: () => session,
    direct,
  })
  return { transport, wire, options, headers, session }
}

describe('file downloads of the app', () => {
  test.each([
    ['DIRECT', 'https://files.example.com/a.zip', false],
    ['PROXY proxy:8080; DIRECT', 'https://files.example.com/a.zip', true],
    ['DIRECT; PROXY proxy:8080', 'https://files.example.com/a.zip', false],
    ['PROXY proxy:8080', 'http://127.0.0.1:4000/a.zip', false],
  ])('%s for %s is a proxy: %s', async (decision, url, isProxied) => {
    expect(await aChromium(decision).transport.isProxied(url)).toBe(isProxied)
  })

  test('connect the checked address without a proxy, not Chromium', async () => {
    const { transport, options } = aChromium('DIRECT')
    expect([await transport.get(asked('https://files.example.com/a.zip'), '93.184.215.14'), options]).toEqual(
      [fault('connected directly to 93.184.215.14'), []],
    )
  })

  test('use Chromium through a proxy, without cookies, credentials and cache, and follow no redirect', async () => {
    const { transport, wire, options, headers, session } = aChromium('PROXY proxy:8080')
    const answer = transport.get(asked('https://files.example.com/a.zip'), null)
    const body = Object.assign(Readable.from([Buffer.from('bytes')]), {
      statusCode: 200,
      headers: { etag: '"one"' },
      rawHeaders: [],
    })
    wire.emit('response', body)
    const { status, headers: received, body: pieces } = (await answer) as FileResponse
    const read: string[] = []
    for await (const piece of pieces) read.push(Buffer.from(piece).toString())
    expect({ status, received, read, options, headers }).toEqual({
      status: 200,
      received: { etag: '"one"' },
      read: ['bytes'],
      options: [
        {
          method: 'GET',
          url: 'https://files.example.com/a.zip',
          session,
          redirect: 'manual',
          credentials: 'omit',
          useSessionCookies: false,
          cache: 'no-store',
        },
      ],
      headers: { accept: '*/*', 'user-agent': 'Headroom' },
    })
  })

  test('return a redirect: its target is checked before any request', async () => {
    const { transport, wire } = aChromium('PROXY proxy:8080')
    const answer = transport.get(asked('https://files.example.com/a.zip'), null)
    wire.emit('redirect', 302, 'GET', 'https://10.0.0.1/')
    expect(await answer).toMatchObject({ status: 302, headers: { location: 'https://10.0.0.1/' } })
  })

  test.each<[string, (wire: EventEmitter, stop: AbortController) => void, WireFault['reason']]>([
    ['stopped', (_, stop) => stop.abort(), 'aborted'],
    [
      'without a network',
      (wire) => wire.emit('error', new Error('net::ERR_INTERNET_DISCONNECTED')),
      'offline',
    ],
  ])('that are %s end as such', async (_, happens, reason) => {
    const { transport, wire } = aChromium('PROXY proxy:8080')
    const stop = new AbortController()
    const answer = transport.get(asked('https://files.example.com/a.zip', stop.signal), null)
    happens(wire, stop)
    expect(await answer).toMatchObject({ kind: 'fault', reason })
  })
})
