import { expect, it, onTestFinished } from 'vitest'
import { openConnectedCore, openSyncedCore } from '../connected-core.ts'
import { runOn } from './run-on.ts'

// The first also end to end: tests/e2e/command-line.spec.ts.
it.each([
  ['html', /HTML page/],
  ['truncated-json', /damaged or incomplete/],
  ['error-in-200', /error message inside a successful answer/],
  ['wrong-content-type', /instead of JSON/],
] as const)(
  'a service that returns %s is reported as such, and the fleet read before is kept',
  async (name, where) => {
    const { core, service, close } = await openSyncedCore({ devices: 60, rooms: 6 })
    onTestFinished(close)
    service.faults.set({ name, rate: 1, times: null, operation: null })
    const said = await runOn(core, ['sync', '--json'])
    expect([said.code, (JSON.parse(said.errors) as { kind: string }).kind]).toEqual([3, 'unreadable-answer'])
    expect((await runOn(core, ['sync'])).errors).toMatch(where)
    const { output } = await runOn(core, ['devices', '--json'])
    expect(JSON.parse(output)).toMatchObject({ total: 60 })
  },
)

it('unreadable records are counted and cost no page', async () => {
  // The seed of the demonstration decides which records are damaged.
  const faults = [{ name: 'damaged-records', rate: 0.05, times: null, operation: null }] as const
  const { core, add, close } = await openConnectedCore({ devices: 400, rooms: 10, faults })
  onTestFinished(close)
  await add()
  const { code, output } = await runOn(core, ['sync', '--json'])
  expect([code, JSON.parse(output)]).toMatchObject([
    0,
    { complete: true, devices: { read: 379, unreadable: 21, gone: 0 } },
  ])
})
