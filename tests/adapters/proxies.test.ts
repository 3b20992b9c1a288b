import { describe, expect, test } from 'vitest'
import {
  faultOfProxy,
  lateProxy,
  noProxies,
  overRoute,
  proxiesOf,
  type ProxiesDeps,
  type Route,
} from '../../electron/adapters/proxies.ts'
import { openProxySignIns, type SignIn } from '../../electron/adapters/proxy-sign-ins.ts'
import type { WireFault } from '../../electron/core/platform.ts'
import { FakeClock, settle } from '../fake-clock.ts'

const url = 'https://files.example.com/a'
const shown = (route: Route): string =>
  route.kind === 'proxy'
    ? route.proxy.href
    : route.kind === 'unusable'
      ? `unusable: ${route.source}`
      : route.kind
const inSystem = (proxy: string | null, hasScript = false): Partial<ProxiesDeps> => ({
  ofSystem: async () => ({ proxy, hasScript }),
})

describe('the route', () => {
  test.each<[string, Partial<ProxiesDeps>, string]>([
    [url, {}, 'direct'],
    [url, { environment: { HTTPS_PROXY: 'http://proxy:8080' } }, 'http://proxy:8080/'],
    [url, { environment: { https_proxy: 'http://proxy:8080' } }, 'http://proxy:8080/'],
    [url, { environment: { https_proxy: '', HTTPS_PROXY: 'http://proxy:8080' } }, 'http://proxy:8080/'],
    [url, { environment: { HTTP_PROXY: 'http://proxy:8080' } }, 'direct'],
    [url, { environment: { HTTPS_PROXY: 'proxy:8080' } }, 'http://proxy:8080/'],
    [url, { environment: { HTTPS_PROXY: 'http://a%20b:c@proxy:8080' } }, 'http://a%20b:c@proxy:8080/'],
    [url, { environment: { HTTPS_PROXY: 'socks5://proxy:1080' } }, 'unusable: HTTPS_PROXY'],
    [url, { environment: { HTTPS_PROXY: 'http://user:50%@proxy:1' } }, 'unusable: HTTPS_PROXY'],
    [url, { environment: { HTTPS_PROXY: 'a proxy' } }, 'unusable: HTTPS_PROXY'],
    [
      'https://127.0.0.1/a',
      { environment: { HTTPS_PROXY: 'http://p:1' }, ofPolicy: () => 'http://p:2' },
      'direct',
    ],
    ['https://x.localhost/a', inSystem('p:1'), 'direct'],
    [url, inSystem('proxy:8080'), 'http://proxy:8080/'],
    [url, inSystem(null, true), 'script'],
    [url, { ...inSystem('p:1'), environment: { HTTPS_PROXY: 'http://p:2' } }, 'http://p:2/'],
    [url, { ...inSystem('p:1'), environment: { NO_PROXY: '.example.com' } }, 'direct'],
    [
      url,
      {
        ...inSystem('p:1'),
        environment: { HTTPS_PROXY: 'p:2', NO_PROXY: '*' },
        ofPolicy: () => 'http://p:3',
      },
      'http://p:3/',
    ],
    [url, { ...inSystem('p:1'), ofPolicy: () => 'direct' }, 'direct'],
    [url, { environment: { HTTPS_PROXY: 'http://p:1' }, ofPolicy: () => 'direct' }, 'direct'],
  ])('to %s with %o is %s', async (target, given, route) => {
    expect(shown(await proxiesOf({ environment: {}, ...given }).routeTo(target))).toBe(route)
  })

  test.each([
    ['example.com', 'http://p:1/'],
    ['files.example.com', 'direct'],
    ['FILES.example.com', 'direct'],
    ['x, .example.com', 'direct'],
    ['*.example.com', 'direct'],
    ['files.*', 'direct'],
    ['files.example.com:8443', 'http://p:1/'],
    ['files.example.com:443', 'direct'],
    ['filesXexample.com', 'http://p:1/'],
    ['<local>', 'http://p:1/'],
    ['*', 'direct'],
  ])('except for %s is %s', async (exception, route) => {
    const environment = { HTTPS_PROXY: 'http://p:1', no_proxy: exception }
    expect(shown(await proxiesOf({ environment }).routeTo(url))).toBe(route)
  })

  test.each([
    ['https://10.1.2.3/', '10.0.0.0/8', 'direct'],
    ['https://169.254.7.7/', '169.254/16', 'direct'],
    ['https://11.1.2.3/', '10.0.0.0/8', 'http://p:1/'],
    ['https://10.1.2.3/', '10.0.0.0/99', 'http://p:1/'],
    ['https://[fd00::1]/', 'fd00::1', 'direct'],
    ['https://intranet/', '<local>', 'direct'],
  ])('to %s except for %s is %s', async (target, exception, route) => {
    const environment = { HTTPS_PROXY: 'http://p:1', NO_PROXY: exception }
    expect(shown(await proxiesOf({ environment }).routeTo(target))).toBe(route)
  })
})

