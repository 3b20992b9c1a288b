import { mount } from '@vue/test-utils'
import { nextTick } from 'vue'
import { afterEach, expect, it } from 'vitest'
import ToastHost from '../../../renderer/components/ToastHost.vue'
import { clearMessages, showToast, toast } from '../../../renderer/components/toasts.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'

afterEach(clearMessages)

it('F8 moves the focus to the action of the newest message, else to its dismissal, else nowhere', async () => {
  const host = mount(ToastHost, { attachTo: document.body, global: { plugins: [i18n] } })
  const focused = async (): Promise<string | null | undefined> => {
    await nextTick()
    host.vm.enter()
    const at = document.activeElement
    return at === document.body ? 'nothing' : (at?.getAttribute('aria-label') ?? at?.textContent?.trim())
  }
  const places = [await focused()]
  toast({ text: 'tagged', action: { label: 'Undo', run: () => undefined } })
  places.push(await focused())
  showToast('refused', 'bad')
  places.push(await focused())
  expect(places).toEqual(['nothing', 'Undo', 'Dismiss message'])
  host.unmount()
})
