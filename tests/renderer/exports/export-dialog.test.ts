import { mount } from '@vue/test-utils'
import { expect, it, onTestFinished } from 'vitest'
import ExportDialog from '../../../renderer/exports/ExportDialog.vue'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { openCore, settle } from '../core.ts'

const devices = { of: 'devices', selection: { kind: 'matching', where: '', except: [] }, sort: [] } as const
const rooms = { of: 'rooms', where: '', sort: [] } as const

it.each([
  [devices, 4],
  [rooms, 0],
])('a file for another program is one of devices: $of', async (subject, programs) => {
  await openCore()
  const exports = useExports()
  exports.ask({
    title: 'Export',
    choices: [{ label: 'All', count: 3, subject }],
    columns: ['name'],
    viewName: null,
  })
  const dialog = mount(ExportDialog, { global: { plugins: [i18n] }, attachTo: document.body })
  onTestFinished(() => dialog.unmount())
  await settle()
  const choices = [...document.querySelectorAll<HTMLInputElement>('#export input[name=columns]')]
  expect(choices.map(({ value }) => value).slice(2).length).toBe(programs)
})

it('a file for another program has its headings, and nothing before them', async () => {
  const core = await openCore()
  const exports = useExports()
  exports.ask({
    title: 'Export',
    choices: [{ label: 'All', count: 3, subject: devices }],
    columns: ['name'],
    viewName: null,
  })
  const dialog = mount(ExportDialog, { global: { plugins: [i18n] }, attachTo: document.body })
  onTestFinished(() => dialog.unmount())
  await settle()
  document.querySelector<HTMLInputElement>('#export input[value=snipe-it]')!.click()
  await settle()
  document.querySelector<HTMLButtonElement>('button[form=export]')!.click()
  await settle()
  await core.advance(1_000)
  await settle()
  const [file] = core.platform.written.values()
  expect(String(file).split('\r\n')[0]).toBe(
    'Item Name,Model Name,Model Number,Category,Manufacturer,Serial Number,Location,Notes',
  )
})
