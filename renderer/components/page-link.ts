import { inject, type InjectionKey } from 'vue'
import { text } from '../locales/i18n.ts'
import { useCopyText } from './clipboard.ts'
import { showToast } from './toasts.ts'

/** Returns the `headroom://` link to the page on screen; null: it has none. Provided by main.ts: components do not know the pages. */
export const pageLinkKey: InjectionKey<() => string | null> = Symbol('page link')

/** Copies the link to the page on screen and confirms it. */
export function useCopyPageLink(): () => Promise<void> {
  const link = inject(pageLinkKey, () => null)
  const copyText = useCopyText()
  return async () => {
    const here = link()
    if (here === null) showToast(text('components.pageLink.none'), 'bad')
    else if (await copyText(here)) showToast(text('components.pageLink.copied'))
    else showToast(text('components.copy.failed'), 'bad')
  }
}
