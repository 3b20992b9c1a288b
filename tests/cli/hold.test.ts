import { afterEach, beforeEach, expect, it } from 'vitest'
import { runIn } from '../../electron/cli/run-command.ts'
import { createCore, type Core } from '../../electron/core/app.ts'
import type { WireResponse } from '../../electron/core/platform.ts'
import { fakePlatform } from '../fake-platform.ts'
import { FakeClock } from '../fake-clock.ts'
import { answer, FakeTransport } from '../fake-transport.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { asClient } from './a-core.ts'
import { aTerminal } from './a-terminal.ts'

const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
let home: TemporaryHome
let clock: FakeClock
let service: (path: string) => WireResponse
let transport: FakeTransport

/** A separate program for each command, on one home. */
async function headroom(...words: string[]) {
  const terminal = aTerminal()
  let core: Core | null = null
  const open = async (organization: string | null) => {
    core = await createCore(fakePlatform(home, { clock, transport, keyFromEnvironment: key }), {
      organization,
    })
    return asClient(core)
  }
  const before = transport.attempts.length
  // No call here waits, so time does not advance.
  const code = await runIn({ terminal, demonstration: { serve: async () => 0 }, open }, words)
  await (core as Core | null)?.close()
  return { code, output: terminal.output, errors: terminal.errors, calls: transport.attempts.length - before }
}

beforeEach(async () => {
  home = new TemporaryHome()
  clock = new FakeClock()
  service = () => answer(200, { items: [] })
  transport = new FakeTransport(({ url }) => service(new URL(url).pathname))
  const addresses = [
    '--management-url',
    'https://management.example',
    '--metadata-url',
    'https://metadata.example',
  ]
  expect((await headroom('org', 'add', 'Nordlys', '--preset', 'custom', ...addresses)).code).toBe(0)
})
afterEach(() => home.remove())

it('a hold ends every command of every program with 3 and without a call, until a technician tries one call', async () => {
  service = () => answer(429, {}, { 'retry-after': '31622400' })
  const heldUntilAt = clock.now() + 31_622_400_000
  const first = await headroom('sync', '--json')
  const later = [
    await headroom('sync', '--json'),
    await headroom('key', 'check', 'primary', '--json'),
    await headroom('call', 'ListDevices', 'pageSize=1', '--json'),
  ]
  const reported = [first, ...later].map(({ code, output, errors, calls }) => {
    const { kind, held, untilAt } = JSON.parse(errors) as { kind: string; held: boolean; untilAt: number }
    return { code, output, kind, held, untilAt, calls }
  })
  const limited = { code: 3, output: '', kind: 'rate-limited', held: true, untilAt: heldUntilAt }
  expect(reported).toEqual([
    { ...limited, calls: first.calls },
    ...later.map(() => ({ ...limited, calls: 0 })),
  ])
  expect(JSON.parse((await headroom('budget', '--json')).output)).toMatchObject({ heldUntilAt, waiting: 0 })
  service = () => answer(503, {}, { 'retry-after': '7200' })
  const renewed = await headroom('budget', '--try-now')
  expect([renewed.code, renewed.output, renewed.calls, /^Rate limited until /.test(renewed.errors)]).toEqual([
    3,
    '',
    1,
    true,
  ])
  service = () => answer(200, { items: [] })
  const lifted = await headroom('budget', '--try-now')
  expect([lifted.code, lifted.calls, lifted.output]).toEqual([
    0,
    1,
    'The service answered: calls continue.\n5 of 100 calls in the last second\n5 of 10000 calls in the last five minutes\n0 waiting\n',
  ])
  expect([(await headroom('sync', '--json')).code, (await headroom('budget', '--try-now')).calls]).toEqual([
    0, 0,
  ])
  const { lines } = JSON.parse((await headroom('journal', '--json')).output) as {
    lines: { operation: string; target: { of: string }; outcome: string; status: number }[]
  }
  expect(
    lines.map(({ operation, target, outcome, status }) => [operation, target.of, outcome, status]),
  ).toEqual([
    ['ListDevices', 'organization', 'accepted', 200],
    ['ListDevices', 'organization', 'refused', 503],
  ])
})
