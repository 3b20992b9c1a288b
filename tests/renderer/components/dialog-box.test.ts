// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { nextTick } from 'vue'
import { expect, it, onTestFinished } from 'vitest'
import { i18n } from '../../../renderer/locales/i18n.ts'
import DialogBox from '../../../renderer/components/DialogBox.vue'

it.each([
  ['the field marked for the focus', '<input class="first"><input class="wanted" autofocus>', 'wanted'],
  [
    'the first text field',
    '<input type="radio"><input type="checkbox"><input class="wanted"><textarea></textarea>',
    'wanted',
  ],
  [
    'the box itself if it has no text field, never the close button',
    '<input type="radio"><button>Delete</button>',
    'dialog-box',
  ],
])('a dialog focuses %s', async (_, content, focused) => {
  const dialog = mount(DialogBox, {
    attachTo: document.body,
    props: { open: true, title: 'A question' },
    slots: { default: content },
    global: { plugins: [i18n] },
  })
  onTestFinished(() => dialog.unmount())
  await nextTick()
  await nextTick()
  expect(document.activeElement?.classList[0]).toBe(focused)
})
