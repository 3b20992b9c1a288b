import { expect, onTestFinished, test } from 'vitest'
import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { proxiesOf } from '../../electron/adapters/proxies.ts'
import { createCore } from '../../electron/core/app.ts'
import { aProxy } from '../adapters/a-proxy.ts'
import { settle } from '../fake-clock.ts'
import { fakePlatform } from '../fake-platform.ts'
import { FakePolicy } from '../fake-policy.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { runOn } from './run-on.ts'

test('the proxy of the policy counts, whatever the environment says, and another one from the next call on', async () => {
  const [ofUser, first, second] = [await aProxy('forbids'), await aProxy('forbids'), await aProxy('forbids')]
  const policySource = new FakePolicy({ proxy: first.url })
  let ofPolicy: string | null = null
  const transport = openHttpTransport({
    proxies: proxiesOf({ ofPolicy: () => ofPolicy, environment: { HTTPS_PROXY: ofUser.url, NO_PROXY: '*' } }),
  })
  const home = new TemporaryHome()
  const useProxy = (chosen: string | null): void => void (ofPolicy = chosen)
  const core = await createCore(fakePlatform(home, { transport, policySource, useProxy }))
  onTestFinished(async () => {
    await core.close()
    transport.close()
    await home.remove()
  })
  const urls = ['--management-url', 'https://a.example', '--metadata-url', 'https://a.example']
  await runOn(core, ['org', 'add', 'Nordlys', '--preset', 'custom', ...urls])
  const seen = async (): Promise<unknown> => {
    const { errors } = await runOn(core, ['call', 'GetTelemetry'])
    return [first, second, ofUser].map(({ url, asked }) => [asked.length > 0, errors.includes(url.slice(7))])
  }
  const before = await seen()
  policySource.become({ proxy: second.url })
  await settle()
  expect([before, await seen()]).toEqual([
    [
      [true, true],
      [false, false],
      [false, false],
    ],
    [
      [true, false],
      [true, true],
      [false, false],
    ],
  ])
})
