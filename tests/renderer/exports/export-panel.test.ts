import { mount } from '@vue/test-utils'
import { expect, it, onTestFinished } from 'vitest'
import ExportPanel from '../../../renderer/exports/ExportPanel.vue'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { clearMessages, messages, takeAction } from '../../../renderer/components/toasts.ts'
import { openCore, settle } from '../core.ts'

const subject = { of: 'devices', selection: { kind: 'matching', where: '', except: [] }, sort: [] } as const
const offer = {
  title: 'Export',
  choices: [{ label: 'All', count: 3, subject }],
  columns: ['name'],
  viewName: null,
} as const
const answer = { subject, format: 'csv', columns: ['name'], delimiter: ',', timeZone: 'UTC' } as const

it('a file is shown while it is written, and one message at its end leads to its folder', async () => {
  const core = await openCore()
  clearMessages()
  const slowDisk = Promise.withResolvers<void>()
  const { write } = core.platform.files
  Object.assign(core.platform.files, {
    write: async (path: string) => {
      await slowDisk.promise
      return write(path)
    },
  })
  const panel = mount(ExportPanel, { global: { plugins: [i18n] } })
  onTestFinished(() => panel.unmount())
  const exports = useExports()
  exports.ask(offer)
  await exports.start(answer)
  await settle()
  const while_ = panel.findAll('li').length
  slowDisk.resolve()
  await settle()
  await core.advance(1_000)
  await settle()
  core.emit('exports.changed', { count: 1 })
  await settle()
  const reported = messages.value.map(({ kind, action }) => [kind, action?.label])
  takeAction(messages.value[0]!.id)
  await settle()
  expect([while_, panel.findAll('li').length, reported, core.platform.visible]).toEqual([
    1,
    0,
    [['ok', 'Show in folder']],
    [...core.platform.written.keys()],
  ])
})
