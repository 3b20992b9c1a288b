// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, it, onTestFinished } from 'vitest'
import ExportPanel from '../../../renderer/exports/ExportPanel.vue'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { clearMessages, messages, takeAction } from '../../../renderer/parts/toasts.ts'
import { aCore, settle } from '../open-page.ts'

const subject = { of: 'devices', selection: { kind: 'matching', where: '', except: [] }, sort: [] } as const
const offer = {
  title: 'Export',
  choices: [{ label: 'All', count: 3, subject }],
  columns: ['name'],
  viewName: null,
} as const
const answer = { subject, format: 'csv', columns: ['name'], delimiter: ',', timeZone: 'UTC' } as const

it('a file is shown while it is written; its end is told once, in a message that leads to its folder', async () => {
  const core = aCore()
  clearMessages()
  const panel = mount(ExportPanel, { global: { plugins: [i18n] } })
  onTestFinished(() => panel.unmount())
  const exports = useExports()
  exports.ask(offer)
  await exports.start(answer)
  await settle()
  const while_ = panel.findAll('li').length
  for (let quarter = 0; quarter < 5; quarter++) {
    core.announce('exports.changed', { count: 1 })
    await settle()
  }
  const told = messages.value.map(({ kind, action }) => [kind, action?.label])
  takeAction(messages.value[0]!.id)
  await settle()
  expect([
    while_,
    panel.findAll('li').length,
    told,
    core.asked.filter(({ channel }) => channel === 'exports.show').length,
  ]).toEqual([1, 0, [['ok', 'Show in folder']], 1])
})
