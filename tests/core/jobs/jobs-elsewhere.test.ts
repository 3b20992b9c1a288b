import { afterEach, expect, test } from 'vitest'
import type { Job } from '../../../electron/contract/api/jobs.ts'
import { createCore } from '../../../electron/core/app.ts'
import { AJobCore } from './a-job-core.ts'
import { addOrganization } from '../../add-organization.ts'

const hour = 3_600_000
let it: AJobCore
afterEach(() => it.close())

/** Opens an organization without a key beside the first one. */
async function useAnother(): Promise<void> {
  const urls = { managementUrl: 'https://a.example', metadataUrl: 'https://b.example' }
  const { id } = await addOrganization(it.handlers, urls, { name: 'Fjord' })
  await it.handlers.organizations.use({ id })
}
const elsewhere = async (): Promise<readonly Partial<Job>[]> =>
  (await it.handlers.jobs.elsewhere()).map(({ id, state, missed }) => ({ id, state, missed }))

test('a job of an organization that is not on screen is seen, also after a restart and when it is missed', async () => {
  it = await AJobCore.open()
  const [room] = (await it.handlers.rooms.list({ where: 'health:ok', sort: [], start: 0, count: 1 })).rows
  const plan = await it.plan(
    { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [room!.id] } },
    { startAt: it.clock.now() + hour },
  )
  const { id } = await it.start(plan)
  expect(await elsewhere()).toEqual([])
  await useAnother()
  expect(await elsewhere()).toEqual([{ id, state: 'waiting', missed: null }])
  await it.passing(it.core.close())
  it.core = await createCore(it.platform)
  const told: unknown[] = []
  it.core.onEvent((event) => told.push(event))
  it.core.startSyncing()
  await it.until(async () => (await elsewhere()).length > 0)
  await it.until(async () => told.includes('jobs.changed'))
  expect(await elsewhere()).toEqual([{ id, state: 'unarmed', missed: null }])
  told.length = 0
  await it.clock.advance(hour)
  await it.until(async () => (await elsewhere())[0]?.state === 'ended')
  await it.until(async () => told.includes('jobs.changed'))
  expect([await elsewhere(), it.arrived('RebootRoom')]).toEqual([
    [{ id, state: 'ended', missed: 'in-this-run' }],
    0,
  ])
})
