import { expect, test } from 'vitest'
import type { FileTransport, WireFault, WireRequest } from '../../electron/core/platform.ts'
import { alsoTrustingTheSystem, filesAlsoTrustingTheSystem } from '../../electron/main/system-authorities.ts'
import { answer, FakeTransport } from '../fake-transport.ts'

const fault = (reason: WireFault['reason'], sent: WireFault['sent'], message: string): WireFault => ({
  kind: 'fault',
  sent,
  reason,
  message,
})
const untrusted = fault('tls', 'no', 'CERT_AUTHORITY_INVALID')
const stillUntrusted = fault('tls', 'no', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY')
const request: WireRequest = {
  method: 'POST',
  url: 'https://rooms.example.com/a',
  headers: {},
  body: '{}',
  timeoutInMs: 1,
  maxBytes: 1,
  freshConnection: true,
  signal: null,
}

test('a service that only the system trusts is reached by Node, from then on at once', async () => {
  const chromium = new FakeTransport(() => untrusted)
  const node = new FakeTransport((_, index) => answer(200, index))
  const both = alsoTrustingTheSystem(chromium, node)
  const answers = [await both.attempt(request), await both.attempt(request)]
  expect([answers, chromium.attempts.length]).toEqual([[answer(200, 0), answer(200, 1)], 1])
})

test('a service that nobody trusts is not reached, and Chromium says why', async () => {
  const node = new FakeTransport(() => stillUntrusted)
  const both = alsoTrustingTheSystem(new FakeTransport(() => untrusted), node)
  expect([await both.attempt(request), await both.attempt(request)]).toEqual([untrusted, untrusted])
})

test.each([
  fault('tls', 'maybe', 'SSL_PROTOCOL_ERROR'),
  fault('broken', 'maybe', 'closed'),
  fault('offline', 'no', 'refused'),
])('Node does not repeat what may have been sent, or has another reason: %j', async (outcome) => {
  const node = new FakeTransport(() => answer(200, ''))
  const both = alsoTrustingTheSystem(new FakeTransport(() => outcome), node)
  expect([await both.attempt(request), node.attempts]).toEqual([outcome, []])
})

test('a file through a proxy is fetched by Node when only the system trusts its host', async () => {
  const got: unknown[] = []
  const files = (name: string, outcome: WireFault): FileTransport => ({
    isProxied: async () => true,
    get: async (_, address) => {
      got.push([name, address])
      return outcome
    },
  })
  const second = fault('offline', 'no', 'by Node')
  const both = filesAlsoTrustingTheSystem(files('chromium', untrusted), files('node', second))
  const file = { url: request.url, headers: {}, silentAtMostInMs: 1, signal: new AbortController().signal }
  expect([await both.get(file, null), await both.get(file, '20.42.65.88'), got]).toEqual([
    second,
    untrusted,
    [
      ['chromium', null],
      ['node', null],
      ['chromium', '20.42.65.88'],
    ],
  ])
})