describe('a kept sign-in', () => {
  const wanted = expect.objectContaining({
    proxy: { reason: 'sign-in-wanted', via: { host: 'proxy', port: 8080 } },
  }) as unknown
  const refusing = (proxy: URL): WireFault =>
    faultOfProxy(Object.assign(new Error('wanted'), { statusCode: 407 }), proxy)
  test('is asked of the keychain when it is wanted, and is in every later route', async () => {
    const asked: unknown[] = []
    const proxies = proxiesOf({
      environment: { HTTPS_PROXY: 'http://proxy:8080' },
      signIns: {
        get: async (via) => {
          asked.push(via)
          return { user: 'Dom\\ann', password: '50% @:/' }
        },
        refused: () => undefined,
      },
    })
    const before = shown(await proxies.routeTo(url))
    const signed = await proxies.signedIn(new URL('http://proxy:8080'), null)
    await proxies.signedIn(new URL('http://proxy:8080'), null)
    expect([before, signed?.href, shown(await proxies.routeTo(url)), asked]).toEqual([
      'http://proxy:8080/',
      'http://Dom%5Cann:50%25%20%40%3A%2F@proxy:8080/',
      'http://Dom%5Cann:50%25%20%40%3A%2F@proxy:8080/',
      [{ host: 'proxy', port: 8080 }],
    ])
  })

  test('is found when it was entered after the first attempt', async () => {
    let kept: SignIn | null = null
    const proxies = proxiesOf({
      environment: { HTTPS_PROXY: 'http://proxy:8080' },
      signIns: { get: async () => kept, refused: () => undefined },
    })
    const before = await proxies.signedIn(new URL('http://proxy:8080'), null)
    kept = { user: 'ann', password: 'new' }
    const signed = await proxies.signedIn(new URL('http://proxy:8080'), null)
    expect([before, signed?.href, shown(await proxies.routeTo(url))]).toEqual([
      null,
      'http://ann:new@proxy:8080/',
      'http://ann:new@proxy:8080/',
    ])
  })

  test('that was refused is read again for the next attempt', async () => {
    const kept = ['old', 'new']
    const proxies = proxiesOf({
      environment: { HTTPS_PROXY: 'http://proxy:8080' },
      signIns: { get: async () => ({ user: 'ann', password: kept.shift() ?? '' }), refused: () => undefined },
    })
    const old = await proxies.signedIn(new URL('http://proxy:8080'), null)
    expect([
      await proxies.over(old!, null, async (proxy) => refusing(proxy)),
      shown(await proxies.routeTo(url)),
      (await proxies.signedIn(new URL('http://proxy:8080'), null))?.href,
    ]).toEqual([wanted, 'http://proxy:8080/', 'http://ann:new@proxy:8080/'])
  })

  const answer = { kind: 'answer' } as const
  /** Attempts over a proxy; those with a sign-in end as `end` says, in their order. */
  function through(
    end: (count: number, proxy: URL) => typeof answer | WireFault | Promise<typeof answer | WireFault>,
    written = 'http://proxy:8080',
  ) {
    const sent: string[] = []
    const entry = JSON.stringify({ 'proxy:8080': { user: 'ann', password: 'wrong: 50%' } })
    const clock = new FakeClock()
    const proxies = proxiesOf({
      environment: { HTTPS_PROXY: written },
      signIns: openProxySignIns({ get: async () => entry, set: async () => undefined }),
      clock,
    })
    let count = 0
    const request = (signal: AbortSignal | null = null) =>
      overRoute(proxies, { url, signal }, async (proxy) => {
        if (signal?.aborted === true) return aborted
        sent.push(decodeURIComponent(`${proxy?.username}:${proxy?.password}`))
        await settle()
        return proxy!.username === '' ? refusing(proxy!) : end(++count, proxy!)
      })
    return { request, sent, clock }
  }
  const aborted: WireFault = {
    kind: 'fault',
    sent: 'no',
    reason: 'aborted',
    message: 'the call was cancelled',
  }

  test('that is wrong is sent once, because more attempts could lock its account', async () => {
    const { request, sent } = through((_, proxy) => refusing(proxy))
    expect([await request(), await request(), await request()]).toEqual([wanted, wanted, wanted])
    expect(sent).toEqual([':', 'ann:wrong: 50%', ':', ':'])
  })

  test.each<[string, string, readonly string[]]>([
    ['kept', 'http://proxy:8080', [':', ':', ':', 'ann:wrong: 50%']],
    ['written', 'http://x:y@proxy:8080', ['x:y']],
  ])('that is %s and wrong is sent by one of several requests', async (_, written, all) => {
    const { request, sent } = through((__, proxy) => refusing(proxy), written)
    expect([await Promise.all([request(), request(), request()]), sent]).toEqual([
      [wanted, wanted, wanted],
      all,
    ])
  })

  test('that is written and was refused is tried again after ten minutes, by one request', async () => {
    const { request, sent, clock } = through(
      (count, proxy) => (count < 3 ? refusing(proxy) : answer),
      'http://x:y@proxy:8080',
    )
    const several = () => Promise.all([request(), request()])
    const outcomes: unknown[] = []
    const counts: number[] = []
    for (const minutes of [0, 9, 1, 9, 1]) {
      await clock.advance(minutes * 60_000)
      outcomes.push(await several())
      counts.push(sent.length)
    }
    const refused = [wanted, wanted]
    expect([outcomes, counts]).toEqual([
      [refused, refused, refused, refused, [answer, answer]],
      [1, 1, 2, 2, 4],
    ])
  })

  test('that is taken is sent by all of several requests, at once from the second on', async () => {
    const { request, sent } = through(() => answer, 'http://x:y@proxy:8080')
    const first = request()
    const others = [request(), request()]
    await settle()
    const before = [...sent]
    expect([before, await Promise.all([first, ...others]), sent]).toEqual([
      ['x:y'],
      [answer, answer, answer],
      ['x:y', 'x:y', 'x:y'],
    ])
  })

  test('that was not tried, because its request was cancelled, is tried by the next', async () => {
    const { request, sent } = through(
      (count, proxy) => (count === 1 ? aborted : refusing(proxy)),
      'http://x:y@proxy:8080',
    )
    expect([await Promise.all([request(), request(), request()]), sent]).toEqual([
      [aborted, wanted, wanted],
      ['x:y', 'x:y'],
    ])
  })

  test.each([
    ['not-there', () => lateProxy(new URL('http://proxy:8080'), 'late')],
    [
      'name-not-known',
      (proxy: URL) => faultOfProxy(Object.assign(new Error(), { code: 'ENOTFOUND' }), proxy),
    ],
  ])('is sent by one of several requests over a proxy that is %s, and by the next', async (reason, end) => {
    const { request, sent } = through((_, proxy) => end(proxy), 'http://x:y@proxy:8080')
    const unreached = expect.objectContaining({
      proxy: { reason, via: { host: 'proxy', port: 8080 } },
    }) as unknown
    const several = await Promise.all([request(), request(), request()])
    const before = [...sent]
    expect([several, before, await request(), sent]).toEqual([
      [unreached, unreached, unreached],
      ['x:y'],
      unreached,
      ['x:y', 'x:y'],
    ])
  })

  test('is sent by one request at a time while the proxy refuses to connect', async () => {
    let [under, most] = [0, 0]
    const { request, sent } = through(async (count, proxy) => {
      most = Math.max(most, ++under)
      await settle()
      under--
      return count < 3 ? faultOfProxy(Object.assign(new Error('no'), { statusCode: 503 }), proxy) : answer
    }, 'http://x:y@proxy:8080')
    await Promise.all([request(), request(), request()])
    expect([sent, most]).toEqual([['x:y', 'x:y', 'x:y'], 1])
  })

  test('keeps no cancelled request waiting', async () => {
    const { request, sent } = through(() => new Promise<never>(() => undefined), 'http://x:y@proxy:8080')
    const leaving = new AbortController()
    void request()
    const cancelled = request(leaving.signal)
    leaving.abort()
    expect([await cancelled, sent]).toEqual([aborted, ['x:y']])
  })

  test.each<[string, (proxy: URL) => typeof answer | WireFault, boolean]>([
    ['taken', () => answer, true],
    ['refused', refusing, false],
    ['not tried', () => aborted, false],
  ])('who gave it learns that it was %s', async (_, end, taken) => {
    const told: boolean[] = []
    const proxies = proxiesOf({
      environment: { HTTPS_PROXY: 'http://proxy:8080' },
      signIns: {
        get: async (__, ended) => {
          void ended.then((was) => told.push(was))
          return { user: 'a', password: 'b' }
        },
        refused: () => undefined,
      },
    })
    const before: boolean[][] = []
    await overRoute(proxies, { url, signal: null }, async (proxy) => {
      if (proxy!.username === '') return refusing(proxy!)
      before.push([...told])
      return end(proxy!)
    })
    await settle()
    expect([before, told]).toEqual([[[]], [taken]])
  })

  test('that nobody has given yet keeps no cancelled request waiting, and who gives it later learns that', async () => {
    const given = Promise.withResolvers<SignIn>()
    const told: boolean[] = []
    const proxies = proxiesOf({
      environment: { HTTPS_PROXY: 'http://proxy:8080' },
      signIns: {
        get: (_, ended) => {
          void ended.then((was) => told.push(was))
          return given.promise
        },
        refused: () => undefined,
      },
    })
    const leaving = new AbortController()
    const { signal } = leaving
    const request = overRoute(proxies, { url, signal }, async (proxy) =>
      signal.aborted ? aborted : refusing(proxy!),
    )
    await settle()
    leaving.abort()
    const outcome = await request
    given.resolve({ user: 'a', password: 'b' })
    await settle()
    expect([outcome, told, shown(await proxies.routeTo(url))]).toEqual([
      aborted,
      [false],
      'http://proxy:8080/',
    ])
  })

  test('does not replace one that was written', async () => {
    const signIns = { get: async () => ({ user: 'a', password: 'b' }), refused: () => undefined }
    const proxies = proxiesOf({ environment: {}, signIns })
    expect([
      await proxies.signedIn(new URL('http://x:y@proxy:8080'), null),
      await noProxies.signedIn(new URL('http://proxy:8080'), null),
    ]).toEqual([null, null])
  })
})
