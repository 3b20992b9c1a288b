import { expect, test } from '@playwright/test'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import type { Transport } from '../../electron/contract/rpc-client.ts'
import { answerWith, passTenSeconds } from './desktop-answers.ts'
import { startSynced, type Home, type Program, type Service } from './program.ts'
import { countsOf } from './service-switches.ts'

let home: Home
let program: Program
let service: Service

test.beforeAll(async () => {
  ;({ home, program, service } = await startSynced(100, 12))
})
test.afterAll(async () => {
  // The rebooted room is still watched.
  await answerWith(program.app, 'Quit')
  await program.close()
  await service.end()
  home.remove()
})

/** Every dialog gets this answer, and is counted from now on. */
async function countDialogs(button: string): Promise<() => Promise<number>> {
  await answerWith(program.app, button)
  await program.app.evaluate(({ dialog }) => {
    const { showMessageBox } = dialog
    const counted = globalThis as unknown as { dialogs: number }
    counted.dialogs = 0
    dialog.showMessageBox = (...given: unknown[]) => {
      counted.dialogs += 1
      return (showMessageBox as (...all: unknown[]) => ReturnType<typeof showMessageBox>)(...given)
    }
  })
  return () => program.app.evaluate(() => (globalThis as unknown as { dialogs: number }).dialogs)
}
/** Writes that the service executed. */
const written = async (): Promise<number> =>
  Object.values((await countsOf(service)).writes).reduce((sum, count) => sum + count, 0)

test('a script in the page that calls every method that writes sends nothing, with one dialog', async () => {
  const { page } = program
  const dialogs = await countDialogs('No')
  const failures = await page.evaluate(async () => {
    const { call } = (globalThis as unknown as { headroom: Transport }).headroom
    const value = async (method: string, argument: unknown): Promise<Record<string, never>> =>
      ((await call(method, argument)) as { value: Record<string, never> }).value
    const rooms: { id: string; groupIds: string[] }[] = (
      await value('rooms.list', { where: '', sort: [], start: 0, count: 50 })
    )['rows']!
    const devices: { id: string }[] = (
      await value('devices.slice', {
        where: 'product:"PanaCast 50" status:online',
        sort: [],
        start: 0,
        count: 1,
      })
    )['rows']!
    const selection = { kind: 'picked', ids: rooms.map(({ id }) => id) }
    const terms = { startAt: null, window: null, keepTrying: false, canary: false }
    const work = { kind: 'reboot-rooms', of: 'rooms', selection }
    const plan: { id: string; typeNumber: number | null } = (await value('jobs.plan', {
      work,
      ...terms,
    })) as never
    const own = { unlock: true, wait: false, reference: null }
    const outcomes = await Promise.all([
      call('jobs.start', { plan: plan.id, unlock: true, typed: plan.typeNumber }),
      call('explorer.run', {
        operation: 'RebootRoom',
        parameters: { groupId: rooms[0]!.groupIds[0]! },
        whole: false,
        copies: null,
        ...own,
      }),
      call('devices.setSettings', {
        id: devices[0]!.id,
        changes: [{ name: 'fieldOfView', value: '_90deg' }],
        ...own,
      }),
    ])
    return outcomes.map((one) => (one.ok ? one.value : one.failure.kind))
  })
  expect([failures, await dialogs(), await written()]).toEqual([
    ['writes-locked', 'writes-locked', 'writes-locked'],
    1,
    0,
  ])
})

test('a script that waits for a click and then starts every room sends nothing, with one dialog; a click for one room needs none', async () => {
  const { page } = program
  const dialogs = await countDialogs('No')
  await passTenSeconds(program.app)
  /** A script that starts a reboot of these rooms at the next press of a button, and that press. */
  const click = async (selection: DeviceSelection): Promise<string> => {
    await page.evaluate((chosen) => {
      const global = globalThis as unknown as { headroom: Transport; ended: Promise<string> }
      const { call } = global.headroom
      const start = async (): Promise<string> => {
        const terms = { startAt: null, window: null, keepTrying: false, canary: false }
        const work = { kind: 'reboot-rooms', of: 'rooms', selection: chosen }
        const planned = await call('jobs.plan', { work, ...terms })
        if (!planned.ok) return JSON.stringify(planned.failure)
        const { id, typeNumber } = planned.value as { id: string; typeNumber: number | null }
        const started = await call('jobs.start', { plan: id, unlock: true, typed: typeNumber })
        return started.ok ? 'started' : started.failure.kind
      }
      global.ended = new Promise((resolve) =>
        addEventListener('mousedown', () => resolve(start()), { once: true, capture: true }),
      )
    }, selection)
    await page.mouse.click(640, 300)
    return page.evaluate(() => (globalThis as unknown as { ended: Promise<string> }).ended)
  }
  const all = await click({ kind: 'matching', where: '', except: [] })
  const afterAll = [await dialogs(), await written()]
  const room = await page.evaluate(async () => {
    const { call } = (globalThis as unknown as { headroom: Transport }).headroom
    const listed = await call('rooms.list', { where: 'health:ok', sort: [], start: 0, count: 1 })
    return (listed as { value: { rows: { id: string }[] } }).value.rows[0]!.id
  })
  const one = await click({ kind: 'picked', ids: [room] })
  await expect.poll(written).toBe(1)
  expect([all, afterAll, one, await dialogs()]).toEqual(['writes-locked', [1, 0], 'started', 1])
})
