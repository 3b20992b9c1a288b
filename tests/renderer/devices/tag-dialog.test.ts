import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { expect, test } from 'vitest'
import TagDialog from '../../../renderer/devices/TagDialog.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { devicesOf, openCore, settle } from '../core.ts'

test('tags that are added before the known ones arrive stay, and are not told apart by case', async () => {
  const core = await openCore()
  const [first, second] = await devicesOf(core)
  const selection = { kind: 'picked', ids: [second!.id] } as const
  await core.handlers.tags.change({ selection, add: ['spare', 'lent'], remove: [] })
  const release = core.hold('tags.list')
  const page = mount(TagDialog, {
    attachTo: '#page',
    props: {
      open: true,
      count: 1,
      chosen: { kind: 'picked', rows: new Map([[first!.id, first!]]) } as never,
    },
    global: { plugins: [i18n, createPinia()] },
  })
  await settle()
  const dialog = document.querySelector('.dialog-box')!
  const text = dialog.querySelector<HTMLInputElement>('form input')!
  for (const name of ['new one', 'Spare']) {
    text.value = name
    text.dispatchEvent(new Event('input'))
    await settle()
    dialog.querySelector<HTMLButtonElement>('form button')!.click()
  }
  release()
  await settle()
  const lines = [...dialog.querySelectorAll('li')].map((line) => [
    line.querySelector('.word')?.textContent,
    line.querySelector('input')?.checked,
  ])
  expect(lines).toEqual([
    ['new one', true],
    ['lent', false],
    ['spare', true],
  ])
  page.unmount()
})
