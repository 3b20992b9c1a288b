import { expect, onTestFinished, test } from 'vitest'
import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { proxiesOf } from '../../electron/adapters/proxies.ts'
import { createCore } from '../../electron/core/app.ts'
import { aProxy } from '../adapters/a-proxy.ts'
import type { Behaviour } from '../adapters/open-proxy.ts'
import { fakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { runOn, type Said } from './run-on.ts'

const host = 'rooms.example.com'

/** Runs a call of the metadata interface twice, for programs and for people, over the proxy of the environment. */
async function calledOver(HTTPS_PROXY: string): Promise<readonly [Said, Said]> {
  const home = new TemporaryHome()
  const transport = openHttpTransport({ proxies: proxiesOf({ environment: { HTTPS_PROXY } }) })
  const core = await createCore(fakePlatform(home, { transport }))
  onTestFinished(async () => {
    await core.close()
    transport.close()
    await home.remove()
  })
  const urls = ['--management-url', `https://${host}`, '--metadata-url', `https://${host}`]
  expect((await runOn(core, ['org', 'add', 'Nordlys', '--preset', 'custom', ...urls])).code).toBe(0)
  const call = ['call', 'GetTelemetry']
  return [await runOn(core, [...call, '--json']), await runOn(core, call)]
}

test.each<[Behaviour, string, string, (proxy: string) => string]>([
  [
    'wants-sign-in',
    'sign-in-wanted',
    'none is known',
    (proxy) =>
      `The proxy ${proxy} requires a sign-in before it connects to ${host} (GetTelemetry): none is known. Nothing was sent. Set HTTPS_PROXY to http://USER:PASSWORD@${proxy}, or sign in once in the window: the command line then uses that sign-in. NTLM and Kerberos work only in the window.`,
  ],
  [
    'forbids',
    'refused',
    'the proxy answered 403',
    (proxy) =>
      `The proxy ${proxy} does not connect to ${host} (GetTelemetry): the proxy answered 403. Nothing was sent. Ask the administrator of the proxy to allow ${host}.`,
  ],
  [
    'closes',
    'closed',
    'before it was made',
    (proxy) =>
      `The proxy ${proxy} closed the connection to ${host} (GetTelemetry): before it was made. Nothing was sent. Try again; if it keeps happening, ask the administrator of the proxy.`,
  ],
])('a proxy that %s ends a command with 3 and is named', async (behaviour, reason, message, said) => {
  const proxy = await aProxy(behaviour)
  const [document, people] = await calledOver(proxy.url)
  const call = { operation: 'GetTelemetry', host }
  expect([document.code, document.output, JSON.parse(document.errors), people]).toEqual([
    3,
    '',
    {
      kind: 'offline',
      call,
      message,
      via: { host: '127.0.0.1', port: proxy.port },
      reason,
      sent: false,
    },
    { code: 3, output: '', errors: `${said(`127.0.0.1:${proxy.port}`)}\n` },
  ])
})

test('what names no proxy that can be used is said, with what to write', async () => {
  const [document, people] = await calledOver('socks5://proxy:1080')
  expect([JSON.parse(document.errors), people]).toMatchObject([
    { via: null, reason: 'no-proxy-known', sent: false },
    {
      code: 3,
      errors: `The proxy for ${host} is unknown (GetTelemetry): HTTPS_PROXY must name one as http://HOST:PORT. Nothing was sent. Set HTTPS_PROXY to http://HOST:PORT.\n`,
    },
  ])
})
