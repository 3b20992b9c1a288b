import { mount } from '@vue/test-utils'
import { expect, it, onTestFinished } from 'vitest'
import { i18n } from '../../../renderer/locales/i18n.ts'
import TaskPanel from '../../../renderer/tasks/TaskPanel.vue'
import { openCore, settle } from '../core.ts'

it('long work is shown with its per cent, and Stop cancels it', async () => {
  const core = await openCore()
  const panel = mount(TaskPanel, { global: { plugins: [i18n] } })
  onTestFinished(() => panel.unmount())
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const work = core.tasks.run('drift', async ({ signal, step }) => {
    step('comparing', 1_500, 6_000)
    await ended
    return signal.aborted
  })
  await settle()
  await core.advance(1_000)
  await settle()
  const visible = panel.text()
  await panel.get('button').trigger('click')
  await settle()
  end()
  const isCancelled = await work
  await core.advance(1_000)
  await settle()
  expect([visible, isCancelled, panel.text()]).toEqual([
    'Comparing devices with golden profiles and allowed values: 1,500 compared25%Stop',
    true,
    '',
  ])
})
