import { expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { fetchSettingsForPlan, type ReadForPlan } from '../../../electron/core/jobs/settings-plan.ts'
import { openTasks } from '../../../electron/core/tasks.ts'
import { FakeClock } from '../../fake-clock.ts'

const endpoints = { settings: () => Promise.reject(new Error('not asked here')) }

it('cancelling a plan that reads settings cancels its calls and makes no more', async () => {
  const clock = new FakeClock()
  const tasks = openTasks({ clock, newId: () => 't1' })
  const asked: string[] = []
  const settings = {
    byPages: false,
    cachedIds: async () => new Set(),
    fetch: (_: unknown, { deviceId, signal }: { deviceId: string; signal: AbortSignal }) => {
      asked.push(deviceId)
      if (asked.length === 16) tasks.cancel('t1')
      return new Promise((_resolve, reject) => {
        const stop = (): void => reject(new Failed({ kind: 'cancelled' }))
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop)
      })
    },
  } as unknown as ReadForPlan['settings']
  const ids = Array.from({ length: 100 }, (_, index) => `d${index}`)
  const reading = tasks.run('plan', (task) =>
    fetchSettingsForPlan(
      {
        clock,
        settings,
        task,
        endpoints,
        fetchPages: async () => ({ calls: 0 }),
        devicesInAll: async () => ids.length,
      },
      ids,
    ),
  )
  await expect(reading).rejects.toThrow(new Failed({ kind: 'cancelled' }))
  expect(asked).toHaveLength(16)
})

it('settings are read one by one when pages, with one that is not full, would take as many calls', async () => {
  const clock = new FakeClock()
  const asked: string[] = []
  const settings = {
    byPages: true,
    cachedIds: async () => new Set(),
    fetch: async (_: unknown, { deviceId }: { deviceId: string }) => void asked.push(deviceId),
  } as unknown as ReadForPlan['settings']
  const fetchPages = async () => ({ calls: asked.push('page 1', 'page 2') })
  const devicesInAll = async () => 101
  await openTasks({ clock, newId: () => 't1' }).run('plan', (task) =>
    fetchSettingsForPlan({ clock, settings, task, endpoints, fetchPages, devicesInAll }, ['d1', 'd2']),
  )
  expect(asked).toEqual(['d1', 'd2'])
})
