import { describe, expect, it, onTestFinished } from 'vitest'
import { methodNames } from '../../../electron/contract/rpc-server.ts'
import type { FileResponse, Platform, WireRequest } from '../../../electron/core/platform.ts'
import { openPolicy, platformUnderPolicy } from '../../../electron/core/policy/policy.ts'
import { isLockedMethod } from '../../../electron/core/policy/under-policy.ts'
import { failureOf } from '../../failure-of.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { FakePolicy } from '../../fake-policy.ts'

const { file } = FakePolicy

describe('a locked policy', () => {
  it('refuses every method but looking, syncing, pausing and cancelling', () => {
    expect(methodNames.filter((name) => isLockedMethod(name, { operation: 'ListDevices' })).sort()).toEqual([
      'budget.tryNow',
      'devices.setNote',
      'devices.setSettings',
      'downloads.resume',
      'downloads.start',
      'explorer.removeExample',
      'explorer.saveExample',
      'exports.start',
      'firmware.approve',
      'firmware.compareWith',
      'firmware.unapprove',
      'goldenProfiles.remove',
      'goldenProfiles.save',
      'jobs.check',
      'jobs.plan',
      'jobs.resume',
      'jobs.retry',
      'jobs.start',
      'kits.make',
      'kits.plan',
      'lists.paste',
      'lists.remove',
      'metadata.clearCache',
      'offline.prepare',
      'organizations.add',
      'organizations.checkKey',
      'organizations.forgetKey',
      'organizations.keyRegenerated',
      'organizations.remove',
      'organizations.setKey',
      'organizations.update',
      'organizations.use',
      'organizations.useKey',
      'rooms.chooseSites',
      'rooms.setNote',
      'rooms.setSite',
      'tags.change',
      'tags.remove',
      'tags.rename',
      'tags.undo',
      'views.remove',
      'views.rename',
      'views.save',
      'webhooks.validate',
    ])
  })
  it('lets the Explorer read and not write', () => {
    expect(
      ['ListDevices', 'RebootRoom', 'UpdateDeviceSettings'].map((operation) =>
        isLockedMethod('explorer.run', { operation }),
      ),
    ).toEqual([false, true, true])
  })
})

describe('the platform under a policy with allowed hosts', () => {
  const opened = async () => {
    const policy = await openPolicy({
      policySource: new FakePolicy({ allowedHosts: ['a.example'], demonstration: false }),
      clock: new FakeClock(),
      log: { write: () => undefined },
    })
    policy.close()
    const asked: string[] = []
    const fault = { kind: 'fault', sent: 'no', reason: 'offline', message: '' } as const
    const attempt = async ({ url }: { readonly url: string }): Promise<typeof fault> => {
      asked.push(url)
      return fault
    }
    const platform = {
      transport: { attempt },
      pinned: { attempt },
      fileTransport: { isProxied: async () => false, get: attempt },
      demonstration: async () => void asked.push('demonstration'),
    }
    return { asked, platform: platformUnderPolicy(platform as unknown as Platform, policy) }
  }
  const request = (
    url: string,
  ): WireRequest & { readonly silentAtMostInMs: number; readonly signal: AbortSignal } => ({
    method: 'GET',
    url,
    headers: {},
    body: null,
    timeoutInMs: 1,
    silentAtMostInMs: 1,
    maxBytes: 1,
    freshConnection: false,
    signal: new AbortController().signal,
  })
  const ways = [
    ['services', ({ transport }: Platform, url: string) => transport.attempt(request(url))],
    ['webhooks', ({ pinned }: Platform, url: string) => pinned.attempt(request(url), '192.0.2.1')],
    [
      'files and pictures',
      ({ fileTransport }: Platform, url: string) => fileTransport.get(request(url), '192.0.2.1'),
    ],
  ] as const

  it.each(ways)('connects for %s to an allowed host', async (_, attempt) => {
    const { platform, asked } = await opened()
    await attempt(platform, 'https://A.example.:8443/x')
    expect(asked).toEqual(['https://A.example.:8443/x'])
  })
  it.each(
    ways.flatMap(([name, attempt]) =>
      [
        ['https://b.example/x', 'b.example'],
        ['https://a.example@b.example/', 'b.example'],
        ['https://a.example.b.example/', 'a.example.b.example'],
        ['http://127.0.0.1:8080/', '127.0.0.1'],
        ['http://0x7f.1/', '127.0.0.1'],
        ['http://[::1]/', '[::1]'],
      ].map(([url, host]) => [name, url!, host!, attempt] as const),
    ),
  )('does not connect for %s to %s', async (_, url, host, attempt) => {
    const { platform, asked } = await opened()
    const failure = await failureOf(attempt(platform, url))
    expect([failure, asked]).toEqual([{ kind: 'policy', rule: 'host', file, detail: host }, []])
  })
  it('ends a transfer whose host is no longer allowed', async () => {
    const policySource = new FakePolicy({})
    const policy = await openPolicy({ policySource, clock: new FakeClock(), log: { write: () => undefined } })
    onTestFinished(() => policy.close())
    const got: string[] = []
    const { fileTransport } = platformUnderPolicy(
      {
        fileTransport: {
          get: async () => ({
            kind: 'answer',
            body: (async function* () {
              yield Buffer.from('first')
              policySource.become({ allowedHosts: [] })
              await settle()
              yield Buffer.from('second')
            })(),
          }),
        },
      } as unknown as Platform,
      policy,
    )
    const answer = (await fileTransport.get(request('https://a.example/'), null)) as FileResponse
    const failure = await failureOf(async () => {
      for await (const piece of answer.body) got.push(Buffer.from(piece).toString())
    })
    expect([got, failure]).toEqual([['first'], { kind: 'policy', rule: 'host', file, detail: 'a.example' }])
  })
  it('sends nothing more to a demonstration that is switched off', async () => {
    const policySource = new FakePolicy({})
    const policy = await openPolicy({ policySource, clock: new FakeClock(), log: { write: () => undefined } })
    onTestFinished(() => policy.close())
    const addresses = {
      managementUrl: 'http://127.0.0.1:81/a',
      metadataUrl: 'http://127.0.0.1:81/b',
      key: '',
    }
    const asked: string[] = []
    const platform = platformUnderPolicy(
      {
        transport: { attempt: async ({ url }: WireRequest) => void asked.push(url) },
        demonstration: async () => addresses,
      } as unknown as Platform,
      policy,
    )
    await platform.demonstration()
    policySource.become({ demonstration: false })
    await settle()
    const failure = await failureOf(platform.transport.attempt(request('http://127.0.0.1:81/a/devices')))
    await platform.transport.attempt(request('http://127.0.0.1:82/'))
    expect([failure, asked]).toEqual([
      { kind: 'policy', rule: 'demonstration', file, detail: null },
      ['http://127.0.0.1:82/'],
    ])
  })
  it('starts no demonstration that is switched off', async () => {
    const { platform, asked } = await opened()
    const failure = await failureOf(platform.demonstration())
    expect([failure, asked]).toEqual([{ kind: 'policy', rule: 'demonstration', file, detail: null }, []])
  })
})
