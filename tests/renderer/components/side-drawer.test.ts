import { flushPromises, mount } from '@vue/test-utils'
import { DropdownMenuContent, DropdownMenuItem, DropdownMenuRoot, DropdownMenuTrigger } from 'reka-ui'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { h } from 'vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { drawerWidth, keepDrawerWidth } from '../../../renderer/components/drawer-width.ts'
import SideDrawer from '../../../renderer/components/SideDrawer.vue'

const stored: (number | null)[] = []
beforeEach(() => {
  stored.length = 0
  keepDrawerWidth((width) => stored.push(width))
})
afterEach(() => (drawerWidth.value = null))
const drawer = () => mount(SideDrawer, { props: { label: 'Details' }, global: { plugins: [i18n] } })

it.each([
  ['ArrowLeft', 400, 416],
  ['ArrowRight', 400, 384],
  ['ArrowRight', 362, 360],
  ['ArrowLeft', 636, 640],
  ['Home', 400, 360],
  ['End', 400, 640],
])('%s at its edge changes the width of a drawer from %i px to %i px', async (key, before, after) => {
  drawerWidth.value = before
  const page = drawer()
  await page.get('[role=separator]').trigger('keydown', { key })
  expect([stored, page.attributes('style')]).toEqual([[after], `width: ${after}px;`])
})

it('a double click restores the default width', async () => {
  drawerWidth.value = 500
  const page = drawer()
  await page.get('[role=separator]').trigger('dblclick')
  expect([stored, page.attributes('style')]).toEqual([[null], undefined])
})

it('Esc closes the open menu, the next one the drawer', async () => {
  const page = mount(
    () => [
      h(SideDrawer, { label: 'Details' }),
      h(DropdownMenuRoot, null, () => [
        h(DropdownMenuTrigger, { class: 'opens' }, () => 'Views'),
        h(DropdownMenuContent, { class: 'opened' }, () => h(DropdownMenuItem, null, () => 'Offline')),
      ]),
    ],
    { attachTo: document.body, global: { plugins: [i18n] } },
  )
  const escape = async (): Promise<readonly [closed: number, menus: number]> => {
    const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
    document.activeElement!.dispatchEvent(key)
    await flushPromises()
    return [page.getComponent(SideDrawer).emitted('close')?.length ?? 0, page.findAll('[role=menu]').length]
  }
  await page.get('.opens').trigger('keydown', { key: 'Enter' })
  await flushPromises()
  const open = page.findAll('[role=menu]').length
  expect([open, await escape(), await escape()]).toEqual([1, [0, 0], [1, 0]])
  page.unmount()
})
