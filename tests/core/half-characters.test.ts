import { expect, onTestFinished, test } from 'vitest'
import type { MethodName } from '../../electron/contract/rpc-client.ts'
import { serverOver } from '../../electron/contract/rpc-server.ts'
import { createCore } from '../../electron/core/app.ts'
import { fakePlatform } from '../fake-platform.ts'
import { good } from '../contract/good-arguments.ts'
import { answer, FakeTransport } from '../fake-transport.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { addOrganization } from '../add-organization.ts'

const half = 'D1\ud800'

/** Variants of the argument: one for each text in it, with half a surrogate pair at its end. */
function halved(argument: unknown): readonly unknown[] {
  if (typeof argument === 'string') return [half]
  if (typeof argument !== 'object' || argument === null) return []
  return Object.entries(argument).flatMap(([name, value]) =>
    halved(value).map((one) =>
      Array.isArray(argument)
        ? argument.map((each: unknown, at) => (String(at) === name ? one : each))
        : { ...argument, [name]: one },
    ),
  )
}

test('half a surrogate pair in any text of any call is accepted or rejected, never a bug', async () => {
  const home = new TemporaryHome()
  const platform = fakePlatform(home, { transport: new FakeTransport(() => answer(404, '{}')) })
  const core = await createCore(platform)
  onTestFinished(async () => {
    await core.close()
    await home.remove()
  })
  const urls = { managementUrl: 'https://m.example', metadataUrl: 'https://c.example' }
  await addOrganization(core.handlers, urls, { key: 'a1b2c3d4e5f60718293a4b5c6d7e8f90' })
  const bugs: string[] = []
  const ask = serverOver(core.handlers, (error, channel) => {
    bugs.push(`${channel}: ${String(error)}`)
    return 'B-1'
  })
  const channels = Object.keys(good) as readonly MethodName[]
  let requested = 0
  for (const channel of channels)
    for (const argument of halved(good[channel])) {
      requested++
      await ask(channel, argument)
    }
  expect({ many: requested > 100, bugs }).toEqual({ many: true, bugs: [] })
})
