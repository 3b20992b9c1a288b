import { expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { fetchSettingsForPlan, type ReadForPlan } from '../../../electron/core/jobs/settings-plan.ts'
import { openTasks } from '../../../electron/core/tasks.ts'
import { FakeClock } from '../../fake-clock.ts'

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
        endpoints: { settings: () => Promise.reject(new Error('not asked here')) },
        fetchPages: async () => ({ calls: 0 }),
        devicesInAll: async () => ids.length,
      },
      ids,
    ),
  )
  await expect(reading).rejects.toThrow(new Failed({ kind: 'cancelled' }))
  expect(asked).toHaveLength(16)
})
