import type { Session } from 'electron'
import { expect, test } from 'vitest'
import { openChromiumTransport } from '../../electron/main/chromium-transport.ts'

test('the window follows the proxy of the policy when it changes, and never for this computer', async () => {
  let ofPolicy: string | null = null
  const set: unknown[] = []
  const session = (name: string): Session =>
    ({
      setProxy: async (config: unknown) => void set.push([name, config]),
      closeAllConnections: async () => undefined,
    }) as unknown as Session
  const transport = openChromiumTransport({
    request: () => {
      throw new Error('nothing is sent in this test')
    },
    sessionFor: session,
    ofPolicy: () => ofPolicy,
  })
  const attempt = async (url: string): Promise<unknown> => {
    set.splice(0)
    await transport
      .attempt({
        method: 'GET',
        url,
        headers: {},
        body: null,
        timeoutInMs: 1_000,
        maxBytes: 1,
        freshConnection: false,
        signal: null,
      })
      .catch(() => undefined)
    return [...set]
  }
  const names = ['reads-1', 'reads-2', 'reads-3', 'reads-4', 'writes'].map((name) => `headroom-${name}`)
  const over = (config: object, end: string): unknown => names.map((name) => [name + end, config])
  const first = await attempt('https://a.example/')
  ofPolicy = 'http://proxy:8080'
  const second = await attempt('https://a.example/')
  const here = await attempt('http://127.0.0.1:81/')
  ofPolicy = 'direct'
  expect([first, second, here, await attempt('https://a.example/')]).toEqual([
    [],
    over({ mode: 'fixed_servers', proxyRules: 'http://proxy:8080' }, ' over http://proxy:8080'),
    over({ mode: 'direct' }, '-here'),
    over({ mode: 'direct' }, ' over direct'),
  ])
})
