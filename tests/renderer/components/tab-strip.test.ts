import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it, test } from 'vitest'
import TabStrip from '../../../renderer/components/TabStrip.vue'
import { settle } from '../core.ts'

let strip: VueWrapper
const tabs = ['one', 'two', 'three'].map((id) => ({ id, label: id.toUpperCase(), count: '4' }))
const open = (modelValue = 'one'): void => {
  strip = mount(TabStrip, {
    attachTo: document.body,
    props: {
      tabs,
      modelValue,
      label: 'Parts',
      'onUpdate:modelValue': (id: string) => strip.setProps({ modelValue: id }),
    },
    slots: { one: 'first', two: 'second', three: 'third' },
  })
}
afterEach(() => strip.unmount())
const chosen = (): object => ({
  focused: document.activeElement?.textContent,
  selected: strip.findAll('[role=tab][aria-selected=true]').map((tab) => tab.text()),
  panel: strip.find('[role=tabpanel]').text(),
})

describe('tabs', () => {
  test.each<[string, string, object]>([
    ['ArrowRight', 'three', { focused: 'ONE4', selected: ['ONE4'], panel: 'first' }],
    ['ArrowLeft', 'one', { focused: 'THREE4', selected: ['THREE4'], panel: 'third' }],
    ['Home', 'three', { focused: 'ONE4', selected: ['ONE4'], panel: 'first' }],
    ['End', 'one', { focused: 'THREE4', selected: ['THREE4'], panel: 'third' }],
  ])('%s from %s selects and focuses', async (key, from, after) => {
    open(from)
    const tab = strip.find('[role=tab][aria-selected=true]')
    ;(tab.element as HTMLElement).focus()
    await settle()
    await tab.trigger('keydown', { key })
    await settle()
    expect(chosen()).toEqual(after)
  })

  it('a click without a mouse press selects, as from a screen reader', async () => {
    open()
    await strip.findAll('[role=tab]')[1]?.trigger('click')
    expect(chosen()).toMatchObject({ selected: ['TWO4'], panel: 'second' })
  })

  it('are linked to their panels, and only one is in the tab order', async () => {
    open('two')
    await settle()
    // The list leads to the selected tab.
    ;(strip.get('[role=tablist]').element as HTMLElement).focus()
    await settle()
    const [list, tab, panel] = ['tablist', 'tab][aria-selected=true', 'tabpanel'].map((role) =>
      strip.get(`[role=${role}]`),
    )
    expect({
      list: list?.attributes('aria-label'),
      controls: tab?.attributes('aria-controls') === panel?.attributes('id'),
      labelled: panel?.attributes('aria-labelledby') === tab?.attributes('id'),
      reached: strip.findAll('[role=tab]').map((one) => one.attributes('tabindex')),
      panel: panel?.attributes('tabindex'),
    }).toEqual({ list: 'Parts', controls: true, labelled: true, reached: ['-1', '0', '-1'], panel: '0' })
  })
})
