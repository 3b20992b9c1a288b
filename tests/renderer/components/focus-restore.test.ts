import { mount } from '@vue/test-utils'
import { expect, it, test } from 'vitest'
import { defineComponent, h, nextTick, ref, useTemplateRef } from 'vue'
import { useFocusRestore } from '../../../renderer/components/focus-restore.ts'

const visible = ref({ first: true, second: true, part: true, disabled: false })

/** Two buttons in a part of a box, a third after it, and one outside. */
const Box = defineComponent(() => {
  const box = useTemplateRef<HTMLElement>('box')
  useFocusRestore(box)
  return () => {
    const { first, second, part, disabled } = visible.value
    return h('div', [
      h('div', { ref: 'box', id: 'box', tabindex: -1 }, [
        part &&
          h('section', [
            first && h('button', { id: 'first', disabled }),
            second && h('button', { id: 'second' }),
          ]),
        h('button', { id: 'third' }),
      ]),
      h('button', { id: 'outside' }),
    ])
  }
})

async function afterChange(focused: string, change: Partial<(typeof visible)['value']>): Promise<string> {
  visible.value = { first: true, second: true, part: true, disabled: false }
  mount(Box, { attachTo: document.body })
  document.getElementById(focused)?.focus()
  visible.value = { ...visible.value, ...change }
  await nextTick()
  // Observers are called after the current tick.
  await nextTick()
  return document.activeElement?.id ?? ''
}

test.each<[string, string, Partial<(typeof visible)['value']>, string]>([
  ['the focused element was removed: to the next one', 'first', { first: false }, 'second'],
  ['the focused element was disabled: to the next one', 'first', { disabled: true }, 'second'],
  ['all of the part is gone: to the box', 'second', { part: false }, 'box'],
  ['no other element can have it: to the box', 'second', { first: false, second: false }, 'box'],
  ['something else is gone: it stays', 'second', { first: false }, 'second'],
  ['it is outside: it stays', 'outside', { part: false }, 'outside'],
])('%s', async (_, focused, change, then) => {
  expect(await afterChange(focused, change)).toBe(then)
})

it('does not set the focus if nothing had it', async () => {
  expect(await afterChange('', { part: false })).toBe('')
})
