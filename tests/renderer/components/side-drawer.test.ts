import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, expect, it } from 'vitest'
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
